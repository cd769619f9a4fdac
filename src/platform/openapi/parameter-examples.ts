import { type Document, operationsOf } from './document';

/**
 * What paths and required parameters name, by operation: records of a new demo workspace in the state that the operation is
 * for. An operation that is not listed works on the first record. A test sends them all.
 */
const EXAMPLES: Readonly<Record<string, Readonly<Record<string, number | string>>>> = {
  'assets.checkout': { id: 2 },
  'categories.delete': { id: 13 },
  'companies.delete': { id: 12 },
  'crm.pipelines.delete': { id: 2 },
  'crm.stages.delete': { id: 7 },
  'kb.categories.delete': { id: 4 },
  'meetings.cancel': { id: 3 },
  'meetings.confirm': { id: 2 },
  'meetings.delete': { id: 3 },
  'meetings.reject': { id: 2 },
  'meetings.update': { id: 3 },
  'quotes.delete': { id: 2 },
  'quotes.items.create': { id: 2 },
  'quotes.items.delete': { id: 2, item_id: 4 },
  'quotes.items.update': { id: 2, item_id: 4 },
  'quotes.status': { id: 2 },
  'quotes.update': { id: 2 },
  'search.get': { q: 'printer' },
  'sla.delete': { id: 2 },
  'tickets.assign': { id: 196 },
  'tickets.comments.delete': { id: 3 },
  'tickets.comments.get': { id: 3 },
  'tickets.comments.list': { id: 3 },
  'tickets.comments.update': { id: 3 },
  'tickets.escalate': { id: 196 },
  'tickets.merge': { id: 2 },
  'users.delete': { id: 7 },
};

/** Gives every id in a path, and whatever else must be given, an example. */
export function addParameterExamples(document: Document): void {
  for (const { operation } of operationsOf(document)) {
    const examples = EXAMPLES[operation.operationId ?? ''] ?? {};
    for (const parameter of operation.parameters ?? []) {
      if (parameter.required !== true || parameter.schema?.example !== undefined) continue;
      const example = examples[parameter.name ?? ''] ?? (parameter.in === 'path' ? 1 : undefined);
      if (example !== undefined) parameter.example = example;
    }
  }
}
