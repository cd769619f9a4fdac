import type { Notice, Tone } from '../../../platform/area/provider';
import { eventKind } from '../../../platform/events/event-catalogue';
import type { Changes } from '../../../platform/events/event-rows';
import { resourceOfObject } from '../../../platform/resource/resource';
import { isRecord } from '../../../platform/text/json';

/** An event row, as far as messages tell of it. */
export interface EventFacts {
  uid: string;
  type: string;
  object: string;
  object_id: number;
  sequence_id: string;
  position: number;
  workspace_id: number;
  actor: { type: string; id: number | null; name: string };
  causation: Record<string, unknown>;
  changes: Changes | null;
  data: Record<string, unknown> | null;
  related: Record<string, unknown> | null;
  /** ISO 8601. */
  created_at: string;
}

const MAX_FACTS = 8;
const MAX_VALUE = 200;
const MAX_QUOTE = 1_500;

const TONES: Readonly<Record<string, Tone>> = {
  'ticket.resolved': 'good',
  'ticket.closed': 'good',
  'ticket.sla_met': 'good',
  'ticket.sla_at_risk': 'warning',
  'ticket.escalated': 'warning',
  'ticket.reopened': 'warning',
  'ticket.sla_breach': 'bad',
  'integration.error': 'bad',
  'webhook.deactivated': 'bad',
  'automation.failed': 'bad',
};

/** Fields whose change says nothing to a reader: counters, ranks, and what follows from another change. */
const SILENT = /(_count|_rank|_seconds|_at|escalations|search_text)$/;
const FIRST_FACTS = ['status', 'priority', 'requester_email', 'assigned_to', 'company_id'];

/** Turns an event into what a message about it says. */
export function noticeOf(event: EventFacts, publicUrl: string | null): Notice {
  return {
    headline: headline(event.type),
    title: titleOf(event),
    quote: quoteOf(event),
    facts: factsOf(event),
    actor: short(oneLine(event.actor.name), 100) || event.actor.type,
    link: linkOf(event, publicUrl),
    tone: TONES[event.type] ?? 'neutral',
    at: event.created_at,
  };
}

/** At most `max` characters, never half of one, with a mark where it was cut. */
export function short(text: string, max: number): string {
  const clean = text.toWellFormed().replaceAll(/[^\P{Cc}\n\t]/gu, '');
  if (clean.length <= max) return clean;
  return `${clean
    .slice(0, max - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`;
}

/** Keeps `@here`, `@everyone` and the like from calling anyone: an invisible space stands after the `@`. */
export function unpinging(text: string): string {
  return text.replaceAll(/@(?=\w)/g, '@\u200B');
}

function headline(type: string): string {
  const description = eventKind(type)?.description ?? `${type}.`;
  return `${description.split(/[;`]/)[0]?.trim().replace(/\.$/, '') ?? type}.`;
}

/** What the resource of the record says; else its name or, where it has none, its kind and id. */
function titleOf({ data, object, object_id }: EventFacts): string {
  const columns = resourceOfObject(object)?.notice?.title ?? ['name'];
  const words = columns.map((name) => data?.[name]).filter((part) => typeof part === 'string');
  return short(oneLine(words.length ? words.join(' ') : `${object.replaceAll('_', ' ')} ${object_id}`), 300);
}

function quoteOf({ type, data, related }: EventFacts): string | null {
  const { comment, error } = related ?? {};
  const said =
    (isRecord(comment) ? comment.body : null) ??
    (isRecord(error) ? error.message : null) ??
    (type === 'ticket.created' ? data?.description : null);
  return typeof said === 'string' ? short(said.trim(), MAX_QUOTE).trim() || null : null;
}

function factsOf({ type, changes, data, related }: EventFacts): Notice['facts'] {
  const facts = Object.entries(changes ?? {})
    .filter(([name]) => !SILENT.test(name))
    .map(([name, { from, to }]) => ({ label: label(name), value: `${shown(from)} → ${shown(to)}` }));
  const comment = related?.comment;
  if (isRecord(comment) && comment.is_internal === true) facts.unshift({ label: 'Visibility', value: 'internal note' });
  if (type.endsWith('.created'))
    for (const name of FIRST_FACTS)
      if (data?.[name] !== null && data?.[name] !== undefined)
        facts.push({ label: label(name), value: shown(data[name]) });
  return facts.slice(0, MAX_FACTS);
}

function label(name: string): string {
  const words = name.replace(/_id$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  return short(oneLine(typeof value === 'string' ? value : JSON.stringify(value)), MAX_VALUE) || '–';
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** Gone records are nowhere, nor are those that only belong to another one. */
function linkOf({ type, object, object_id }: EventFacts, publicUrl: string | null): string | null {
  const notice = resourceOfObject(object)?.notice;
  const isGone = type.endsWith('.deleted') || type.endsWith('.removed');
  return publicUrl === null || !notice || isGone ? null : `${publicUrl}/v1${notice.path}/${object_id}`;
}
