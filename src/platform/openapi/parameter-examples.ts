import type { Area } from '../area/area';
import { type Document, operationsOf } from './document';

/** Gives every id in a path, and whatever else must be given, an example. @param areas say which */
export function addParameterExamples(document: Document, areas: readonly Area[]): void {
  const known = Object.assign({}, ...areas.map(({ examples }) => examples)) as NonNullable<Area['examples']>;
  for (const { operation } of operationsOf(document)) {
    const examples = known[operation.operationId ?? ''] ?? {};
    for (const parameter of operation.parameters ?? []) {
      if (parameter.required !== true || parameter.schema?.example !== undefined) continue;
      const example = examples[parameter.name ?? ''] ?? (parameter.in === 'path' ? 1 : undefined);
      if (example !== undefined) parameter.example = example;
    }
  }
}
