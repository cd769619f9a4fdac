import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { Statement } from '../../platform/database/statement-batch';
import { invalid } from '../../platform/http/errors';
import type { Bind } from '../../platform/resource/filters';
import { Parameters } from '../../platform/resource/parameters';
import { type Candidate, candidatesSql } from '../sla/policy-match';

/** What a new ticket takes from its surroundings. */
export interface Surroundings {
  number: number;
  /** The moment of creation by the database's clock, ISO 8601. */
  now: string;
  category: {
    default_priority: string | null;
    default_team_id: number | null;
    default_assignee_id: number | null;
  } | null;
  company_id: number | null;
  /** Policies that may apply, in order of precedence. */
  candidates: Candidate[];
}

/** A user that a ticket can be given to. */
export interface Assignee {
  id: number;
  /** The user asked for, when that one is out of office and `id` stands in. */
  reassigned_from: number | null;
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
      category: category ? (JSON.parse(category) as Surroundings['category']) : null,
      company_id: company ? Number(company) : null,
      candidates: candidates ? (JSON.parse(candidates) as Candidate[]) : [],
    };
  }

  /**
   * The user, or their stand-in while out of office; 422 unless active. A stand-in who has left, or a circle of
   * absences, replaces nobody. Holds everyone looked at active until the commit.
   */
  async assignee(field: string, userId: number, now: Date = new Date()): Promise<Assignee> {
    const asked = await this.held(userId);
    if (!asked) invalid(field, 'not_found', `"${field}" names a user that does not exist.`);
    if (asked.status !== 'active')
      invalid(field, 'inactive', `"${field}" names a user that is ${asked.status}; only active users can be assigned.`);
    const seen = new Set([userId]);
    let id = userId;
    for (let next = standIn(asked, now); next !== null;) {
      if (seen.has(next)) return { id: userId, reassigned_from: null };
      const replacement = await this.held(next);
      if (replacement?.status !== 'active') break;
      seen.add(next);
      id = next;
      next = standIn(replacement, now);
    }
    return { id, reassigned_from: id === userId ? null : userId };
  }

  private async held(userId: number): Promise<Agent | undefined> {
    const [user] = await this.database.query<Agent>(
      `SELECT status, out_of_office FROM users WHERE workspace_id = $1 AND id = $2 FOR SHARE`,
      [currentWorkspaceId(), userId],
    );
    return user;
  }
}

/** What of a user decides who gets their tickets. */
interface Agent {
  status: string;
  out_of_office: { from?: string; to?: string; replacement_user_id?: number } | null;
}

/** Who stands in for the user at that moment; null when the user is there, or named nobody. */
function standIn({ out_of_office: away }: Agent, now: Date): number | null {
  const time = now.getTime();
  const began = away?.from === undefined || new Date(away.from).getTime() <= time;
  const ended = away?.to !== undefined && new Date(away.to).getTime() <= time;
  return away && began && !ended ? (away.replacement_user_id ?? null) : null;
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
        to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
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
