import { boundedWindow, type ShownWindow } from '../../platform/calendar/date-window';
import { QueryParameter, WindowParameter } from '../../platform/query/members';
import { invalid } from '../../platform/errors/api-error';
import { items } from '../../platform/query/values';

export const COMPLIANCE_GROUPS = ['metric', 'priority', 'team', 'agent'] as const;

export type ComplianceGroup = (typeof COMPLIANCE_GROUPS)[number];

/** Which decisions to count: those of the window. */
export interface ComplianceScope extends ShownWindow {
  /** In the order in which groups are sorted; empty = only the total. */
  readonly groupBy: readonly ComplianceGroup[];
}

/** 30 days unless asked for; longer windows are asked for in parts. */
const LENGTH = { days: 30, most: 366 };

/** Parameters of the compliance. */
export class ComplianceQuery {
  @GroupsParameter()
  group_by?: ComplianceGroup[];

  @WindowParameter('to', { description: 'Date, which is included, or timestamp, which is not; default: now.' })
  to?: number;

  @WindowParameter('from', { description: 'Date or timestamp; default: 30 days before `to`.' })
  from?: number;
}

/**
 * What is to be counted.
 *
 * @param now ms since 1970
 */
export function complianceScope(query: ComplianceQuery, now: number): ComplianceScope {
  return { ...boundedWindow(query, LENGTH, now), groupBy: query.group_by ?? [] };
}

function GroupsParameter(): PropertyDecorator {
  const item = { type: 'string', enum: [...COMPLIANCE_GROUPS] };
  return QueryParameter(
    { description: 'A row for each combination of these; only the total without.' },
    { type: 'array', minItems: 1, maxItems: COMPLIANCE_GROUPS.length, items: item, uniqueItems: true },
    (raw, name) => (raw === '' ? [] : groups(raw, name)),
  );
}

function groups(raw: string, name: string): ComplianceGroup[] {
  const names = items(raw);
  const known = COMPLIANCE_GROUPS.filter((group) => names.includes(group));
  if (known.length < names.length) {
    const message = `${name} must be a comma-separated list of different ones of ${COMPLIANCE_GROUPS.join(', ')}`;
    invalid(name, 'enum', message, { allowed: COMPLIANCE_GROUPS });
  }
  return known.sort((a, b) => names.indexOf(a) - names.indexOf(b));
}
