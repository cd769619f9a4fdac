import { windowEdge } from '../../../platform/calendar/date-window';
import { invalid } from '../../../platform/http/errors';
import { statsWindow, type StatsWindow } from './stats-window';

/** What the statistics are about. */
export interface StatsQuery {
  window: StatsWindow;
  /** Id of a team; 0 = tickets without one, null = all. */
  team: number | null;
  /** Id of a user; 0 = tickets without one, null = all. */
  assignee: number | null;
}

/** The window is cut at whole months of UTC; later than this the next one would begin in the year 10000. */
const LAST_FROM = '9999-12-01';

/**
 * Reads `?from&to&team_id&assigned_to`; refuses (422) what it cannot read. Dates are days of UTC, both included; a moment as `to` is excluded. Without them the
 * window is open on that side.
 *
 * @param userId of the token, for `me`
 * @param now ms since 1970
 */
export function statsQuery(query: Readonly<Record<string, unknown>>, userId: number | null, now: number): StatsQuery {
  const from = windowEdge('from', query.from);
  const to = windowEdge('to', query.to);
  if (from !== null && to !== null && from >= to) invalid('from', 'order', 'from must be before to');
  if (from !== null && from > Date.parse(LAST_FROM)) invalid('from', 'max', `from must not be after ${LAST_FROM}`);
  return {
    window: statsWindow(from, to, now),
    team: idOf('team_id', query.team_id),
    assignee: query.assigned_to === 'me' ? mine(userId) : idOf('assigned_to', query.assigned_to),
  };
}

function idOf(name: string, value: unknown): number | null {
  if (value === undefined || value === '') return null;
  if (value === 'none') return 0;
  const id = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : NaN;
  if (!Number.isSafeInteger(id) || id < 1) invalid(name, 'format', `${name} must be the id of one record, or none`);
  return id;
}

function mine(userId: number | null): number {
  return userId ?? invalid('assigned_to', 'not_found', '"assigned_to=me" needs a token that belongs to a user.');
}
