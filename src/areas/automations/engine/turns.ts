import { Injectable } from '@nestjs/common';
import type { Action } from '../../../platform/area/rules';
import { isOneOf } from '../../../platform/text/json';
import { TicketSharing } from '../../tickets/assigning/ticket-sharing';
import { SHARING } from '../../users/candidates';
import type { Turn } from './rule';
import type { RuleContext } from './rule-context';

/** As much of a context as tells whose turn it is. */
export type TicketContext = Pick<RuleContext, 'object' | 'objectId' | 'record'>;

/**
 * The turns of a rule that shares tickets out among the members of a team. A turn is taken in a unit of work of its own and is
 * over before the rule begins: the row of the team is never held while a rule waits or works.
 */
@Injectable()
export class Turns {
  constructor(private readonly sharing: TicketSharing) {}

  /** Takes the turns that a rule may need; call it outside any unit of work. */
  async take(actions: readonly Action[], context: TicketContext): Promise<ReadonlyMap<Action, Turn>> {
    const turns = new Map<Action, Turn>();
    if (context.object !== 'ticket') return turns;
    for (const [index, action] of actions.entries()) {
      const { type, strategy } = action;
      if (type !== 'assign' || !isOneOf(SHARING, strategy)) continue;
      const teamId = teamOf(action, actions.slice(0, index), context);
      const search = await this.sharing.reserve(seenTicket(context), { strategy, teamId });
      turns.set(action, { team_id: teamId, search });
    }
    return turns;
  }
}

/** The ticket as the rule has seen it. */
function seenTicket({ objectId, record }: TicketContext): Parameters<TicketSharing['reserve']>[0] {
  return {
    id: objectId,
    status: typeof record.status === 'string' ? record.status : 'open',
    assigned_to: idOf(record.assigned_to),
    category_id: idOf(record.category_id),
    required_skills: Array.isArray(record.required_skills) ? record.required_skills.filter(isText) : [],
  };
}

/** The team whose members are asked: the action's own, else the one that the ticket will be in by then; null = everybody. */
export function teamOf(action: Action, earlier: readonly Action[], context: TicketContext): number | null {
  if (typeof action.team_id === 'number') return action.team_id;
  const moved = earlier.findLast(({ type, field }) => type === 'set_field' && field === 'team_id');
  return idOf(moved ? moved.value : (earlier.findLast(givesTeam)?.team_id ?? context.record.team_id));
}

const idOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

const isText = (value: unknown): value is string => typeof value === 'string';

const givesTeam = ({ type, team_id }: Action): boolean => type === 'assign' && typeof team_id === 'number';
