import { eventCatalogue, isSubscribable, matchesEvent, subscribableNames } from '../../platform/events/event-catalogue';
import { invalid } from '../../platform/errors/api-error';
import type { FilterSpec } from '../../platform/query/filters';
import { idOr, several } from '../../platform/query/values';
import { seenObjects } from '../../platform/resource/read/sight';
import { defineResource } from '../../platform/resource/resource';
import { EventRecord } from './event.entity';

const MAX_NAMES = 100;

function names(raw: string, name: string): string[] {
  const items = raw.split(',').map((item) => item.trim());
  if (items.includes('') || items.length > MAX_NAMES)
    invalid(name, 'format', `"${name}" must be 1 to ${MAX_NAMES} values, comma-separated.`);
  return items;
}

/** Types as a webhook would subscribe to them. */
const typeFilter: FilterSpec = {
  schema: { ...several({ type: 'string', minLength: 1 }), example: 'ticket.*' },
  description: 'Any of these types, named as in a subscription: `ticket.created`, `ticket.*`.',
  parse: (raw, name) => {
    const wanted = names(raw, name);
    const unknown = wanted.find((item) => !isSubscribable(item));
    if (unknown !== undefined) {
      const message = `"${name}" names an unknown event; GET /integrations/events lists them.`;
      invalid(name, 'enum', message, { allowed: subscribableNames() });
    }
    const types = eventCatalogue().flatMap(({ events }) => events.map(({ type }) => type));
    return types.filter((type) => matchesEvent(wanted, type));
  },
  sql: (alias, value, bind) => `${alias}.type = ANY(${bind(value)}::text[])`,
};

const uidFilter: FilterSpec = {
  schema: several({ type: 'string', minLength: 1 }),
  description: 'Only the events with these ids.',
  parse: names,
  sql: (alias, value, bind) => `${alias}.uid = ANY(${bind(value)}::text[])`,
};

/** Commit order never changes behind a reader; ids are given out before commits and would. */
const afterFilter: FilterSpec = {
  schema: { type: 'string', example: 'evt_01976f7e1d1c7d3c8a1b2c3d4e5f6071' },
  description: 'Id of the last event already seen: only what came later is listed.',
  parse: (raw) => raw,
  sql: (alias, value, bind) =>
    `(${alias}.tx, ${alias}.id) > (SELECT seen.tx, seen.id FROM events seen WHERE seen.workspace_id = $1 AND seen.uid = ${bind(value)})`,
};

export const eventResource = defineResource(EventRecord, {
  name: 'events',
  singular: 'event',
  table: 'recorded_events',
  listed: 'settled_events',
  sort: { position: { column: 'tx', type: 'bigint' } },
  defaultSort: 'position',
  filter: [],
  where: {
    ids: uidFilter,
    type: typeFilter,
    after: afterFilter,
    object: {
      schema: { ...several({ type: 'string', minLength: 1 }), example: 'ticket' },
      description: 'Any of these kinds of records, by their singular names.',
      parse: names,
      sql: (alias, value, bind) => `${alias}.object = ANY(${bind(value)}::text[])`,
    },
    object_id: {
      schema: { ...idOr([]), example: 42 },
      description: 'Id of the record; together with `object`.',
      parse: (raw, name) => {
        const id = /^[1-9]\d{0,15}$/.test(raw) ? Number(raw) : NaN;
        if (!Number.isSafeInteger(id)) invalid(name, 'type', `"${name}" must be the id of a record.`);
        return id;
      },
      sql: (alias, value, bind) => `${alias}.object_id = ${bind(value)}::bigint`,
    },
  },
  log: true,
  sight: {
    rows: (sight, event) => seenObjects(sight, `${event}.object`, `${event}.object_id`, `${event}.workspace_id`),
  },
});
