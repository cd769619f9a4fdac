import { Injectable } from '@nestjs/common';
import { clockMs } from '../../platform/context/clock';
import { currentWorkspaceId } from '../../platform/context/current';
import { currentSight } from '../../platform/context/demand';
import { Database } from '../../platform/database/database';
import { fail } from '../../platform/errors/api-error';
import { andSeen, filled, isReadable } from '../../platform/resource/read/sight';
import type { Simulation, SlaDetail } from './sla-answer';
import { type HistoryRow, slaDetail } from './sla-detail';
import { type Policy, policySql } from './policy-match';
import { slaPolicyResource } from './sla-policy.resource';
import { simulate } from './simulate';
import type { SimulateSla } from './simulate.dto';
import { type ClockRow, clocksSql, storedClocks, type TicketFacts } from './sla-stored';

const MAX_HISTORY = 200;

/** A ticket with all that its detail is made of. */
interface DetailRow {
  ticket: TicketFacts;
  clocks: ClockRow[] | null;
  policy: Policy | null;
  matched_by: string;
  history: HistoryRow[] | null;
}

/** What the clocks of a ticket show, and would show. */
@Injectable()
export class SlaDetailService {
  constructor(private readonly database: Database) {}

  /** Every clock of a ticket as it is at this moment, whether or not a worker has noticed (product reference 3.10). */
  async of(ticketId: number): Promise<SlaDetail> {
    const history = `(SELECT json_agg(row_to_json(h)) FROM (SELECT * FROM (SELECT id, at, change, metric, instance_no, old_due_at, new_due_at, cause FROM sla_history
      WHERE workspace_id = $1 AND ticket_id = $2 ORDER BY id DESC LIMIT ${MAX_HISTORY}) n ORDER BY n.at, n.id) h)`;
    const matchedBy = `CASE WHEN EXISTS (SELECT FROM companies c WHERE c.workspace_id = $1 AND c.id = t.company_id AND c.sla_policy_id = t.sla_policy_id) THEN 'company'
      WHEN EXISTS (SELECT FROM categories g WHERE g.workspace_id = $1 AND g.id = t.category_id AND g.sla_policy_id = t.sla_policy_id) THEN 'category'
      WHEN p.is_default THEN 'default' ELSE 'conditions' END`;
    const statement = filled({
      text: `SELECT row_to_json(f) AS ticket, ${clocksSql('$1', '$2')} AS clocks, CASE WHEN p.id IS NOT NULL THEN ${policySql('p')} END AS policy,
          ${matchedBy} AS matched_by, ${history} AS history
        FROM tickets t LEFT JOIN sla_policies p ON p.workspace_id = t.workspace_id AND p.id = t.sla_policy_id
        CROSS JOIN LATERAL (SELECT t.status, t.priority, t.channel, t.created_at, t.first_response_at) f
        WHERE t.workspace_id = $1 AND t.id = $2${andSeen('tickets', 't')}`,
      values: [currentWorkspaceId(), ticketId],
    });
    const [row] = await this.database.read<DetailRow>(statement);
    if (!row) fail('not_found', `No ticket ${ticketId}.`);
    const { ticket, clocks, policy, matched_by, history: notes } = row;
    const isNamed = isReadable(slaPolicyResource, currentSight());
    const shown = policy && { ...policy, policy_name: isNamed ? policy.policy_name : null };
    return slaDetail(storedClocks(ticket, clocks ?? [], policy), shown, matched_by, notes ?? [], clockMs());
  }

  /** What a policy would make of a ticket with that story; nothing is stored. */
  async simulate(policyId: number, story: SimulateSla): Promise<Simulation> {
    const [row] = await this.database.read<{ policy: Policy }>({
      text: `SELECT ${policySql('p')} AS policy FROM sla_policies p WHERE p.workspace_id = $1 AND p.id = $2`,
      values: [currentWorkspaceId(), policyId],
    });
    if (!row) fail('not_found', `No sla policy ${policyId}.`);
    return simulate(row.policy, story);
  }
}
