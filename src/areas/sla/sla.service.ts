// Own reads: clocks follow every write of a ticket, and a repository compiles its SQL each time.
import { Injectable } from '@nestjs/common';
import type { Facts } from '../../platform/conditions/condition';
import { recordFacts } from '../../platform/conditions/record-facts';
import { clockNow } from '../../platform/context/clock';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { Change, ToldWith } from '../../platform/resource/change';
import { readStatement } from '../../platform/resource/read/record-plan';
import { resourceIfAny } from '../../platform/resource/resource';
import { wholeSelection } from '../../platform/resource/read/selection';
import { ownJson } from '../../platform/text/json';
import { openState } from './clock';
import type { Created, Fact } from './clock-types';
import { type Candidate, candidatesSql, choosePolicy, needsFacts, type Policy, policySql } from './policy-match';
import { type SlaTransition, followFacts, openingTransition, type SlaColumns } from './sla-transition';
import { clockMembers, newClockMembers } from './sla-rows';
import { type ClockRow, clocksSql, storedClocks, type TicketFacts, unansweredSql } from './sla-stored';

/** What of a ticket decides which policy applies to it, besides what conditions ask about. */
export interface SlaTicket extends TicketFacts {
  readonly id: number;
  readonly sla_policy_id: number | null;
  readonly company_id: number | null;
  readonly category_id: number | null;
  readonly requester_email: string | null;
  readonly last_requester_comment_at?: string | null;
}

/** The SLA part of a change: values of the ticket, events, and the rows of its clocks. */
export interface SlaChange extends Pick<Change, 'rows'> {
  values: Partial<SlaColumns>;
  more: ToldWith[];
}

/** Which policy applies to a ticket, and what becomes of its clocks: called in the unit of work of the ticket. */
@Injectable()
export class SlaService {
  constructor(private readonly database: Database) {}

  /**
   * Policy and clocks of a new ticket.
   *
   * @param candidates see `candidatesSql`
   * @param ticket the values it will have
   */
  async open(
    candidates: readonly Candidate[],
    ticket: Partial<SlaTicket>,
    created: Created,
  ): Promise<SlaChange & { values: SlaColumns }> {
    const facts = needsFacts(candidates) ? await this.facts(candidates, ticket) : null;
    const policy = choosePolicy(candidates, facts);
    const transition = openingTransition(openState(policy, created), policy, created.at);
    return { values: transition.values, more: transition.events, ...rowsOf(transition, newClockMembers) };
  }

  /**
   * What a change of a locked ticket does to its clocks.
   *
   * @param values what the change sets
   * @param facts what happened, in order; may be empty
   * @param now ISO 8601
   * @param rematch whether more than its status changed: then it is asked again which policy applies, whatever others there are
   */
  async follow(
    before: SlaTicket,
    values: Partial<SlaTicket>,
    facts: readonly Fact[],
    now: string,
    rematch: boolean,
  ): Promise<SlaChange> {
    const after: SlaTicket = { ...before, ...values };
    const asks = rematch || before.sla_policy_id === null;
    const { clocks, policy, candidates } = await this.load(before, after, asks);
    const stored = storedClocks(before, clocks, policy);
    const isDone = after.status === 'resolved' || after.status === 'closed';
    // A finished ticket keeps the policy it was handled by.
    const next = asks && !isDone ? await this.choose(candidates, after) : policy;
    const unclocked = clocks.length === 0 && isDone;
    if (unclocked || (facts.length === 0 && next?.policy_id === policy?.policy_id && !stored.stale)) {
      return { values: {}, more: [] };
    }
    const remeasures = stored.stale || next?.policy_id !== policy?.policy_id || facts.some(isPriority);
    const asked = remeasures ? await this.unansweredSince(before) : null;
    const known = asked === null ? stored : storedClocks({ ...before, unanswered_since: asked }, clocks, policy);
    const transition = followFacts(known, next, facts, now);
    return { values: transition.values, more: transition.events, ...rowsOf(transition, clockMembers) };
  }

