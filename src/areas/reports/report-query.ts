import { boundedWindow, type ShownWindow } from '../../platform/calendar/date-window';
import { invalid } from '../../platform/errors/api-error';
import { LocalWindowParameter, QueryParameter } from '../../platform/query/members';
import { items } from '../../platform/query/values';
import { type Group, MOST_GROUPS } from './report-groups';
import { REPORTS } from './report-kinds';

/** 30 days unless asked for; longer windows are asked for in parts. */
const LENGTH = { days: 30, most: 366 };

class Window {
  @LocalWindowParameter('to', {
    description: "Date of the workspace's time zone, which is included, or timestamp, which is not; default: now.",
  })
  to?: number;

  @LocalWindowParameter('from', { description: 'Date or timestamp; default: 30 days before `to`.' })
  from?: number;
}

/** Parameters of `GET /reports/sla`. */
export class SlaReportQuery extends Window {
  @GroupsParameter(REPORTS.sla.groups)
  group_by?: Group[];
}

/** Parameters of `GET /reports/agents`. */
export class AgentReportQuery extends Window {
  @GroupsParameter(REPORTS.agents.groups)
  group_by?: Group[];
}

/** Parameters of `GET /reports/csat`. */
export class CsatReportQuery extends Window {
  @GroupsParameter(REPORTS.csat.groups)
  group_by?: Group[];
}

/** What was asked for of any of them. @param now ms since 1970 */
export function windowOf({ from, to }: Window, now: number): ShownWindow {
  return boundedWindow({ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }, LENGTH, now);
}

function GroupsParameter(allowed: readonly Group[]): PropertyDecorator {
  const item = { type: 'string', enum: [...allowed] };
  return QueryParameter(
    { description: 'A row for each combination of these.' },
    { type: 'array', minItems: 1, maxItems: MOST_GROUPS, items: item, uniqueItems: true },
    (raw, name) => (raw === '' ? undefined : groupsOf(name, items(raw), allowed)),
  );
}

/** These names as groups, in their order. @throws ApiError 422 for others, for one that comes twice, and for too many */
export function groupsOf(field: string, names: readonly string[], allowed: readonly Group[]): Group[] {
  const groups = names.flatMap((name) => allowed.find((group) => group === name) ?? []);
  if (groups.length < names.length || new Set(groups).size < groups.length) {
    const message = `${field} must be a list of different ones of ${allowed.join(', ')}`;
    invalid(field, 'enum', message, { allowed });
  }
  if (groups.length > MOST_GROUPS)
    invalid(field, 'max', `${field} names at most ${MOST_GROUPS} groups`, { max: MOST_GROUPS });
  return groups;
}
