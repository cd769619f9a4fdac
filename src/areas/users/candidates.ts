import type { Schedule } from '../../platform/calendar/schedule';
import { workingTime } from '../../platform/calendar/working-time';

/** What of an agent decides whether they can be given a ticket at all. */
export interface Agent {
  id: number;
  status: string;
  role: string;
  out_of_office: { from?: string; to?: string; replacement_user_id?: number; reassign_open_tickets?: boolean } | null;
  skills: readonly string[];
  max_open_tickets: number | null;
}

/** The same, with what decides whether somebody else comes first. */
export interface Candidate extends Agent {
  availability: Exclude<Presence, 'outside_hours'>;
  /** Their own hours; null when nobody told any: then they are never outside of them. */
  schedule: Schedule | null;
  /** Tickets that are open in their hands, or on the way there. */
  open: number;
}

/** Ways of sharing tickets out, in which whoever is next depends on who was last. */
export const SHARING = ['round_robin', 'least_loaded'] as const;
export type SharingStrategy = (typeof SHARING)[number];

/** What is sought for a ticket. */
export interface Sought {
  /** Every one of them is needed; lower case. */
  skills: readonly string[];
  /** The moment, ms since 1970. */
  at: number;
  strategy: SharingStrategy;
  /** Who was given something last; 0 = nobody yet. */
  last: number;
  /** Most open tickets of each, besides limits of their own; null = no limit. */
  most: number | null;
}

/** Why somebody was passed over. */
export const OBSTACLES = ['not_active', 'light_agent', 'out_of_office', 'lacks_skills', 'no_room'] as const;
export type Obstacle = (typeof OBSTACLES)[number];

/** How well somebody can be met, best first. */
export const PRESENCES = ['online', 'offline', 'away', 'outside_hours'] as const;
export type Presence = (typeof PRESENCES)[number];

export interface Ranking {
  /** Who can be given the ticket, first who should be. */
  ranked: { id: number; presence: Presence }[];
  passedOver: { id: number; obstacle: Obstacle }[];
}

/** Of the skills those that somebody has not. */
export function lacking(needed: readonly string[], { skills }: Pick<Agent, 'skills'>): string[] {
  return needed.filter((skill) => !skills.includes(skill));
}

/** Whether an absence lasts at a moment (ms since 1970): from its beginning, its end excluded. */
export function isAbsent({ out_of_office: away }: Pick<Agent, 'out_of_office'>, at: number): boolean {
  if (!away) return false;
  const began = away.from === undefined || Date.parse(away.from) <= at;
  const ended = away.to !== undefined && Date.parse(away.to) <= at;
  return began && !ended;
}

/** Why somebody who was not named cannot be given a ticket, whatever they have to do; null when they can. */
export function unfitness(agent: Agent, { skills, at }: Pick<Sought, 'skills' | 'at'>): Obstacle | null {
  if (agent.status !== 'active') return 'not_active';
  if (agent.role === 'light_agent') return 'light_agent';
  if (isAbsent(agent, at)) return 'out_of_office';
  return lacking(skills, agent).length > 0 ? 'lacks_skills' : null;
}

/**
 * Who should be given a ticket, among all who might: those who cannot are passed over, each for one reason. Of the others come
 * first who is online, then offline (as everybody is until they say something else), then away, and last who is outside their
 * hours; among equals the strategy's order: by turns from whoever was last, or who has least to do.
 */
export function ranking(candidates: readonly Candidate[], sought: Sought): Ranking {
  const passedOver: Ranking['passedOver'] = [];
  const able: { candidate: Candidate; presence: Presence; place: number }[] = [];
  for (const candidate of candidates) {
    const obstacle = unfitness(candidate, sought) ?? (hasRoom(candidate, sought.most) ? null : 'no_room');
    if (obstacle) passedOver.push({ id: candidate.id, obstacle });
    else able.push({ candidate, ...presenceOf(candidate, sought.at) });
  }
  const load = sought.strategy === 'least_loaded' ? ({ open }: Candidate): number => open : (): number => 0;
  const waits = ({ id }: Candidate): number => Number(id <= sought.last);
  able.sort(
    ({ candidate: a, place: first }, { candidate: b, place: second }) =>
      first - second || load(a) - load(b) || waits(a) - waits(b) || a.id - b.id,
  );
  return { ranked: able.map(({ candidate: { id }, presence }) => ({ id, presence })), passedOver };
}

function hasRoom({ max_open_tickets: own, open }: Candidate, most: number | null): boolean {
  return open < Math.min(own ?? Infinity, most ?? Infinity);
}

/** Outside their hours people come in the same order among themselves. */
function presenceOf({ availability, schedule }: Candidate, at: number): { presence: Presence; place: number } {
  const place = PRESENCES.indexOf(availability);
  const isOutside = schedule !== null && !workingTime(schedule).isOpen(at);
  return isOutside ? { presence: 'outside_hours', place: PRESENCES.length + place } : { presence: availability, place };
}

/**
 * SQL of everybody who might be given tickets of a team, or of the workspace; columns of `Candidate`. `$1` is the workspace.
 *
 * @param team SQL of the team's id; NULL asks everybody
 * @param load SQL of how many tickets are open in the hands of a user, given SQL of their id
 */
export function candidatesOf(team: string, load: (user: string) => string): string {
  return `SELECT u.id, u.status, u.role, u.availability, u.out_of_office, u.schedule, u.skills, u.max_open_tickets, ${load('u.id')} AS open
    FROM users u WHERE u.workspace_id = $1 AND u.status <> 'deactivated'
      AND (${team}::bigint IS NULL OR u.team_ids @> ARRAY[${team}::bigint]) ORDER BY u.id`;
}
