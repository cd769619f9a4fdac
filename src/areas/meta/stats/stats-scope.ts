import { Parameters } from '../../../platform/database/parameters';
import type { StatsQuery } from './stats-query';
import type { Span } from './stats-window';

const ANY = -1;
/** So few values are sorted faster than their buckets are counted. */
const FEW = 5_000;

/** SQL of the conditions that a request for statistics puts on the tables, and the parameters behind them. */
export class StatsScope {
  readonly parameters: Parameters;
  private readonly team: string | null;
  private readonly assignee: string | null;
  private readonly days: readonly { from: string | null; to: string | null }[];

  constructor(
    workspaceId: number,
    readonly query: StatsQuery,
    /** Up to so many values are sorted, where that is cheaper than finding their place by counting. */
    readonly few = FEW,
  ) {
    this.parameters = new Parameters(workspaceId);
    this.team = this.id(query.team);
    this.assignee = this.id(query.assignee);
    this.days = query.window.days === null ? [] : [this.bound(query.window.days, 'date')];
  }

  /** Whether only some of the tickets are wanted, by team or assignee. */
  get isNarrowed(): boolean {
    return this.team !== null || this.assignee !== null;
  }

  /** The rows of a counter: those of this very team and assignee, or of any. */
  folded(alias: string): string {
    return `${alias}.workspace_id = $1 AND ${alias}.team_id = ${this.team ?? ANY} AND ${alias}.assigned_to = ${this.assignee ?? ANY}`;
  }

  /** Rows in which 0 stands for none. */
  counted(alias: string): string {
    return this.conditions(alias, 'team_id', 'assigned_to', (column, value) => `${column} = ${value}`);
  }

  /** Rows in which null stands for none. */
  stored(alias: string, teamColumn = 'team_id', assigneeColumn = 'assigned_to'): string {
    const { team, assignee } = this.query;
    return this.conditions(alias, teamColumn, assigneeColumn, (column, value) =>
      (column.endsWith(teamColumn) ? team : assignee) === 0 ? `${column} IS NULL` : `${column} = ${value}`,
    );
  }

  /** Whether a day of the counters is one of the whole days of the window. */
  isWholeDay(column: string): string {
    return this.days.length === 0 ? 'false' : this.days.map((span) => within(column, span)).join(' OR ');
  }

  /** Whether a day, or the first day of a month, is in a span. */
  daysWithin(column: string, span: Span): string {
    return within(column, this.bound(span, 'date'));
  }

  /** Whether a moment is in a span. */
  momentsWithin(column: string, span: Span): string {
    return within(column, this.bound(span, 'timestamptz'));
  }

  private id(value: number | null): string | null {
    return value === null ? null : `${this.parameters.bind(value)}::bigint`;
  }

  private bound({ from, to }: Span, type: 'date' | 'timestamptz'): { from: string | null; to: string | null } {
    const bind = (ms: number | null): string | null =>
      ms === null ? null : `${this.parameters.bind(momentText(ms, type))}::${type}`;
    return { from: bind(from), to: bind(to) };
  }

  private conditions(
    alias: string,
    teamColumn: string,
    assigneeColumn: string,
    equal: (column: string, value: string) => string,
  ): string {
    const parts = [`${alias}.workspace_id = $1`];
    if (this.team !== null) parts.push(equal(`${alias}.${teamColumn}`, this.team));
    if (this.assignee !== null) parts.push(equal(`${alias}.${assigneeColumn}`, this.assignee));
    return parts.join(' AND ');
  }
}

/** Days are those of UTC. */
function momentText(ms: number, type: 'date' | 'timestamptz'): string {
  const text = new Date(ms).toISOString();
  return type === 'date' ? text.slice(0, 10) : text;
}

function within(column: string, { from, to }: { from: string | null; to: string | null }): string {
  const parts = [from === null ? null : `${column} >= ${from}`, to === null ? null : `${column} < ${to}`];
  const limits = parts.filter((part) => part !== null);
  return limits.length === 0 ? 'true' : `(${limits.join(' AND ')})`;
}
