import { ValidateBy } from 'class-validator';
import { CronExpressionParser } from 'cron-parser';
import { note, readConditions } from '../../platform/conditions/check-conditions';
import type { Condition, Node } from '../../platform/conditions/condition';
import { eventKind } from '../../platform/events/event-catalogue';
import { ApiError, type ErrorDetail } from '../../platform/errors/api-error';
import { isTimeZoneName } from '../../platform/columns/column-validators';
import { parseListQuery } from '../../platform/resource/read/list-query';
import { resourceIfAny } from '../../platform/resource/resource';
import { wholeSelection } from '../../platform/resource/read/selection';
import { isRecord } from '../../platform/text/json';
import type { Trigger } from './engine/rule';
import { conditionFields, objectOf, SCHEDULE, triggerEvents } from './rule-fields';

const MAX_FILTERS = 20;
const MAX_CRON = 120;
/** What a list request has besides filters. */
const NOT_FILTERS = ['page', 'per_page', 'offset', 'limit', 'sort', 'fields', 'expand', 'include', 'position'];

/** The form of a trigger; what it names is checked by `readTrigger`. */
export function IsTriggerLike(): PropertyDecorator {
  const accepts = (value: unknown): boolean => (typeof value === 'string' && value !== '') || isRecord(value);
  const defaultMessage = (): string => 'trigger must be the name of an event, or an object with "event"';
  return ValidateBy({ name: 'isObject', validator: { validate: accepts, defaultMessage } });
}

/**
 * Brings a trigger from a body into stored form, adding what is wrong to `problems`. A bare name becomes `{event}`, an
 * alias the name of its event.
 *
 * @param timezone of a schedule that names none
 */
export function readTrigger(input: unknown, timezone: string, problems: ErrorDetail[]): Trigger {
  const given = isRecord(input) ? input : { event: input };
  const event = readEvent(given.event, problems);
  if (event === null) return { event: SCHEDULE };
  const parts = event === SCHEDULE ? ['event', 'cron', 'timezone', 'query'] : ['event', 'filters'];
  for (const name of Object.keys(given).filter((key) => !parts.includes(key)))
    note(problems, `trigger.${name.slice(0, 80)}`, 'unknown_field', `is not part of this trigger`, parts);
  if (event === SCHEDULE) return readSchedule(given, timezone, problems);
  return given.filters === undefined ? { event } : { event, filters: readFilters(event, given.filters, problems) };
}

function readEvent(input: unknown, problems: ErrorDetail[]): string | null {
  const allowed = triggerEvents();
  const event = typeof input === 'string' ? (eventKind(input)?.type ?? input) : undefined;
  if (event !== undefined && allowed.includes(event)) return event;
  const code = input === undefined ? 'required' : 'enum';
  note(problems, 'trigger.event', code, 'must be the name of an event that starts automations', allowed);
  return null;
}

function readFilters(event: string, input: unknown, problems: ErrorDetail[]): Record<string, unknown> {
  if (!isRecord(input) || Object.keys(input).length > MAX_FILTERS) {
    note(problems, 'trigger.filters', 'type', `must be an object of at most ${MAX_FILTERS} fields and their values`);
    return {};
  }
  const object = objectOf(event);
  const filters: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(input)) {
    const found: ErrorDetail[] = [];
    const type = conditionFields(object).get(field)?.type ?? 'text';
    const all: Node[] = [filterCondition(field, value)];
    const [checked] = readConditions('filters', { all }, conditionFields(object), found).all ?? [];
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

function readSchedule(given: Record<string, unknown>, fallback: string, problems: ErrorDetail[]): Trigger {
  const { cron, timezone = fallback, query } = given;
  const zone = typeof timezone === 'string' && isTimeZoneName(timezone) ? timezone : null;
  if (zone === null) note(problems, 'trigger.timezone', 'format', 'must be an IANA time zone, e.g. Europe/Rome');
  if (cron === undefined) note(problems, 'trigger.cron', 'required', 'is required');
  else if (!isCron(cron, zone ?? 'UTC'))
    note(
      problems,
      'trigger.cron',
      'format',
      'must be a cron expression of five fields that comes round, e.g. 0 9 * * 1-5',
    );
  const trigger = { event: SCHEDULE, cron: typeof cron === 'string' ? cron.trim() : '', timezone: zone ?? fallback };
  return query === undefined ? trigger : { ...trigger, query: readQuery(query, problems) };
}

function isCron(input: unknown, tz: string): boolean {
  if (typeof input !== 'string' || input.length > MAX_CRON) return false;
  // Of cron-parser's extras (seconds, names such as @daily, hashes) none is promised.
  if (!/^[\d*,/A-Za-z?#-]+( +[\d*,/A-Za-z?#-]+){4}$/.test(input.trim()) || /h/i.test(input.replace(/thu|mar/gi, '')))
    return false;
  try {
    CronExpressionParser.parse(input.trim(), { tz }).next();
    return true;
  } catch {
    return false;
  }
}

/** The filters of `GET /tickets`, as texts; numbers, booleans and lists may be written as such. */
function readQuery(input: unknown, problems: ErrorDetail[]): Record<string, string> {
  const query: Record<string, string> = {};
  const tickets = resourceIfAny('tickets');
  if (!isRecord(input) || !tickets) {
    note(problems, 'trigger.query', 'type', 'must be an object with filters of GET /tickets');
    return query;
  }
  for (const [name, value] of Object.entries(input)) {
    const path = `trigger.query.${name.slice(0, 80)}`;
    const text = queryText(value);
    if (NOT_FILTERS.includes(name))
      note(problems, path, 'unknown_filter', 'is no filter', [...tickets.filters.keys(), 'q']);
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
