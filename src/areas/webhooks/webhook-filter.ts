import { remembered } from '../../platform/area/collected';
import { checkConditions } from '../../platform/conditions/check-conditions';
import type { Conditions, Facts, FieldSpec } from '../../platform/conditions/condition';
import { evaluate } from '../../platform/conditions/evaluate';
import { FieldSet } from '../../platform/conditions/field-set';
import { changeOf, ownName, valueAt } from '../../platform/conditions/record-facts';
import { resourceFields } from '../../platform/conditions/resource-fields';
import { eventCatalogue, eventKind } from '../../platform/events/event-catalogue';
import type { Changes } from '../../platform/events/event-rows';
import { invalid } from '../../platform/errors/api-error';
import { allResources } from '../../platform/resource/resource';

/** Narrows a subscription: only events of which the conditions hold are delivered. */
export interface WebhookFilter {
  conditions: Conditions;
}

/** What conditions look at, as stored in the event row. */
export interface FilterableEvent {
  type: string;
  object: string;
  actor: unknown;
  data: unknown;
  changes: Changes | null;
}

/** `ticket.priority`, `company.name`, …: the fields of every record that events are about, and who acted. */
const filterFields = remembered((): FieldSet => {
  const general: [string, FieldSpec][] = [
    ['type', { type: 'text', canonical: (name) => eventKind(name)?.type ?? name }],
    ['actor.type', { type: 'text' }],
    ['actor.id', { type: 'number' }],
  ];
  let fields = new FieldSet(new Map(general));
  const objects = new Set(eventCatalogue().flatMap(({ events }) => events.map(({ object }) => object)));
  for (const { name, singular } of allResources()) {
    if (objects.has(singular))
      fields = fields.with(resourceFields(name, { tracked: true, computed: true }).under(singular));
  }
  // As in automations: a field without a record is the ticket's.
  return fields.aliased((name) => `ticket.${name}`);
});

/** @throws ApiError 422 naming what is wrong and what is allowed */
export function checkFilter(filter: Record<string, unknown>): WebhookFilter {
  const stray = Object.keys(filter).find((name) => name !== 'conditions');
  if (stray !== undefined) {
    const field = `filter.${stray.slice(0, 100)}`;
    invalid(field, 'unknown_field', `${field} is not part of a filter.`, { allowed: ['conditions'] });
  }
  if (filter.conditions === undefined) {
    invalid('filter.conditions', 'required', 'filter.conditions is required.');
  }
  return { conditions: checkConditions('filter.conditions', filter.conditions, filterFields()) };
}

/** Whether the event passes. A condition on another kind of record than the event's finds nothing there. */
export function passes(filter: WebhookFilter | null, event: FilterableEvent, now: Date): boolean {
  return filter === null || evaluate(filter.conditions, factsOf(event, now)).met;
}

function factsOf({ type, object, actor, data, changes }: FilterableEvent, now: Date): Facts {
  const record = { type, actor, [object]: data };
  const whole = (field: string): string => (filterFields().has(field) ? field : `ticket.${field}`);
  const own = (field: string): string | null => {
    const name = whole(field);
    return name.startsWith(`${object}.`) ? ownName(name, object).replace(/^changes\./, '') : null;
  };
  return {
    now,
    value: (field) => valueAt(record, whole(field)),
    change: (field) => {
      const name = own(field);
      return name === null ? undefined : changeOf(changes, name);
    },
  };
}
