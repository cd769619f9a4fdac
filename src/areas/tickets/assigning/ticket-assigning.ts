import { Injectable } from '@nestjs/common';
import { current, currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import { anyOf } from '../../../platform/resource/many-changes';
import type { Row, Values } from '../../../platform/resource/rows';
import type { TeamAssignment } from '../../teams/team-assignment';
import { teamAssignment } from '../../teams/team-lookup';
import { type Assignee, Assignment } from '../../users/assignment.service';
import { isDone } from '../ticket-status';
import type { Surroundings } from '../ticket-intake';
import type { Ticket } from '../ticket.entity';
import type { TicketStatus } from '../ticket-values';
import type { AssignmentWay, Reason, Strategy } from './assignment-reason';
import { type Search, type SharedTicket, skillsNeeded, TicketSharing } from './ticket-sharing';

/** Who gets a ticket, and why. */
export interface Assigned {
  assignee: Assignee;
  reason: Reason;
}

/** How somebody is to be found for a ticket where nobody is named. */
export interface AskedStrategy {
  strategy: Strategy;
  /** Whose members are asked; those of the ticket's team unless given. */
  team_id?: number | undefined;
  /** Whose turn it is by a reservation (`TicketSharing.reserve`), if there is one: for rules, which take no turn themselves. */
  reserved?: Search | null;
}

/** Decides who has a ticket, whoever asks for what. Inside the unit of work of the ticket. */
@Injectable()
export class TicketAssigning {
  constructor(
    private readonly database: Database,
    private readonly assignment: Assignment,
    private readonly sharing: TicketSharing,
  ) {}

  /**
   * Who has a new ticket: the one asked for, else the category's, unless nobody (null) was asked for, else whose turn it is in its
   * team. A category's standing assignee who cannot take it is no reason to refuse it.
   */
  async first(
    { assigned_to: asked, team_id = null, required_skills = [] }: Values<Ticket>,
    status: TicketStatus,
    { category, team }: Pick<Surroundings, 'category' | 'team'>,
  ): Promise<Assigned | null> {
    const skills = [...new Set([...required_skills, ...(category?.required_skills ?? [])])];
    const given = { skills, tickets: isDone(status) ? 0 : 1 };
    if (typeof asked === 'number') {
      const assignee = await this.assignment.to(asked, { field: 'assigned_to', ...given });
      return assignedBy(assignee, { way: whoAsks() });
    }
    const standing = asked === null ? null : (category?.default_assignee_id ?? null);
    const assignee = standing === null ? null : await this.assignment.toIfPossible(standing, given);
    if (assignee) return assignedBy(assignee, { way: 'category' });
    return this.byTeam({ id: null, status, assigned_to: null, skills }, team_id, team);
  }

  /** Who gets a ticket by a change of it; null where nobody new does. */
  async follow(
    before: Row<Ticket>,
    values: Values<Ticket>,
    { field, way }: { field: string; way?: AssignmentWay | undefined },
  ): Promise<Assigned | null> {
    const { assigned_to: asked, team_id } = values;
    if (typeof asked === 'number') {
      if (asked === before.assigned_to) return null;
      const { status, skills } = await this.shared(before, values);
      const assignee = await this.assignment.to(asked, { field, skills, tickets: isDone(status) ? 0 : 1 });
      return assignedBy(assignee, { way: way ?? whoAsks() });
    }
    const comes = typeof team_id === 'number' && (team_id !== before.team_id || way === 'escalation');
    if (!comes || (asked === undefined && before.assigned_to !== null)) return null;
    const team = await this.rulesOf(team_id);
    return sharesOut(team) ? this.byTeam(await this.shared(before, values), team_id, team) : null;
  }

  /**
   * Who goes on with a ticket that is opened again, when whoever had it is gone, or away with nothing left open: null when nobody can,
   * undefined when it stays with them.
   */
  async reopened(before: Row<Ticket>, values: Values<Ticket>): Promise<Assigned | null | undefined> {
    const { assigned_to: userId } = before;
    const way = userId === null ? null : await this.assignment.leftBy(userId);
    if (userId === null || way === null) return undefined;
    const heir = await this.heir(before, values, { userId, way: way === 'suspension' ? 'absence' : way });
    return heir ?? (way === 'absence' ? undefined : null);
  }

  /** Who takes over what somebody left: who stands in for them, else whose turn it is in the ticket's team, else who has least to do. */
  async heir(
    before: Row<Ticket>,
    values: Values<Ticket>,
    { userId, way }: { userId: number; way: 'absence' | 'leaving' },
  ): Promise<Assigned | null> {
    const shared = await this.shared(before, values);
    const standIn = await this.assignment.inPlaceOf(userId, { skills: shared.skills, without: userId });
    const why = { way, left_by: userId };
    if (standIn !== null) return assignedBy({ id: standIn, reassigned_from: userId, lacks: [] }, why);
    const { team_id: teamId = before.team_id } = values;
    const method = (await this.rulesOf(teamId))?.method ?? 'manual';
    const strategy = method === 'manual' ? 'least_loaded' : method;
    const { assignee, reason } = await this.sharing.next(shared, { strategy, teamId, without: [userId] });
    return assignee && assignedBy(assignee, { ...why, ...reason });
  }

  /** Who is found for a ticket by a strategy; 422 `no_candidate` when nobody is. */
  async byStrategy(before: Row<Ticket>, asked: AskedStrategy): Promise<Assigned> {
    const teamId = asked.team_id ?? before.team_id;
    const { assignee, reason } = await this.search(await this.shared(before, {}), before, teamId, asked);
    if (assignee) return assignedBy(assignee, { way: whoAsks('strategy'), ...reason });
    const isKnown =
      asked.team_id === undefined || (await anyOf(this.database, 'teams', (bind) => `m.id = ${bind(teamId)}`));
    if (!isKnown) invalid('team_id', 'not_found', '"team_id" names a team that does not exist.');
    const { candidates = 0, passed_over = {} } = reason;
    const who = asked.strategy === 'last_agent' || teamId === null ? 'agent' : `member of team ${teamId}`;
    const why = Object.entries(passed_over).map(([obstacle, n]) => `${n} ${obstacle}`);
    const message = `No ${who} can be given the ticket${why.length > 0 ? ` (${why.join(', ')})` : ''}.`;
    invalid('strategy', 'no_candidate', message, { candidates, passed_over });
  }

  /** The ticket as those who share it out see it, with what a change asks for. */
  async shared(before: Row<Ticket>, values: Values<Ticket>): Promise<SharedTicket & { id: number }> {
    const { id, assigned_to } = before;
    const { required_skills = before.required_skills, category_id = before.category_id } = values;
    const skills = await skillsNeeded(this.database, { required_skills, category_id });
    return { id, assigned_to, skills, status: values.status ?? before.status };
  }

  /** How a team gives away what comes to it. */
  private async rulesOf(teamId: number | null): Promise<TeamAssignment | null> {
    const [team] = await this.database.query<{ assignment: TeamAssignment | null }>(
      `SELECT ${teamAssignment('$2::bigint')} AS assignment`,
      [currentWorkspaceId(), teamId],
    );
    return team?.assignment ?? null;
  }

  private search(
    ticket: SharedTicket & { id: number },
    { requester_email }: Row<Ticket>,
    teamId: number | null,
    { strategy, reserved }: AskedStrategy,
  ): Promise<Search> {
    if (strategy === 'last_agent') return this.sharing.lastAgent(ticket, requester_email);
    const asked = { strategy, teamId };
    return reserved === undefined ? this.sharing.next(ticket, asked) : this.byReservation(ticket, asked, reserved);
  }

  /** Whoever has the turn may have no room by now. */
  private async byReservation(
    ticket: SharedTicket,
    asked: Parameters<TicketSharing['would']>[1],
    reserved: Search | null,
  ): Promise<Search> {
    const isFree = reserved?.assignee && (await this.sharing.isFree(reserved.assignee.id, ticket));
    return isFree ? reserved : this.sharing.would(ticket, asked);
  }

  private async byTeam(
    ticket: SharedTicket,
    teamId: number | null,
    team: TeamAssignment | null,
  ): Promise<Assigned | null> {
    if (!sharesOut(team) || isDone(ticket.status)) return null;
    const { assignee, reason } = await this.sharing.next(ticket, { strategy: team.method, teamId });
    return assignee && assignedBy(assignee, { way: 'team', ...reason });
  }
}

/** The reason with what the assignee adds to it. */
export function assignedBy(assignee: Assignee, reason: Reason): Assigned {
  const { reassigned_from: absent, lacks } = assignee;
  const more = {
    ...(absent === null ? {} : { stand_in_for: absent }),
    ...(lacks.length === 0 ? {} : { lacks_skills: lacks }),
  };
  return { assignee, reason: { ...reason, ...more } };
}

/** What an event tells of it: the stand-in's name in answers, too, and why. */
export function toldOf({ assignee: { reassigned_from }, reason }: Assigned): Record<string, unknown> {
  return { ...(reassigned_from === null ? {} : { reassigned_from }), assignment: reason };
}

type Sharing = TeamAssignment & { method: Exclude<TeamAssignment['method'], 'manual'> };

function sharesOut(team: TeamAssignment | null | undefined): team is Sharing {
  return team !== null && team !== undefined && team.method !== 'manual';
}

function whoAsks(others: AssignmentWay = 'person'): AssignmentWay {
  return current().actor.type === 'automation' ? 'automation' : others;
}
