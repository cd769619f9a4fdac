import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { Query } from '../../platform/postgres/statement-batch';
import { Parameters } from '../../platform/database/parameters';
import { categoryDefaults, categoryTeam } from '../categories/category-lookup';
import { companyOfAddress, contactOfAddress, type Requester } from '../contacts/contact-lookup';
import { type Candidate, candidatesSql } from '../sla/policy-match';
import type { TeamAssignment } from '../teams/team-assignment';
import { teamAssignment } from '../teams/team-lookup';
import type { TicketPriority } from './ticket-values';

/** What a new ticket takes from its surroundings. */
export interface Surroundings {
  number: number;
  /** The moment of creation by the database's clock, ISO 8601. */
  now: string;
  category: {
    default_priority: TicketPriority | null;
    default_team_id: number | null;
    default_assignee_id: number | null;
    required_skills: string[];
  } | null;
  /** How its team, or that of its category, gives tickets to its members; null without one. */
  team: TeamAssignment | null;
  company_id: number | null;
  /** The contact with the requester's address; null when there is none yet. */
  requester: Requester | null;
  /** Policies that may apply, in order of precedence. */
  candidates: Candidate[];
}

/** Looks up, in one round trip each, what the rules of tickets need. */
@Injectable()
export class TicketIntake {
  constructor(private readonly database: Database) {}

  /**
   * Number, category defaults, team, requester, company and possible SLA policies of a new ticket. The company is the one given, where nothing is
   * said of it that of the requester's contact, else the active one with the requester's mail domain.
   */
  async surroundings(links: NewLinks): Promise<Surroundings> {
    const [found] = await this.database.read(surroundingsStatement(links));
    if (!found) throw new Error('A number is one row.');
    return { ...found, candidates: found.candidates ?? [] };
  }
}

/** What a new ticket is linked with by its body. */
export interface NewLinks {
  /** Null is none; undefined that of the requester. */
  companyId: number | null | undefined;
  categoryId: number | null;
  /** Null is none; undefined that of the category. */
  teamId: number | null | undefined;
  requesterEmail: string | null;
}

/** One statement that looks up only what the new ticket can have: most have neither company nor category. */
function surroundingsStatement({
  companyId,
  categoryId,
  teamId,
  requesterEmail: email,
}: NewLinks): Query<Omit<Surroundings, 'candidates'> & { candidates: Candidate[] | null }> {
  const { values, bind } = new Parameters(currentWorkspaceId());
  const id = (value: number | null): string | null => (value === null ? null : `${bind(value)}::bigint`);
  const category = id(categoryId);
  const team = teamId === undefined ? category && categoryTeam(category) : id(teamId);
  const requester = email === null ? null : contactOfAddress(bind(email));
  const company = companyId === undefined ? email && companyOfAddress('requester', email, bind) : id(companyId);
  return {
    text: `
      WITH ${requester === null ? '' : `requester AS (${requester}),`}
        known AS (SELECT ${company ?? 'NULL::bigint'} AS company_id)
      SELECT next_number('ticket') AS number,
        to_char(now()::timestamptz(3), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS now,
        ${category === null ? 'NULL' : categoryDefaults(category)} AS category,
        ${team === null ? 'NULL' : teamAssignment(team)} AS team,
        known.company_id,
        ${requester === null ? 'NULL' : '(SELECT row_to_json(r) FROM requester r)'} AS requester,
        (${candidatesSql('$1', company === null ? null : 'known.company_id', category)}) AS candidates
      FROM known`,
    values,
  };
}
