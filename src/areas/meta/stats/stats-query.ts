import { invalid } from '../../../platform/errors/api-error';
import type { Sight } from '../../../platform/context/principal';
import { type ParameterSettings, QueryParameter, WindowParameter } from '../../../platform/query/members';
import { idOf, idOr, me } from '../../../platform/query/values';
import { statsWindow, type StatsWindow } from './stats-window';

/** Parameters of the statistics. */
export class StatsParameters {
  @OwnerParameter(['me', 'none'], { description: 'Id of a user, `me` (the user of the token) or `none`.' })
  assigned_to?: number;

  @OwnerParameter(['none'], { description: 'Id of a team, or `none`.' })
  team_id?: number;

  @WindowParameter('to', {
    description: 'Date (of UTC), which is included, or timestamp, which is not; default: now.',
  })
  to?: number;

  @WindowParameter('from', {
    description: 'Date (of UTC) or timestamp, included; default: everything before `to`.',
  })
  from?: number;
}

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
 * What was asked for; 422 for a window that is none. Without ends it is open on that side.
 *
 * @param now ms since 1970
 */
export function statsQuery({ from, to, team_id, assigned_to }: StatsParameters, now: number): StatsQuery {
  if (from !== undefined && to !== undefined && from >= to) invalid('from', 'order', 'from must be before to');
  if (from !== undefined && from > Date.parse(LAST_FROM)) invalid('from', 'max', `from must not be after ${LAST_FROM}`);
  return {
    window: statsWindow(from ?? null, to ?? null, now),
    team: team_id ?? null,
    assignee: assigned_to ?? null,
  };
}

/**
 * The same for somebody with limits: of `assigned` the own tickets; of `teams` one of their teams, or their own. Counters are kept by
 * team and by assignee, not by every set of teams, so the whole of several teams is asked for team by team.
 */
export function limitedQuery(query: StatsQuery, sight: Sight | null): StatsQuery {
  if (!sight || sight.reach === 'all') return query;
  const { team, assignee } = query;
  const { userId, teamIds, reach } = sight;
  if (assignee === userId) return query;
  if (reach === 'assigned') {
    if (assignee !== null) invalid('assigned_to', 'not_found', 'You see figures of your own tickets only.');
    return { ...query, assignee: userId };
  }
  if (team !== null && teamIds.includes(team)) return query;
  const message = 'You see figures of your teams and of your own tickets: name a team, or "assigned_to=me".';
  invalid('team_id', team === null ? 'required' : 'not_found', message, { allowed: teamIds });
}

/** Whose tickets: an id, or 0 for `none`. */
function OwnerParameter(words: readonly ('me' | 'none')[], settings: ParameterSettings): PropertyDecorator {
  return QueryParameter(settings, idOr(words), (raw, name) => {
    if (raw === '') return undefined;
    if (raw === 'none') return 0;
    if (raw === 'me' && words.includes('me')) return me(name);
    return idOf(raw) ?? invalid(name, 'format', `${name} must be the id of one record, or none`);
  });
}