  /** The first of the candidates that applies to the ticket. */
  async choose(candidates: readonly Candidate[], ticket: Partial<SlaTicket>): Promise<Candidate | null> {
    return choosePolicy(candidates, needsFacts(candidates) ? await this.facts(candidates, ticket) : null);
  }

  /** Whether the policy of the ticket lets automations and AI answer the requester. */
  async aiCounts(policyId: number | null): Promise<boolean> {
    if (policyId === null) return false;
    const [policy] = await this.database.query<{ counts: boolean }>(
      `SELECT ai_counts_as_response AS counts FROM sla_policies WHERE workspace_id = $1 AND id = $2`,
      [currentWorkspaceId(), policyId],
    );
    return policy?.counts ?? false;
  }

  /** Clocks, present policy and, when asked for, the policies that may apply now: one round trip. */
  private async load(
    before: SlaTicket,
    after: SlaTicket,
    asks: boolean,
  ): Promise<{ clocks: ClockRow[]; policy: Policy | null; candidates: Candidate[] }> {
    const candidates = asks ? `(${candidatesSql('$1', '$4::bigint', '$5::bigint')})` : 'NULL';
    const text = `SELECT ${clocksSql('$1', '$2')} AS clocks, (SELECT ${policySql('p')} FROM sla_policies p WHERE p.workspace_id = $1 AND p.id = $3) AS policy, ${candidates} AS candidates`;
    const values = [currentWorkspaceId(), before.id, before.sla_policy_id];
    if (asks) values.push(after.company_id, after.category_id);
    const [found] = await this.database.read<{
      clocks: ClockRow[] | null;
      policy: Policy | null;
      candidates: Candidate[] | null;
    }>({ text, values });
    return { clocks: found?.clocks ?? [], policy: found?.policy ?? null, candidates: found?.candidates ?? [] };
  }

  /** Since when the requester waits; asked for only where other terms may measure it. */
  private async unansweredSince({ id, sla_policy_id, last_requester_comment_at }: SlaTicket): Promise<string | null> {
    if (!last_requester_comment_at) return null;
    const [row] = await this.database.read<{ since: string | null }>({
      text: `SELECT to_json(${unansweredSql('$1', '$2', '$3')}) AS since`,
      values: [currentWorkspaceId(), id, sla_policy_id],
    });
    return row?.since ?? null;
  }

  /** What conditions look at: the ticket, its requester and, where they are asked about, its company and category. */
  private async facts(candidates: readonly Candidate[], ticket: Partial<SlaTicket>): Promise<Facts> {
    const asked = JSON.stringify(candidates.map(({ conditions }) => conditions));
    const email = ticket.requester_email ?? null;
    const record: Record<string, unknown> = { ...ticket, requester: { email, domain: email?.split('@')[1] ?? null } };
    if (asked.includes('"company.')) record.company = await this.record('companies', ticket.company_id ?? null);
    if (asked.includes('"category.')) record.category = await this.record('categories', ticket.category_id ?? null);
    return recordFacts(record, null, clockNow(), 'ticket');
  }

  private async record(name: string, id: number | null): Promise<unknown> {
    const resource = resourceIfAny(name);
    if (!resource || id === null) return null;
    const statement = readStatement(resource, wholeSelection(resource), {
      id,
      workspaceId: currentWorkspaceId(),
      seen: null,
    });
    const [row] = await this.database.read<{ json: string }>(statement);
    return ownJson(row?.json ?? 'null');
  }
}

/** The rows of the transition as part of the ticket's own statement; nothing when there are none. */
function rowsOf(transition: SlaTransition, members: typeof clockMembers): Pick<Change, 'rows'> {
  const { clocks, history, escalations } = transition;
  if (clocks.length + history.length + escalations.length === 0) return {};
  return { rows: (bind) => members(bind, transition) };
}

const isPriority = ({ type }: Fact): boolean => type === 'priority';
