import { windowEdge } from '../../platform/calendar/date-window';
import { FIRST_MOMENT } from '../../platform/calendar/iso-time';
import { invalid } from '../../platform/http/errors';

export const COMPLIANCE_GROUPS = ['metric', 'priority', 'team', 'agent'] as const;

export type ComplianceGroup = (typeof COMPLIANCE_GROUPS)[number];

/** Which decisions to count: those in `[from, to)`, ISO 8601. */
export interface ComplianceQuery {
  readonly from: string;
  readonly to: string;
  /** In the order in which groups are sorted; empty = only the total. */
  readonly groupBy: readonly ComplianceGroup[];
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
/** Longer windows are asked for in parts. */
const MAX_DAYS = 366;

/**
 * Reads `?from&to&group_by`; refuses (422) what it cannot read. Dates are days of UTC, both included; a moment as `to` is excluded. Without `to` the window ends now;
 * without `from` it is 30 days long.
 *
 * @param now ms since 1970
 */
export function complianceQuery(query: Readonly<Record<string, unknown>>, now: number): ComplianceQuery {
  const to = windowEdge('to', query.to) ?? now;
  const from = windowEdge('from', query.from) ?? Math.max(FIRST_MOMENT, to - DEFAULT_DAYS * DAY_MS);
  if (from >= to) invalid('from', 'order', 'from must be before to');
  if (to - from > MAX_DAYS * DAY_MS) invalid('from', 'max', `from must be at most ${MAX_DAYS} days before to`);
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), groupBy: groups(query.group_by) };
}

function groups(value: unknown): ComplianceGroup[] {
  if (value === undefined || value === '') return [];
  const names = typeof value === 'string' ? value.split(',').map((name) => name.trim()) : [''];
  const known = names.filter((name): name is ComplianceGroup => COMPLIANCE_GROUPS.some((group) => group === name));
  if (known.length < names.length || new Set(known).size < known.length) {
    const message = 'group_by must be a comma-separated list of different ones of metric, priority, team, agent';
    invalid('group_by', 'enum', message, { allowed: COMPLIANCE_GROUPS });
  }
  return known;
}
