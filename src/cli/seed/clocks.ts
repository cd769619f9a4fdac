import { applyFact, openState } from '../../areas/sla/clock';
import type { Clock, Fact, SlaState } from '../../areas/sla/clock-types';
import type { Policy } from '../../areas/sla/policy-match';
import { ticketValues, writtenClock } from '../../areas/sla/sla-transition';
import type { WrittenClock } from '../../areas/sla/sla-rows';
import { workingTime } from '../../platform/calendar/working-time';
import type { SeedComment } from './comments';

const SECOND_MS = 1_000;
const MINUTE_S = 60;

/** What of a generated ticket its clocks follow from; moments are milliseconds since 1970. */
export interface ClockStory {
  status: string;
  priority: string;
  channel: string;
  createdAt: number;
  heldAt: number | null;
  resolvedAt: number | null;
  pausedSeconds: number;
  comments: readonly SeedComment[];
}

/** SLA columns of a ticket by name, and the clocks that still matter: those of a ticket that is not finished. */
export interface SeedClocks {
  values: Readonly<Record<string, unknown>>;
  clocks: WrittenClock[];
}

const iso = (ms: number): string => new Date(ms).toISOString();

/**
 * The clocks as the service would have kept them.
 *
 * @param history those of finished tickets too
 */
export function seedClocks(policy: Policy | null, story: ClockStory, now: number, history: boolean): SeedClocks {
  if (!policy) return { values: { sla_policy_id: null, sla_status: 'none' }, clocks: [] };
  if (story.resolvedAt === null) return unfinished(policy, story, now);
  const values = finished(policy, story, story.resolvedAt);
  return history ? past(policy, story, story.resolvedAt, values) : { values, clocks: [] };
}

function finished(policy: Policy, story: ClockStory, resolvedAt: number): SeedClocks['values'] {
  const { createdAt, pausedSeconds, priority } = story;
  const time = workingTime(policy.schedule);
  const target = policy.targets[priority];
  const paused = time.between(createdAt, createdAt + pausedSeconds * SECOND_MS);
  const due = time.add(createdAt, (target?.resolution_minutes ?? 0) * MINUTE_S + paused);
  const firstDue = time.add(createdAt, (target?.first_response_minutes ?? 0) * MINUTE_S);
  return {
    sla_policy_id: policy.policy_id,
    sla_status: due !== null && resolvedAt > due ? 'breached' : 'met',
    sla_due_at: due === null ? null : iso(due),
    first_response_due_at: firstDue === null ? null : iso(firstDue),
  };
}

/** Every clock of a finished ticket, each decided or forgiven. */
function past(policy: Policy, story: ClockStory, resolvedAt: number, values: SeedClocks['values']): SeedClocks {
  const { priority, channel, createdAt } = story;
  let state = openState(policy, { at: iso(createdAt), status: 'open', priority, channel }).state;
  const before = factsOf({ ...story, status: 'in_progress' }, resolvedAt).filter(({ type }) => type !== 'time');
  for (const fact of before) state = applyFact(state, fact).state;
  state = applyFact(state, { at: iso(resolvedAt), type: 'status', to: 'resolved' }).state;
  const clocks = state.clocks.map(forgiven);
  const resolution = clocks.find(({ metric }) => metric === 'resolution');
  const missed = clocks.some(({ outcome }) => outcome === 'breached');
  return {
    values: { ...values, sla_status: missed ? 'breached' : 'met', sla_due_at: resolution?.due_at ?? null },
    clocks: clocks.map((clock) => writtenClock(clock, policy)),
  };
}

function unfinished(policy: Policy, story: ClockStory, now: number): SeedClocks {
  const { priority, channel, createdAt } = story;
  const created = { at: iso(createdAt), status: 'open', priority, channel };
  let state = openState(policy, created).state;
  for (const fact of factsOf(story, now)) state = applyFact(state, fact).state;
  const lasting: SlaState = { ...state, clocks: state.clocks.map(forgiven) };
  const written = lasting.clocks.map((clock) => writtenClock(clock, policy));
  return { values: ticketValues(lasting, iso(now)), clocks: written };
}

/** An answer that nobody gave in time was not owed by the workspace: seeded tickets come from elsewhere. */
function forgiven(clock: Clock): Clock {
  const owed = clock.metric === 'resolution' || clock.outcome !== 'breached' || clock.fulfilled_at !== null;
  return owed ? clock : { ...clock, outcome: 'cancelled', breached_at: null };
}

function factsOf({ status, createdAt, heldAt, pausedSeconds, comments }: ClockStory, now: number): Fact[] {
  const facts: (Fact & { ms: number })[] = [];
  const enter = (ms: number, to: string): void => {
    facts.push({ ms, at: iso(ms), type: 'status', to });
  };
  if (pausedSeconds > 0) {
    enter(createdAt, 'on_hold');
    enter(createdAt + pausedSeconds * SECOND_MS, 'in_progress');
  }
  if (heldAt !== null) enter(heldAt, 'on_hold');
  else if (status !== 'open') enter(createdAt + pausedSeconds * SECOND_MS, status);
  for (const { at: ms, author, kind } of comments) {
    facts.push({ ms, at: iso(ms), type: 'comment', author: author.type, is_internal: kind === 'note' });
  }
  facts.sort((a, b) => a.ms - b.ms);
  return [...facts, { at: iso(now), type: 'time' }];
}
