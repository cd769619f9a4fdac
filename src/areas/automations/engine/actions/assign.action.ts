import { Injectable } from '@nestjs/common';
import type { ActionExecutor, ActionPerformer, ActionWith } from '../../../../platform/area/rules';
import { currentWorkspaceId } from '../../../../platform/context/current';
import { Database } from '../../../../platform/database/database';
import { ApiError, fail } from '../../../../platform/errors/api-error';
import { TicketsService } from '../../../tickets/tickets.service';
import type { AssignParameters } from '../../action-parameters';
import type { RuleContext } from '../rule-context';
import { teamOf, Turns } from '../turns';

type Assign = ActionWith<AssignParameters>;

/** Gives tickets to people: one that is named, or the one that a strategy finds in a team. */
@Injectable()
export class AssignAction implements ActionPerformer {
  readonly executors: readonly ActionExecutor[] = [
    {
      type: 'assign',
      kind: 'direct',
      objects: ['ticket'],
      execute: (action: Assign, context: RuleContext) => this.assign(action, context),
    },
  ];

  constructor(
    private readonly tickets: TicketsService,
    private readonly database: Database,
    private readonly turns: Turns,
  ) {}

  private async assign(action: Assign, context: RuleContext): Promise<void> {
    const team = action.team_id === undefined ? {} : { team_id: action.team_id };
    const give = (userId: number): Promise<unknown> =>
      this.tickets.update(context.ticketId, { assigned_to: userId, ...team });
    if (action.user_id !== undefined) await give(action.user_id);
    else if (action.strategy === 'last_agent')
      await give((await this.lastAgent(context)) ?? fail('validation_error', 'No agent can be given the ticket.'));
    else await this.share(action, context, give);
  }

  /** Gives it to whose turn it is; whoever has no room after all is passed over. */
  private async share(action: Assign, context: RuleContext, give: (userId: number) => Promise<unknown>): Promise<void> {
    const { strategy = '' } = action;
    const teamId = teamOf(action, [], context);
    const turn = context.turns.get(action);
    const tried: number[] = [];
    let next = turn?.team_id === teamId ? turn.user_id : await this.turns.look(strategy, teamId);
    for (; next !== null; next = await this.turns.look(strategy, teamId, tried)) {
      const user = next;
      try {
        await this.database.savepoint(() => give(user));
        return;
      } catch (error) {
        if (!cannotTake(error)) throw error;
        tried.push(user);
      }
    }
    const who = teamId === null ? 'agent' : `member of team ${teamId}`;
    fail('validation_error', `No ${who} can be given the ticket.`);
  }

  /** Who answered on this ticket last, else who had the requester's latest other ticket. */
  private async lastAgent(context: RuleContext): Promise<number | null> {
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
      [currentWorkspaceId(), context.ticketId, context.record.requester_email ?? null],
    );
    return row?.id ?? null;
  }
}

/** Whether it is the user that an assignment failed for. */
function cannotTake(error: unknown): boolean {
  const codes = error instanceof ApiError ? (error.extras.details ?? []).map(({ code }) => code) : [];
  return codes.some((code) => ['max_open_tickets', 'inactive', 'not_found'].includes(code));
}
