import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/postgres/statement-batch';
import { categorySkills } from '../../categories/category-lookup';
import type { TeamAssignment } from '../../teams/team-assignment';
import { teamAssignment } from '../../teams/team-lookup';
import { type Assignee, Assignment } from '../../users/assignment.service';
import { type Candidate, candidatesOf, type Ranking, ranking, type SharingStrategy } from '../../users/candidates';
import { isDone } from '../ticket-status';
import { lookedAt, type Reason } from './assignment-reason';

/** As much of a ticket as tells who can work on it; of one that is not stored yet, what it will be. */
export interface SharedTicket {
  id: number | null;
  status: string;
  assigned_to: number | null;
  /** What it takes: its own skills and those of its category. */
  skills: readonly string[];
}

/** A stored ticket, as somebody has read it. */
export interface SeenTicket extends Omit<SharedTicket, 'skills'> {
  id: number;
  required_skills: readonly string[];
  category_id: number | null;
}

/** What a search came to: whom the ticket goes to, null when to nobody, and why; `way` is for those to say who asked. */
export interface Search {
  assignee: Assignee | null;
  reason: Omit<Reason, 'way'>;
}

/** Who is asked, and how. */
export interface Asked {
  strategy: SharingStrategy;
  /** Null asks everybody. */
  teamId: number | null;
  /** They are not asked. */
  without?: readonly number[];
}

/** What is looked at to find who is next. */
interface Looked {
  rank: Ranking;
  /** Who has the turn of this very ticket already. */
  kept: number | null;
}

/**
 * Shares tickets out among the members of a team, by one order for every way of asking (`users/candidates.ts`). Who was last is
 * kept with the team, in a row that is held while somebody is chosen: turns are fair, and nobody is over a limit. Within a
 * request that is until its commit, which is near. A rule may have to wait, so its turns are taken beforehand, in a unit of
 * work of their own (`reserve`): as what others are giving at this moment is not committed yet, each leaves a reservation,
 * which counts like an open ticket until the ticket is assigned. The same ticket gets the same turn again.
 */
@Injectable()
export class TicketSharing {
  constructor(
    private readonly database: Database,
    private readonly assignment: Assignment,
  ) {}

  /** Takes the next turn, in the open unit of work. */
  async next(ticket: SharedTicket, asked: Asked): Promise<Search> {
    const { rank } = await this.look(ticket, asked, true);
    const search = await this.firstFree(ticket, asked, rank);
    const values = [currentWorkspaceId(), asked.teamId ?? 0, search.assignee?.id];
    if (search.assignee) await this.database.run([{ text: TURN, values }]);
    return search;
  }

  /** Who would be next, without taking a turn: for rules, where the one that was reserved came to nothing. */
  async would(ticket: SharedTicket, asked: Asked): Promise<Search> {
    const { rank } = await this.look(ticket, asked, false);
    return this.firstFree(ticket, asked, rank);
  }

  /** Takes a turn for a ticket that is assigned within seconds; call it outside any unit of work. */
  reserve({ required_skills, category_id, ...seen }: SeenTicket, asked: Asked): Promise<Search> {
    return this.database.transaction(async () => {
      const ticket = { ...seen, skills: await skillsNeeded(this.database, { required_skills, category_id }) };
      const { rank, kept } = await this.look(ticket, asked, true);
      const again = rank.ranked.find(({ id }) => id === kept);
      const next = again ?? rank.ranked[0];
      if (next && !again) {
        const values = [currentWorkspaceId(), asked.teamId ?? 0, next.id];
        const reservation = { text: RESERVE, values: [...values, ticket.id] };
        const old = { text: FORGET_OLD, values: values.slice(0, 1) };
        await this.database.run([old, { text: TURN, values }, reservation], true);
      }
      return searched(next, asked, rank);
    });
  }

  /** Whoever has been found can be given it still; holds them. */
  isFree(id: number, { status, assigned_to, skills }: SharedTicket): Promise<boolean> {
    return this.assignment.isFree(id, { skills, tickets: id === assigned_to || isDone(status) ? 0 : 1 });
  }

  /** Who answered on the ticket last, else who had the requester's latest other one; the first who can take it. */
  async lastAgent(ticket: SharedTicket & { id: number }, requesterEmail: string | null): Promise<Search> {
    const values = [currentWorkspaceId(), ticket.id, requesterEmail];
    const rows = await this.database.query<{ id: number }>(LAST_AGENTS, values);
    for (const { id } of rows) {
      const tickets = id === ticket.assigned_to || isDone(ticket.status) ? 0 : 1;
      const assignee = await this.assignment.toIfPossible(id, { skills: ticket.skills, tickets });
      if (assignee) return { assignee, reason: { strategy: 'last_agent' } };
    }
    return { assignee: null, reason: { strategy: 'last_agent', candidates: rows.length } };
  }

  private async firstFree(ticket: SharedTicket, asked: Asked, rank: Ranking): Promise<Search> {
    for (const each of rank.ranked) if (await this.isFree(each.id, ticket)) return searched(each, asked, rank);
    return searched(undefined, asked, rank);
  }

