import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { currentSight } from '../../platform/context/demand';
import { Database } from '../../platform/database/database';
import { sql } from '../../platform/postgres/statement-batch';
import { filled, isReadable, toldRows } from '../../platform/resource/read/sight';
import { resourceIfAny } from '../../platform/resource/resource';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { Team } from './team.entity';
import type { MemberMetrics, TeamMetrics, TicketCounts } from './team-metrics';

/** What the members of a team have to do, as far as the caller sees it. */
@Injectable()
export class TeamMetricsService {
  constructor(
    @InjectStore(Team) private readonly teams: Store<Team>,
    private readonly database: Database,
  ) {}

  async of(id: number): Promise<TeamMetrics> {
    await this.teams.require(id);
    const values = [currentWorkspaceId(), id];
    const members = await this.database.read(filled(sql<MemberMetrics>(membersSql(), values)));
    const [unassigned] = await this.database.read(filled(sql<{ tickets: TicketCounts }>(unassignedSql(), values)));
    return { members, unassigned: unassigned?.tickets ?? NONE };
  }
}

const NONE: TicketCounts = { open: 0, on_hold: 0, idle: 0, at_risk: 0, breached: 0 };

/** Counts of the tickets `t`, JSON. */
const COUNTS = `json_build_object(
  'open', count(*) FILTER (WHERE t.status IN ('open', 'in_progress')),
  'on_hold', count(*) FILTER (WHERE t.status = 'on_hold'),
  'idle', count(*) FILTER (WHERE t.status IN ('open', 'in_progress')
    AND coalesce(greatest(t.last_agent_comment_at, t.last_requester_comment_at), t.created_at) < now() - interval '24 hours'),
  'at_risk', count(*) FILTER (WHERE t.sla_status = 'at_risk'),
  'breached', count(*) FILTER (WHERE t.sla_status = 'breached'))`;

const UNDONE = `t.workspace_id = $1 AND t.status IN ('open', 'in_progress', 'on_hold')`;

/** Those of the tickets `t` that the caller sees; of who may read none, none. */
function andTold(): string {
  const tickets = resourceIfAny('tickets');
  const told = tickets ? toldRows(tickets, 't', currentSight()) : null;
  return told === null ? '' : ` AND ${told}`;
}

/** Who may not read users is told of them how much they have to do, and no more. */
function membersSql(): string {
  const users = resourceIfAny('users');
  const told = (sql: string): string => (users && isReadable(users, currentSight()) ? sql : 'NULL');
  const limit = `coalesce(u.max_open_tickets,
        (SELECT (g.assignment ->> 'max_open_per_agent')::integer FROM teams g WHERE g.workspace_id = $1 AND g.id = $2))`;
  return `
    SELECT u.id AS user_id, ${told('u.name')} AS name, ${told('u.availability')} AS availability, ${told(limit)} AS "limit", c.tickets
    FROM users u CROSS JOIN LATERAL
      (SELECT ${COUNTS} AS tickets FROM tickets t WHERE ${UNDONE} AND t.assigned_to = u.id${andTold()}) c
    WHERE u.workspace_id = $1 AND u.status = 'active' AND u.team_ids @> ARRAY[$2::bigint]
    ORDER BY (c.tickets ->> 'open')::integer, u.id`;
}

function unassignedSql(): string {
  return `SELECT ${COUNTS} AS tickets FROM tickets t WHERE ${UNDONE} AND t.assigned_to IS NULL AND t.team_id = $2${andTold()}`;
}
