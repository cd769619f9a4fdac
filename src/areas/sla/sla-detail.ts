import { current, dueMoments, rollup, view } from './clock-view';
import type { Clock } from './clock-types';
import type { Policy } from './policy-match';
import type { StoredClocks } from './sla-transition';
import type { HistoryLine, SlaDetail } from './sla-answer';

/** A line of the history as it is stored; moments in any of PostgreSQL's forms. */
export interface HistoryRow {
  at: string;
  change: string;
  metric: string;
  instance_no: number;
  old_due_at: string | null;
  new_due_at: string | null;
  cause: string;
}

/** A policy; its name is null where the caller may not read policies. */
type ShownPolicy = Omit<Policy, 'policy_name'> & { readonly policy_name: string | null };

/** Clocks whose policy is gone for the moment are shown around the clock. */
const BETWEEN_POLICIES: Pick<Policy, 'schedule'> = { schedule: { mode: '24x7' } };

/** Everything about the clocks of a ticket at `now` (ms), without waiting for a worker. */
export function slaDetail(
  { state }: StoredClocks,
  policy: ShownPolicy | null,
  matchedBy: string,
  history: readonly HistoryRow[],
  now: number,
): SlaDetail {
  const clocks = state.clocks.map((clock) => current(clock, now));
  const lines = history.map(line);
  const { schedule } = policy ?? {};
  return {
    policy: policy && {
      id: policy.policy_id,
      name: policy.policy_name,
      version: policy.policy_version,
      matched_by: matchedBy,
    },
    schedule: schedule ? { mode: schedule.mode, timezone: schedule.timezone ?? null } : null,
    sla_status: rollup(clocks, now),
    next_due_at: dueMoments(clocks).next_due_at,
    clocks: clocks.map((clock) => view(clock, policy ?? BETWEEN_POLICIES, now)),
    history: [...clocks.map((clock) => started(clock, lines)), ...lines].sort((a, b) =>
      a.at < b.at ? -1 : a.at > b.at ? 1 : 0,
    ),
  };
}

/** The start of a clock is not stored as a line: the clock tells it. */
function started(
  { metric, instance_no: instance, started_at, due_at }: Clock,
  lines: readonly HistoryLine[],
): HistoryLine {
  const first = lines.find((each) => each.metric === metric && each.instance === instance);
  const cause = metric === 'next_response' ? 'comment' : 'created';
  return {
    at: started_at,
    change: 'started',
    metric,
    instance,
    old_due_at: null,
    new_due_at: first ? first.old_due_at : due_at,
    cause,
  };
}

function line({ at, change, metric, instance_no: instance, old_due_at, new_due_at, cause }: HistoryRow): HistoryLine {
  return {
    at: iso(at) ?? at,
    change,
    metric,
    instance,
    old_due_at: iso(old_due_at),
    new_due_at: iso(new_due_at),
    cause,
  };
}

const iso = (moment: string | null): string | null => (moment === null ? null : new Date(moment).toISOString());
