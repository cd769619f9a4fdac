import { FIRST_MOMENT, parseTimestamp } from '../../platform/calendar/iso-time';
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
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Reads `?from&to&group_by`; refuses (422) what it cannot read. Dates are days of UTC, `to` excluded. Without `to` the window ends now;
 * without `from` it is 30 days long.
 *
 * @param now ms since 1970
 */
export function complianceQuery(query: Readonly<Record<string, unknown>>, now: number): ComplianceQuery {
  const to = moment('to', query.to) ?? now;
  const from = moment('from', query.from) ?? Math.max(FIRST_MOMENT, to - DEFAULT_DAYS * DAY_MS);
  if (from >= to) invalid('from', 'order', 'from must be before to');
  if (to - from > MAX_DAYS * DAY_MS) invalid('from', 'max', `from must be at most ${MAX_DAYS} days before to`);
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), groupBy: groups(query.group_by) };
}

function moment(name: string, value: unknown): number | null {
  if (value === undefined) return null;
  const text = typeof value === 'string' && DATE.test(value) ? `${value}T00:00:00Z` : value;
  const date = typeof text === 'string' ? parseTimestamp(text) : null;
  return date ? date.getTime() : invalid(name, 'format', `${name} must be a date or an ISO 8601 timestamp with a zone`);
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