  /** @param takes whether the row of the team is held, so that nobody else takes a turn until the commit */
  private async look(
    { id, skills }: SharedTicket,
    { strategy, teamId, without = [] }: Asked,
    takes: boolean,
  ): Promise<Looked> {
    const key = [currentWorkspaceId(), teamId ?? 0];
    const team = [currentWorkspaceId(), teamId, id];
    const queries = {
      state: sql<{ last: number | null; kept: number | null; assignment: TeamAssignment | null }>(STATE, team),
      candidates: sql<Candidate>(candidatesOf('$2', LOAD), team),
    };
    // Each statement sees what was committed while the one before waited.
    const { state, candidates } = await this.database.batch(
      takes ? { turn: sql<object>(HOLD_TURN, key), ...queries } : queries,
    );
    const [row] = state;
    const most = row?.assignment?.max_open_per_agent ?? null;
    const at = Date.parse(await this.database.moment());
    const asked = candidates.filter((candidate) => !without.includes(candidate.id));
    return { rank: ranking(asked, { skills, at, strategy, last: row?.last ?? 0, most }), kept: row?.kept ?? null };
  }
}

/** What it takes to work on a ticket, its category included. Inside a unit of work. */
export async function skillsNeeded(
  database: Database,
  { required_skills, category_id }: { required_skills: readonly string[]; category_id: number | null },
): Promise<string[]> {
  const others = category_id === null ? [] : await categorySkills(database, category_id);
  return [...new Set([...required_skills, ...others])];
}

function searched(first: Ranking['ranked'][number] | undefined, { strategy }: Asked, rank: Ranking): Search {
  return {
    assignee: first ? { id: first.id, reassigned_from: null, lacks: [] } : null,
    reason: { strategy, ...lookedAt(rank), ...(first ? { presence: first.presence } : {}) },
  };
}

/** A ticket that was to be assigned is assigned within seconds, or its turn was lost. */
const KEPT = `interval '2 minutes'`;

const OPEN = `('open', 'in_progress', 'on_hold')`;

/** Tickets in a user's hands, and those on their way there, all but the one that is to be given (`$3`). */
const LOAD = (user: string): string => `(
  (SELECT count(*) FROM tickets t WHERE t.workspace_id = $1 AND t.assigned_to = ${user} AND t.status IN ${OPEN} AND t.id IS DISTINCT FROM $3::bigint) +
  (SELECT count(*) FROM automation_reservations r JOIN tickets t ON t.workspace_id = $1 AND t.id = r.ticket_id
   WHERE r.workspace_id = $1 AND r.user_id = ${user} AND r.reserved_at >= now() - ${KEPT} AND t.assigned_to IS DISTINCT FROM ${user}
     AND t.status IN ${OPEN} AND t.id IS DISTINCT FROM $3::bigint))`;

const HOLD_TURN = `
  INSERT INTO automation_turns (workspace_id, team_id) VALUES ($1, $2)
  ON CONFLICT (workspace_id, team_id) DO UPDATE SET last_user_id = automation_turns.last_user_id`;

const FORGET_OLD = `DELETE FROM automation_reservations WHERE workspace_id = $1 AND reserved_at < now() - ${KEPT}`;

const STATE = `
  SELECT (SELECT last_user_id FROM automation_turns WHERE workspace_id = $1 AND team_id = coalesce($2::bigint, 0)) AS last,
    (SELECT user_id FROM automation_reservations WHERE workspace_id = $1 AND ticket_id = $3::bigint
       AND team_id = coalesce($2::bigint, 0) AND reserved_at >= now() - ${KEPT}) AS kept,
    ${teamAssignment('$2::bigint')} AS assignment`;

const TURN = `UPDATE automation_turns SET last_user_id = $3 WHERE workspace_id = $1 AND team_id = $2`;

const RESERVE = `
  INSERT INTO automation_reservations (workspace_id, ticket_id, team_id, user_id) VALUES ($1, $4, $2, $3)
  ON CONFLICT (workspace_id, ticket_id) DO UPDATE SET team_id = excluded.team_id, user_id = excluded.user_id, reserved_at = now()`;

const LAST_AGENTS = `
  SELECT id FROM (
    (SELECT 1 AS rank, c.author_id AS id FROM ticket_comments c
     WHERE c.workspace_id = $1 AND c.ticket_id = $2 AND c.author_type = 'agent' AND NOT c.is_internal AND c.author_id IS NOT NULL
     ORDER BY c.created_at DESC, c.id DESC LIMIT 1)
    UNION ALL
    (SELECT 2, t.assigned_to FROM tickets t
     WHERE t.workspace_id = $1 AND t.requester_email = $3 AND t.id <> $2 AND t.assigned_to IS NOT NULL
     ORDER BY t.created_at DESC, t.id DESC LIMIT 1)
  ) last ORDER BY rank`;
