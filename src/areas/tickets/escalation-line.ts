import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { invalid } from '../../platform/errors/api-error';
import { anyOf } from '../../platform/resource/many-changes';
import type { Row } from '../../platform/resource/rows';
import { categoryEscalatesTo } from '../categories/category-lookup';
import { teamLead } from '../teams/team-lookup';
import { activeUsers, managerOf } from '../users/user-lookup';
import { Assignment } from '../users/assignment.service';
import type { EscalateTicket } from './ticket.dto';
import type { Escalation, Ticket } from './ticket.entity';

/**
 * Who is next in line when a ticket is escalated: the user asked for, else the category's, the team's lead, the
 * assignee's manager; the first of them who can take it.
 */
@Injectable()
export class EscalationLine {
  constructor(
    private readonly database: Database,
    private readonly assignment: Assignment,
  ) {}

  /** Whom to give it to, and the team; nothing where they stay. 422 for an unknown team. */
  async next(before: Row<Ticket>, body: EscalateTicket): Promise<{ assigned_to?: number | null; team_id?: number }> {
    if (body.to_team_id !== undefined) await this.requireTeam(body.to_team_id);
    const team = body.to_team_id === undefined ? {} : { team_id: body.to_team_id };
    if (body.to_user_id !== undefined) return { ...team, assigned_to: body.to_user_id };
    if (body.to_team_id !== undefined) return { ...team, assigned_to: null };
    const links = [categoryEscalatesTo('$2'), teamLead('$3'), managerOf('$4')];
    const ranked = links.map((link, rank) => `SELECT ${rank} AS rank, l.id FROM (${link}) l`).join(' UNION ALL ');
    const line = await this.database.query<{ id: number }>(
      `SELECT l.id FROM (${ranked}) l WHERE l.id IS NOT NULL ORDER BY l.rank`,
      [currentWorkspaceId(), before.category_id, before.team_id, before.assigned_to],
    );
    const active = await activeUsers(
      this.database,
      line.map(({ id }) => id),
    );
    const able = line.filter(({ id }) => active.some((user) => user.id === id));
    for (const { id } of able)
      if (id === before.assigned_to || (await this.assignment.toIfPossible(id))) return { assigned_to: id };
    return {};
  }

  /** The internal comment that tells agents what happened. */
  async note(before: Row<Ticket>, entry: Escalation, what = 'Escalated'): Promise<void> {
    const change =
      entry.from_priority === entry.to_priority
        ? `priority stays ${entry.to_priority}`
        : `priority ${entry.from_priority} to ${entry.to_priority}`;
    await this.database.query(
      `INSERT INTO ticket_comments (workspace_id, ticket_id, body, is_internal, author_type, author_name, channel) VALUES ($1, $2, $3, true, 'system', 'system', 'internal')`,
      [
        currentWorkspaceId(),
        before.id,
        `${what} to level ${entry.level}: ${change}.${entry.reason ? `\n\n${entry.reason}` : ''}`,
      ],
    );
  }

  private async requireTeam(id: number): Promise<void> {
    const isKnown = await anyOf(this.database, 'teams', (bind) => `m.id = ${bind(id)}`);
    if (!isKnown) invalid('to_team_id', 'not_found', '"to_team_id" names a team that does not exist.');
  }
}
