import {
  eventCatalogue,
  eventKind,
  isSubscribable,
  matchesEvent,
  subscribableNames,
} from '../../platform/events/event-catalogue';
import { invalid } from '../../platform/errors/api-error';
import type { FilterSpec } from '../../platform/query/filters';
import { several } from '../../platform/query/values';

const MAX_NAMES = 100;

/** 422 unless each name can be subscribed to. */
export function requireSubscribable(field: string, names: readonly string[]): void {
  if (names.length === 0) invalid(field, 'min', `"${field}" must name at least one event.`);
  const unknown = names.find((name) => !isSubscribable(name));
  if (unknown === undefined) return;
  const message = `"${field}" names an unknown event, ${JSON.stringify(unknown.slice(0, 100))}; GET /integrations/events lists them.`;
  invalid(field, 'enum', message, { allowed: subscribableNames() });
}

/** The types that a subscription to these names includes. */
export function typesOf(names: readonly string[]): string[] {
  return eventCatalogue()
    .flatMap(({ events }) => events.map(({ type }) => type))
    .filter((type) => matchesEvent(names, type));
}

function namesIn(raw: string, field: string): string[] {
  const names = raw.split(',').map((name) => name.trim());
  if (names.length > MAX_NAMES) invalid(field, 'max', `"${field}" takes at most ${MAX_NAMES} names.`);
  requireSubscribable(field, names);
  return names;
}

const about = {
  schema: { ...several({ type: 'string', minLength: 1 }), example: 'ticket.*' },
};

/** Deliveries of these events, under whichever of their names they went. */
export const deliveredEventFilter: FilterSpec = {
  ...about,
  description: 'Any of these events, named as in a subscription.',
  parse: (raw, name) => typesOf(namesIn(raw, name)).flatMap((type) => [type, ...(eventKind(type)?.aliases ?? [])]),
  sql: (alias, value, bind) => `${alias}.event = ANY(${bind(value)}::text[])`,
};

/** Endpoints that get any of these events, whether they name it or a wildcard. */
export const subscribedEventFilter: FilterSpec = {
  ...about,
  description: 'Endpoints that get any of these events; wildcards and aliases count.',
  parse: (raw, name) => {
    const types = typesOf(namesIn(raw, name));
    return subscribableNames().filter((subscribed) => types.some((type) => matchesEvent([subscribed], type)));
  },
  sql: (alias, value, bind) => `${alias}.events && ${bind(value)}::text[]`,
};
