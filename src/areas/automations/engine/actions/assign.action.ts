import { Injectable } from '@nestjs/common';
import type { ActionExecutor, ActionPerformer, ActionWith } from '../../../../platform/area/rules';
import { fail } from '../../../../platform/errors/api-error';
import { TicketsService } from '../../../tickets/tickets.service';
import type { AssignParameters } from '../../action-parameters';
import type { RuleContext } from '../rule-context';
import { teamOf } from '../turns';

type Assign = ActionWith<AssignParameters>;

/** Gives tickets to people: one that is named, or the one that a strategy finds. */
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

  constructor(private readonly tickets: TicketsService) {}

  private async assign(action: Assign, context: RuleContext): Promise<void> {
    const { user_id, strategy, team_id } = action;
    if (user_id !== undefined) {
      await this.tickets.update(context.ticketId, {
        assigned_to: user_id,
        ...(team_id === undefined ? {} : { team_id }),
      });
      return;
    }
    if (strategy === undefined) fail('validation_error', 'The action names neither a user nor a strategy.');
    const turn = context.turns.get(action);
    const reserved = turn?.team_id === teamOf(action, [], context) ? turn.search : null;
    await this.tickets.share(context.ticketId, { strategy, team_id, reserved });
  }
}
