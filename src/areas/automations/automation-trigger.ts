import { keep, note, readConditions } from '../../platform/conditions/check-conditions';
import type { Condition, Node } from '../../platform/conditions/condition';
import type { FieldSet } from '../../platform/conditions/field-set';
import { eventKind } from '../../platform/events/event-catalogue';
import { ApiError, type ErrorDetail } from '../../platform/errors/api-error';
import { filterNames, parseListQuery } from '../../platform/resource/read/list-query';
import type { Resource } from '../../platform/resource/resource';
import { wholeSelection } from '../../platform/resource/read/selection';
import { isRecord } from '../../platform/text/json';
import { problemsIn } from '../../platform/validation/shapes';
import type { Trigger } from './engine/rule';
import { objectOf, SCHEDULE, triggerEvents } from './rule-fields';
import { TRIGGERS } from './triggers';

/** What a trigger is read with. */
export interface TriggerReading {
  /** Of a schedule that names none. */
  zone: string;
  /** Fields that filters may name, by the object of the trigger. */
  fieldsOf: (object: string) => FieldSet;
  /** Tickets as the workspace has them; undefined where there are none. */
  tickets: Resource | undefined;
  problems: ErrorDetail[];
}

/**
 * Brings a trigger from a body into stored form, adding what is wrong to `problems`. A bare name becomes `{event}`, an
 * alias the name of its event.
 */
export function readTrigger(input: unknown, reading: TriggerReading): Trigger {
  const { zone, problems } = reading;
  const given = isRecord(input) ? input : { event: input };
  const event = readEvent(given.event, problems);
  if (event === null) return { event: SCHEDULE };
  const found = problemsIn(event === SCHEDULE ? TRIGGERS.schedule : TRIGGERS.event, given, 'trigger');
  keep(problems, found);
  const { filters, cron, timezone, query } = wellFormed(given, found);
  if (event === SCHEDULE) {
    const trigger = {
      event,
      cron: typeof cron === 'string' ? cron.trim() : '',
      timezone: typeof timezone === 'string' ? timezone : zone,
    };
    return isRecord(query) ? { ...trigger, query: readQuery(query, reading) } : trigger;
  }
  return isRecord(filters) ? { event, filters: readFilters(event, filters, reading) } : { event };
}

/** What has no problem of its own. */
function wellFormed(given: Record<string, unknown>, found: readonly ErrorDetail[]): Record<string, unknown> {
  const wrong = new Set(found.map(({ field }) => field));
  return Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(`trigger.${name}`)));
}

function readEvent(input: unknown, problems: ErrorDetail[]): string | null {
  const allowed = triggerEvents();
  const event = typeof input === 'string' ? (eventKind(input)?.type ?? input) : undefined;
  if (event !== undefined && allowed.includes(event)) return event;
  const code = input === undefined ? 'required' : 'enum';
  note(problems, 'trigger.event', code, 'must be the name of an event that starts automations', allowed);
  return null;
}

function readFilters(
  event: string,
  input: Record<string, unknown>,
  { fieldsOf, problems }: TriggerReading,
): Record<string, unknown> {
  const fields = fieldsOf(objectOf(event));
  const filters: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(input)) {
    const found: ErrorDetail[] = [];
    const type = fields.get(field)?.type ?? 'text';
    const all: Node[] = [filterCondition(field, value)];
    const [checked] = readConditions('filters', { all }, fields, found).all ?? [];
    filters[field] = checked && 'value' in checked ? (checked.value ?? null) : null;
    const path = `trigger.filters.${field.slice(0, 80)}`;
    if (type === 'tags' || type === 'list') note(problems, path, 'type', 'is a list: ask for it in the conditions');
    for (const { code, message, allowed } of found)
      note(problems, path, code, message.slice(message.indexOf(' ') + 1), allowed);
  }
  return filters;
}

/** A value means equality, a list any of its values, null that there is none. */
function filterCondition(field: string, value: unknown): Condition {
  if (value === null) return { field, operator: 'is_not_set' };
  return { field, operator: Array.isArray(value) ? 'in' : 'eq', value };
}

/** The filters of `GET /tickets`, as texts; numbers, booleans and lists may be written as such. */
function readQuery(input: Record<string, unknown>, { tickets, problems }: TriggerReading): Record<string, string> {
  const query: Record<string, string> = {};
  if (!tickets) return query;
  const known = filterNames(tickets);
  for (const [name, value] of Object.entries(input)) {
    const path = `trigger.query.${name.slice(0, 80)}`;
    const text = queryText(value);
    if (!known.includes(name)) note(problems, path, 'unknown_filter', 'is no filter', known);
    else if (text === null) note(problems, path, 'type', 'must be a string, a number, a boolean or a list of them');
    else if (text === 'me' || text.split(',').includes('me'))
      note(problems, path, 'format', 'cannot be "me": a schedule is nobody');
    else {
      query[name] = text;
      try {
        parseListQuery(tickets, { [name]: text }, wholeSelection(tickets));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const [detail] = error.extras.details ?? [];
        const reason = error.message.replace(/^".*?" /, '').replace(/\.$/, '');
        note(problems, path, detail?.code ?? 'format', reason, detail?.allowed);
      }
    }
  }
  return query;
}

function queryText(value: unknown): string | null {
  if (Array.isArray(value)) {
    const items = value.map(queryText);
    return items.every((item) => item !== null) && items.length > 0 ? items.join(',') : null;
  }
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : null;
}
