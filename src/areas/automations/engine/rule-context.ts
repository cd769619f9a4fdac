import type { Action, ActionContext, Shown } from '../../../platform/area/rules';
import type { FieldChange, Facts } from '../../../platform/conditions/condition';
import { changeOf, ownName, valueAt } from '../../../platform/conditions/record-facts';
import { resolveRelativeDate, parseRelativeDate } from '../../../platform/conditions/relative-date';
import type { Schedule } from '../../../platform/calendar/schedule';
import { workingTime } from '../../../platform/calendar/working-time';
import type { Causation } from '../../../platform/context/causation';
import type { Actor } from '../../../platform/context/current';
import type { Changes } from '../../../platform/events/event-rows';
import { addBusinessDays } from './business-days';
import { declaredCondition } from '../rule-fields';
import type { Turn } from './rule';

/** What of an event stays as it was when the event happened. */
export interface FrozenEvent {
  type: string;
  /** `evt_…`; null when a schedule or a policy started the run. */
  uid: string | null;
  actor: Actor;
  changes: Changes | null;
  comment: Shown | null;
}

/** The record that a run is about, and what conditions may ask of its surroundings. */
export interface Surroundings {
  version: number;
  record: Shown;
  company: Shown | null;
  category: Shown | null;
}

/**
 * Where rules act: the event as it was, the record as it is. Field actions put the changed record in, so that later
 * actions and later rules see it.
 */
export class RuleContext implements Facts, ActionContext {
  /** Whose turn it is, by the action that shares tickets out; empty in a dry run. */
  turns: ReadonlyMap<Action, Turn> = new Map();

  constructor(
    readonly object: string,
    readonly objectId: number,
    private happened: FrozenEvent,
    private around: Surroundings,
    /** Business hours of the workspace: those of its default SLA policy. */
    readonly hours: Schedule,
    readonly now: Date,
    readonly automation: { id: number | null; name: string },
    /** Causation of what the rule writes. */
    readonly causation: Causation,
  ) {}

  get event(): FrozenEvent {
    return this.happened;
  }

  /** What was said in the comment was deleted since the event was read. */
  forget(comment: Shown): void {
    this.happened = { ...this.happened, comment };
  }

  /** The record now. */
  get record(): Shown {
    return this.around.record;
  }

  get surroundings(): Surroundings {
    return this.around;
  }

  /** The ticket's id; throws on events about other records. */
  get ticketId(): number {
    if (this.object !== 'ticket') throw new Error('This action needs a ticket.');
    return this.objectId;
  }

  replace(around: Surroundings): void {
    this.around = around;
  }

  value(field: string): unknown {
    const dot = field.indexOf('.');
    const head = dot === -1 ? '' : field.slice(0, dot);
    if (head === this.object) return this.value(ownName(field, this.object));
    const known = Object.hasOwn(FAMILIES, head) ? FAMILIES[head] : undefined;
    if (known) return known(this, field.slice(dot + 1));
    const declared = declaredCondition(this.object, field);
    return declared ? declared.value(this.record, this.now) : valueAt(this.record, field);
  }

  change(field: string): FieldChange | undefined {
    return changeOf(this.event.changes, ownName(field, this.object));
  }

  /** `+2bd` and the like as ISO 8601, business days by the hours of the workspace; null when it is something else. */
  relativeDate(text: string): string | null {
    const relative = parseRelativeDate(text);
    if (!relative) return null;
    return resolveRelativeDate(relative, this.now, (from, days) =>
      addBusinessDays(from, days, this.hours),
    ).toISOString();
  }
}

type Family = (context: RuleContext, name: string) => unknown;

/** Fields behind a prefix; `Object.hasOwn` everywhere, because names come from clients. */
const FAMILIES: Readonly<Record<string, Family>> = {
  company: ({ surroundings }, name) => valueAt(surroundings.company, name),
  category: ({ surroundings }, name) => valueAt(surroundings.category, name),
  requester: ({ record }, name) => requester(record, name),
  comment: ({ event }, name) => valueAt(event.comment, name),
  actor: ({ event }, name) => valueAt(event.actor, name),
  automation: ({ automation }, name) => valueAt(automation, name),
  minutes_since: ({ record, now }, name) => minutesSince(record[name], now, (from, to) => (to - from) / 60_000),
  business_minutes_since: ({ record, now, hours }, name) =>
    minutesSince(record[name], now, (from, to) => workingTime(hours).between(from, to) / 60),
  now: ({ hours, now }, name) => (name === 'in_business_hours' ? workingTime(hours).isOpen(now.getTime()) : undefined),
};

function requester(record: Shown, name: string): unknown {
  const email = typeof record.requester_email === 'string' ? record.requester_email : null;
  if (name === 'email') return email;
  if (name === 'name') return record.requester_name ?? null;
  return name === 'domain' ? (email?.split('@')[1]?.toLowerCase() ?? null) : undefined;
}

function minutesSince(value: unknown, now: Date, passed: (from: number, to: number) => number): number | null {
  const from = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(from) ? null : Math.floor(passed(from, now.getTime()));
}
