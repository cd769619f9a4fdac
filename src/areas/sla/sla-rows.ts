import type { Clock, Note } from './clock-types';

/** A clock with what the database keeps about it besides. */
export interface WrittenClock extends Clock {
  policy_id: number | null;
  policy_version: number;
  /** When time alone changes it; null = never. */
  next_check_at: string | null;
  decided_at: string | null;
}

/** When a step of a policy is to be taken for a clock. */
export interface EscalationRow {
  policy_id: number;
  metric: string;
  instance_no: number;
  /** See `stepNumbers`. */
  step: number;
  /** Null = not, as far as is known. */
  fire_at: string | null;
  /** Set for a step that comes to nothing, unless it was planned before: its moment was past when the policy got it. */
  fired_at: string | null;
}

/** What is written about the clocks of one ticket. */
export interface ClockRows {
  clocks: readonly WrittenClock[];
  history: readonly Note[];
  escalations: readonly EscalationRow[];
}

/** The same for one ticket among many. */
export interface TicketRows extends ClockRows {
  workspace_id: number;
  ticket_id: number;
}

/** Columns of a clock, with their types. */
export const CLOCK = {
  policy_id: 'bigint',
  policy_version: 'integer',
  metric: 'text',
  instance_no: 'integer',
  priority_applied: 'text',
  target_seconds: 'bigint',
  started_at: 'timestamptz',
  pauses: 'jsonb',
  due_at: 'timestamptz',
  at_risk_at: 'timestamptz',
  at_risk_notified: 'boolean',
  fulfilled_at: 'timestamptz',
  breached_at: 'timestamptz',
  outcome: 'text',
  figures: 'jsonb',
  next_check_at: 'timestamptz',
  decided_at: 'timestamptz',
};
const HISTORY = {
  at: 'timestamptz',
  change: 'text',
  metric: 'text',
  instance_no: 'integer',
  old_due_at: 'timestamptz',
  new_due_at: 'timestamptz',
  cause: 'text',
};
const ESCALATION = {
  policy_id: 'bigint',
  metric: 'text',
  instance_no: 'integer',
  step: 'integer',
  fire_at: 'timestamptz',
  fired_at: 'timestamptz',
};
/** The policy that was not kept stays the one that was not kept. */
const BROKEN_UNDER =
  'policy_id = CASE WHEN sla_clocks.breached_at IS NOT NULL THEN sla_clocks.policy_id ELSE excluded.policy_id END';
/** Nobody is to blame before the decision, and later owners are not either. */
const OWNER = (column: string): string =>
  `${column} = CASE WHEN sla_clocks.decided_at IS NOT DISTINCT FROM excluded.decided_at THEN sla_clocks.${column} ELSE excluded.${column} END`;

/** What becomes of a row that is there: `ON CONFLICT …`, or nothing where none can be. */
interface Conflicts {
  clocks: string;
  escalations: string;
}

const NEW: Conflicts = { clocks: '', escalations: '' };
const UPDATES = Object.keys(CLOCK)
  .filter((name) => !['metric', 'instance_no', 'policy_id'].includes(name))
  .map((name) => `${name} = excluded.${name}`);
const CHANGED: Conflicts = {
  clocks: `ON CONFLICT (workspace_id, ticket_id, metric, instance_no) DO UPDATE SET ${[...UPDATES, BROKEN_UNDER, OWNER('team_id'), OWNER('agent_id')].join(', ')}`,
  escalations: `ON CONFLICT (workspace_id, ticket_id, policy_id, metric, instance_no, step) DO UPDATE SET fire_at = excluded.fire_at WHERE sla_escalations.fired_at IS NULL`,
};

/**
 * SQL (members of a WITH list) that writes clocks, history and escalations of the one ticket in the CTE `t`.
 *
 * @param bind adds a parameter and returns its placeholder
 */
export function clockMembers(bind: (value: unknown) => string, rows: ClockRows): string {
  return membersOver('', (list) => list, bind, [rows], CHANGED);
}

/** The same for a ticket that `t` creates: it has none of them yet, so there is nothing that each row would have to be held against. */
export function newClockMembers(bind: (value: unknown) => string, rows: ClockRows): string {
  return membersOver('', (list) => list, bind, [rows], NEW);
}

/** The same for many tickets, of any workspaces, in the CTE `t`. */
export function clockMembersOfMany(bind: (value: unknown) => string, rows: readonly TicketRows[]): string {
  const own = 'workspace_id bigint, ticket_id bigint, ';
  return membersOver(
    own,
    (list, { workspace_id, ticket_id }) => list.map((row) => ({ workspace_id, ticket_id, ...row })),
    bind,
    rows,
    CHANGED,
  );
}

function membersOver<R extends ClockRows>(
  own: string,
  named: (list: readonly object[], rows: R) => readonly object[],
  bind: (value: unknown) => string,
  all: readonly R[],
  conflicts: Conflicts,
): string {
  const join = own === '' ? 'true' : 'v.workspace_id = t.workspace_id AND v.ticket_id = t.id';
  const part = (
    table: string,
    columns: object,
    pick: (rows: R) => readonly object[],
    extra: string,
    conflict: string,
  ): string[] => {
    const list = all.flatMap((rows) => named(pick(rows), rows));
    if (list.length === 0) return [];
    const names = Object.keys(columns);
    const types = Object.entries(columns).map(([name, type]) => `${name} ${String(type)}`);
    const more = extra === '' ? ['', ''] : [`, team_id, agent_id`, extra];
    return [
      `written_${table} AS (INSERT INTO ${table} (workspace_id, ticket_id, ${names.join(', ')}${more[0]}) ` +
        `SELECT t.workspace_id, t.id, ${names.map((name) => `v.${name}`).join(', ')}${more[1]} ` +
        `FROM t JOIN json_to_recordset(${bind(JSON.stringify(list))}::json) AS v(${own}${types.join(', ')}) ON ${join} ${conflict})`,
    ];
  };
  const owner = `, CASE WHEN v.decided_at IS NOT NULL THEN t.team_id END, CASE WHEN v.decided_at IS NOT NULL THEN t.assigned_to END`;
  return [
    ...part('sla_clocks', CLOCK, ({ clocks }) => clocks, owner, conflicts.clocks),
    ...part('sla_history', HISTORY, ({ history }) => history, '', ''),
    ...part('sla_escalations', ESCALATION, ({ escalations }) => escalations, '', conflicts.escalations),
  ].join(', ');
}
