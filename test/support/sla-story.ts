import { applyFact, openState } from '../../src/areas/sla/clock';
import type { Clock, Created, Fact, Metric, Note, SlaState, Terms } from '../../src/areas/sla/clock-types';
import type { BusinessHours } from '../../src/platform/calendar/schedule';

export const target = (first: number, next: number | null, resolution: number) => ({
  first_response_minutes: first,
  next_response_minutes: next,
  resolution_minutes: resolution,
});

export const TERMS: Terms = {
  policy_id: 1,
  policy_name: 'Gold',
  policy_version: 1,
  schedule: { mode: '24x7' },
  targets: {
    urgent: target(60, 30, 240),
    high: target(120, 60, 480),
    medium: target(240, 120, 1_440),
    low: target(480, 240, 4_320),
  },
  pause_statuses: ['on_hold'],
  pause_metrics: ['next_response', 'resolution'],
  at_risk_threshold_pct: 80,
  ai_counts_as_response: false,
};

/** Eight hours from Monday to Friday, in Berlin. */
export const officeWith = (holidays?: BusinessHours['holidays']): BusinessHours => ({
  mode: 'business_hours',
  timezone: 'Europe/Berlin',
  weekly: Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, [['09:00', '17:00']]])),
  ...(holidays && { holidays }),
});
export const OFFICE = officeWith();

/** A Monday, 10:00 in Berlin. */
export const START = Date.parse('2026-10-19T08:00:00.000Z');
export const at = (minutes: number): string => new Date(START + minutes * 60_000).toISOString();
/** Minutes from the creation to a moment. */
export const minutesTo = (moment: string): number => (Date.parse(moment) - START) / 60_000;

export const created = (more: Partial<Created> = {}): Created => ({
  at: at(0),
  status: 'open',
  priority: 'medium',
  channel: 'portal',
  ...more,
});

/** What happens, and when in minutes after the creation. */
export type Step = [minutes: number, ...what: Plain[]];
export type Plain = Fact extends infer F ? (F extends { at: string } ? Omit<F, 'at'> : never) : never;

export const status = (to: string): Plain => ({ type: 'status', to });
export const agent: Plain = { type: 'comment', author: 'agent', is_internal: false };
export const requester: Plain = { type: 'comment', author: 'requester', is_internal: false };
export const time: Plain = { type: 'time' };

/** A ticket's story as its clocks see it. */
export function tell(terms: Terms | null, start: Created, ...steps: Step[]): { state: SlaState; notes: Note[] } {
  const opened = openState(terms, start);
  const notes = [...opened.notes];
  let { state } = opened;
  for (const [minutes, ...facts] of steps) {
    for (const fact of facts) {
      const applied = applyFact(state, { at: at(minutes), ...fact });
      state = applied.state;
      notes.push(...applied.notes);
    }
  }
  return { state, notes };
}

export function clockOf(state: SlaState, metric: Metric, instance = 1): Clock {
  const clock = state.clocks.find((each) => each.metric === metric && each.instance_no === instance);
  if (!clock) throw new Error(`no clock ${metric} ${instance}`);
  return clock;
}

export const changes = (notes: readonly Note[], metric: Metric): string[] =>
  notes.filter((note) => note.metric === metric).map(({ change }) => change);
