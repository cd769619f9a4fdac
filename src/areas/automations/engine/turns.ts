import { Injectable } from '@nestjs/common';
import type { Action } from '../../../platform/area/rules';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/postgres/statement-batch';
import { isOneOf } from '../../../platform/text/json';
import type { Turn } from './rule';
import type { RuleContext } from './rule-context';

/** As much of a context as tells whose turn it is. */
export type TicketContext = Pick<RuleContext, 'object' | 'objectId' | 'record'>;

/** Strategies in which tickets are shared out, so that whoever is next depends on who was last. */
const SHARED = ['round_robin', 'least_loaded'];

/**
 * Shares tickets out among the members of a team. A turn is taken in a unit of work of its own, a single round trip, and is
 * over before the rule begins: the row of the team is never held while a rule waits or works. Because what others are
 * giving at this moment is not committed yet, each turn leaves a reservation, which counts like an open ticket until the
 * ticket is assigned. The same ticket gets the same turn again, so that a rule that is done again costs nobody a turn.
 */
@Injectable()
export class Turns {
  constructor(private readonly database: Database) {}

  /** Takes the turns that a rule may need; call it outside any unit of work. */
  async take(actions: readonly Action[], context: TicketContext): Promise<ReadonlyMap<Action, Turn>> {
    const turns = new Map<Action, Turn>();
    if (context.object !== 'ticket') return turns;
    for (const [index, action] of actions.entries()) {
      const { type, strategy } = action;
      if (type !== 'assign' || !isOneOf(SHARED, strategy)) continue;
      const team_id = teamOf(action, actions.slice(0, index), context);
      turns.set(action, { team_id, user_id: await this.next(strategy, team_id, context.objectId) });
    }
    return turns;
  }

  /** Who would be next, in the open unit of work, without taking a turn: for dry runs, and where a turn came to nothing. */
  async look(strategy: string, teamId: number | null, without: readonly number[] = []): Promise<number | null> {
    const [row] = await this.database.query<{ id: number }>(
      `SELECT u.id FROM users u LEFT JOIN automation_turns n ON n.workspace_id = $1 AND n.team_id = coalesce($2::bigint, 0)
       WHERE ${eligible('$2')} AND NOT u.id = ANY($3::bigint[]) ORDER BY ${order(strategy, 'n.last_user_id')} LIMIT 1`,
      [currentWorkspaceId(), teamId, without],
    );
    return row?.id ?? null;
  }

  private async next(strategy: string, teamId: number | null, ticketId: number): Promise<number | null> {
    const values = [currentWorkspaceId(), teamId ?? 0];
    return this.database.transaction(async () => {
      const found = await this.database.batch(
        {
          turn: {
            text: `INSERT INTO automation_turns (workspace_id, team_id) VALUES ($1, $2)
              ON CONFLICT (workspace_id, team_id) DO UPDATE SET last_user_id = automation_turns.last_user_id`,
            values,
          },
          old: {
            text: `DELETE FROM automation_reservations WHERE workspace_id = $1 AND reserved_at < now() - ${KEPT}`,
            values: values.slice(0, 1),
          },
          next: sql<{ id: number }>(NEXT(strategy), [...values, teamId, ticketId]),
        },
        true,
      );
      return found.next[0]?.id ?? null;
    });
  }
}

/** The team whose members are asked: the action's own, else the one that the ticket will be in by then; null = everybody. */
export function teamOf(action: Action, earlier: readonly Action[], context: TicketContext): number | null {
  if (typeof action.team_id === 'number') return action.team_id;
  const moved = earlier.findLast(({ type, field }) => type === 'set_field' && field === 'team_id');
  const team = moved ? moved.value : (earlier.findLast(givesTeam)?.team_id ?? context.record.team_id);
  return typeof team === 'number' ? team : null;
}

const givesTeam = ({ type, team_id }: Action): boolean => type === 'assign' && typeof team_id === 'number';

/** A ticket that was to be assigned is assigned within seconds, or its turn was lost. */
const KEPT = `interval '2 minutes'`;

/** Tickets in a user's hands, and those on their way there. */
const LOAD = `(
  (SELECT count(*) FROM tickets t WHERE t.workspace_id = $1 AND t.assigned_to = u.id AND t.status IN ('open', 'in_progress', 'on_hold')) +
  (SELECT count(*) FROM automation_reservations r JOIN tickets t ON t.workspace_id = $1 AND t.id = r.ticket_id
   WHERE r.workspace_id = $1 AND r.user_id = u.id AND r.reserved_at >= now() - ${KEPT} AND t.assigned_to IS DISTINCT FROM u.id
     AND t.status IN ('open', 'in_progress', 'on_hold')))`;

/** Active agents of the team (null = all) who are in and below their limit. `offline` is how everybody begins: it excludes nobody. */
function eligible(team: string): string {
  return `u.workspace_id = $1 AND u.status = 'active' AND u.role <> 'light_agent' AND u.availability <> 'away'
    AND (${team}::bigint IS NULL OR u.team_ids @> ARRAY[${team}::bigint])
    AND NOT (u.out_of_office IS NOT NULL AND coalesce((u.out_of_office ->> 'from')::timestamptz <= now(), true)
      AND coalesce((u.out_of_office ->> 'to')::timestamptz > now(), true))
    AND (u.max_open_tickets IS NULL OR ${LOAD} < u.max_open_tickets)`;
}

/** Turns go by id, from whoever was last. */
function order(strategy: string, last: string): string {
  const turn = `u.id <= coalesce(${last}, 0), u.id`;
  return strategy === 'least_loaded' ? `${LOAD}, ${turn}` : turn;
}

/** Under the lock of the team's row: the turn that the ticket has already, else the next one. */
const NEXT = (strategy: string): string => `
  WITH kept AS (
    SELECT r.user_id AS id FROM automation_reservations r JOIN users u ON u.workspace_id = $1 AND u.id = r.user_id
    WHERE r.workspace_id = $1 AND r.ticket_id = $4 AND r.team_id = $2 AND r.reserved_at >= now() - ${KEPT} AND u.status = 'active'
      AND u.availability <> 'away'
  ), next AS (
    SELECT u.id FROM users u, automation_turns n WHERE n.workspace_id = $1 AND n.team_id = $2 AND NOT EXISTS (SELECT FROM kept)
      AND ${eligible('$3')} ORDER BY ${order(strategy, 'n.last_user_id')} LIMIT 1
  ), turned AS (
    UPDATE automation_turns SET last_user_id = next.id FROM next WHERE workspace_id = $1 AND team_id = $2
  ), reserved AS (
    INSERT INTO automation_reservations (workspace_id, ticket_id, team_id, user_id) SELECT $1, $4, $2, id FROM next
    ON CONFLICT (workspace_id, ticket_id) DO UPDATE SET team_id = excluded.team_id, user_id = excluded.user_id, reserved_at = now()
  )
  SELECT id FROM kept UNION ALL SELECT id FROM next`;
