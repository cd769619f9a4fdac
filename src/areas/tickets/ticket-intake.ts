import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { Statement } from '../../platform/database/statement-batch';
import type { Bind } from '../../platform/resource/filters';
import { Parameters } from '../../platform/resource/parameters';
import { ownJson } from '../../platform/text/json';
import { type Candidate, candidatesSql } from '../sla/policy-match';
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
  } | null;
  company_id: number | null;
  /** Policies that may apply, in order of precedence. */
  candidates: Candidate[];
}

/** Looks up, in one round trip each, what the rules of tickets need. */
@Injectable()
export class TicketIntake {
  constructor(private readonly database: Database) {}

  /**
   * Number, category defaults, company and possible SLA policies of a new ticket. The company is the one given, else that of the
   * requester's contact, else the active one with the requester's mail domain.
   */
  async surroundings(
    companyId: number | null,
    categoryId: number | null,
    requesterEmail: string | null,
  ): Promise<Surroundings> {
    const [rows] = await this.database.batch([surroundingsStatement(companyId, categoryId, requesterEmail)]);
    const [number, now, category, company, candidates] = rows?.[0] ?? [];
    return {
      number: Number(number),
      now: now ?? '',
      category: ownJson(category ?? 'null'),
      company_id: company ? Number(company) : null,
      candidates: ownJson(candidates ?? '[]'),
    };
  }
}

/** One statement that looks up only what the new ticket can have: most have neither company nor category. */
function surroundingsStatement(companyId: number | null, categoryId: number | null, email: string | null): Statement {
  const { values, bind } = new Parameters(currentWorkspaceId());
  const id = (value: number | null): string | null => (value === null ? null : `${bind(value)}::bigint`);
  const category = id(categoryId);
  const company = id(companyId) ?? (email === null ? null : companyOf(email, bind));
  return {
    text: `
      WITH known AS (SELECT ${company ?? 'NULL::bigint'} AS company_id)
      SELECT next_number('ticket'),
        to_char(now()::timestamptz(3), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        ${category === null ? 'NULL' : `(SELECT row_to_json(g) FROM (SELECT default_priority, default_team_id, default_assignee_id FROM categories WHERE workspace_id = $1 AND id = ${category}) g)`},
        known.company_id,
        (${candidatesSql('$1', company === null ? null : 'known.company_id', category)})
      FROM known`,
    values,
  };
}

/**
 * The company of the contact with that address, else the oldest active one with its mail domain. OFFSET 0 keeps the
 * planner on the index of the domains: for the lowest id it would rather walk through all companies.
 */
function companyOf(email: string, bind: Bind): string {
  const address = bind(email);
  const domain = bind(email.split('@')[1] ?? '');
  return `coalesce(
    (SELECT c.company_id FROM contacts c WHERE c.workspace_id = $1 AND c.email = ${address}),
    (SELECT min(m.id) FROM (SELECT s.id FROM companies_search s WHERE s.domains @> ARRAY[${domain}::text] AND s.status = 'active' OFFSET 0) m))`;
}
