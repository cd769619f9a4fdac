/** What the rows of a report may be, and what is asked of the database for it. */
export interface GroupSpec {
  /** SQL of the key, over the facts `f` and, where `ofTicket`, their ticket `t`; `$4` is the time zone. */
  sql: string;
  /** Member of a row that has the key. */
  member: string;
  /** SQL type of the key. */
  type: 'text' | 'bigint';
  /** The ticket is asked for, as it is now. */
  ofTicket?: boolean;
  /** Table whose `name` belongs to the key, and the member that has it. */
  named?: { table: string; member: string };
}

const local = 'f.at AT TIME ZONE $4::text';

/** Groups of the reports, in the order of the documentation. Teams and agents are those of the moment of the fact. */
export const GROUPS = {
  day: { sql: `to_char(${local}, 'YYYY-MM-DD')`, member: 'day', type: 'text' },
  week: { sql: `to_char(date_trunc('week', ${local}), 'YYYY-MM-DD')`, member: 'week', type: 'text' },
  month: { sql: `to_char(${local}, 'YYYY-MM')`, member: 'month', type: 'text' },
  metric: { sql: 'f.metric', member: 'metric', type: 'text' },
  team: { sql: 'f.team_id', member: 'team_id', type: 'bigint', named: { table: 'teams', member: 'team' } },
  agent: { sql: 'f.agent_id', member: 'agent_id', type: 'bigint', named: { table: 'users', member: 'agent' } },
  priority: { sql: 'coalesce(f.priority, t.priority)', member: 'priority', type: 'text', ofTicket: true },
  category: {
    sql: 't.category_id',
    member: 'category_id',
    type: 'bigint',
    ofTicket: true,
    named: { table: 'categories', member: 'category' },
  },
  channel: { sql: 't.channel', member: 'channel', type: 'text', ofTicket: true },
  company: {
    sql: 't.company_id',
    member: 'company_id',
    type: 'bigint',
    ofTicket: true,
    named: { table: 'companies', member: 'company' },
  },
} as const satisfies Record<string, GroupSpec>;

export type Group = keyof typeof GROUPS;

/** What a group is, for whom its own literal is too narrow. */
export function groupSpec(group: Group): GroupSpec {
  return GROUPS[group];
}

/** Groups of every report. */
export const COMMON_GROUPS = [
  'day',
  'week',
  'month',
  'team',
  'agent',
  'priority',
  'category',
  'channel',
  'company',
] as const satisfies readonly Group[];

/** Most groups of one report. */
export const MOST_GROUPS = 3;
