import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../../../platform/context/current';
import { Database } from '../../../../platform/database/database';
import { fail } from '../../../../platform/http/errors';
import { TicketsService } from '../../../tickets/tickets.service';
import { ActionExecutors } from '../action-executors';
import type { Action } from '../rule';
import type { Scene } from '../scene';

/** Gives tickets to people: one that is named, or the one that a strategy finds in a team. */
@Injectable()
export class AssignAction implements OnModuleInit {
  constructor(
    private readonly executors: ActionExecutors,
    private readonly tickets: TicketsService,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.executors.register({
      type: 'assign',
      kind: 'direct',
      needsTicket: true,
      execute: async (action, scene) => {
        const team = typeof action.team_id === 'number' ? action.team_id : null;
        const user = typeof action.user_id === 'number' ? action.user_id : await this.find(action, scene, team);
        const asked = { assigned_to: user, ...(team === null ? {} : { team_id: team }) };
        await this.tickets.update(scene.ticketId, asked);
      },
    });
  }

  private async find({ strategy }: Action, scene: Scene, team: number | null): Promise<number> {
    const teamId = team ?? (scene.record.team_id as number | null);
    const found =
      strategy === 'last_agent'
        ? await this.lastAgent(scene)
        : strategy === 'least_loaded'
          ? await this.leastLoaded(teamId)
          : await this.nextInTurn(teamId);
    const who = teamId === null || strategy === 'last_agent' ? 'agent' : `member of team ${teamId}`;
    return found ?? fail('validation_error', `No ${who} can be given the ticket.`);
  }

  /** Takes turns by id. The row lock lasts until the commit, so two rules at once never pick the same turn. */
  private async nextInTurn(teamId: number | null): Promise<number | null> {
    const values = [currentWorkspaceId(), teamId ?? 0, teamId];
    await this.database.query(`${TURN} DO UPDATE SET last_user_id = automation_turns.last_user_id`, values.slice(0, 2));
    const [row] = await this.database.query<{ last_user_id: number | null }>(
      `UPDATE automation_turns SET last_user_id = coalesce(
         (SELECT min(u.id) FROM users u WHERE ${ELIGIBLE} AND u.id > automation_turns.last_user_id),
         (SELECT min(u.id) FROM users u WHERE ${ELIGIBLE}))
       WHERE workspace_id = $1 AND team_id = $2 RETURNING last_user_id`,
      values,
    );
    return row?.last_user_id ?? null;
  }

  /** The same lock first: what is counted then includes what others have just given. */
  private async leastLoaded(teamId: number | null): Promise<number | null> {
    const values = [currentWorkspaceId(), teamId ?? 0, teamId];
    await this.database.query(`${TURN} DO UPDATE SET last_user_id = automation_turns.last_user_id`, values.slice(0, 2));
    const [row] = await this.database.query<{ id: number }>(
      `SELECT u.id FROM users u WHERE ${ELIGIBLE} AND $2::bigint IS NOT NULL ORDER BY ${OPEN_TICKETS}, u.id LIMIT 1`,
      values,
    );
    return row?.id ?? null;
  }

  /** Who answered on this ticket last, else who had the requester's latest other ticket. */
  private async lastAgent(scene: Scene): Promise<number | null> {
    const [row] = await this.database.query<{ id: number }>(
      `SELECT u.id FROM (
         (SELECT 1 AS rank, c.author_id AS id FROM ticket_comments c
          WHERE c.workspace_id = $1 AND c.ticket_id = $2 AND c.author_type = 'agent' AND c.author_id IS NOT NULL
          ORDER BY c.created_at DESC, c.id DESC LIMIT 1)
         UNION ALL
         (SELECT 2, t.assigned_to FROM tickets t
          WHERE t.workspace_id = $1 AND t.requester_email = $3 AND t.id <> $2 AND t.assigned_to IS NOT NULL
          ORDER BY t.created_at DESC, t.id DESC LIMIT 1)
       ) last JOIN users u ON u.workspace_id = $1 AND u.id = last.id AND u.status = 'active' ORDER BY last.rank LIMIT 1`,
      [currentWorkspaceId(), scene.ticketId, scene.record.requester_email ?? null],
    );
    return row?.id ?? null;
  }
}

const TURN = `INSERT INTO automation_turns (workspace_id, team_id) VALUES ($1, $2) ON CONFLICT (workspace_id, team_id)`;

const OPEN_TICKETS = `(SELECT count(*) FROM tickets t WHERE t.workspace_id = $1 AND t.assigned_to = u.id AND t.status IN ('open', 'in_progress', 'on_hold'))`;

/** Active agents of the team ($3; null = all) who are in and below their limit. */
const ELIGIBLE = `u.workspace_id = $1 AND u.status = 'active' AND u.role <> 'light_agent'
  AND ($3::bigint IS NULL OR u.team_ids @> ARRAY[$3::bigint])
  AND NOT (u.out_of_office IS NOT NULL AND coalesce((u.out_of_office ->> 'from')::timestamptz <= now(), true)
    AND coalesce((u.out_of_office ->> 'to')::timestamptz > now(), true))
  AND (u.max_open_tickets IS NULL OR ${OPEN_TICKETS} < u.max_open_tickets)`;
