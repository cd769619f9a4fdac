import type { Database } from '../../platform/database/database';
import type { Changes, EventDraft } from '../../platform/events/event-rows';
import { changeEach } from '../../platform/resource/many-changes';
import { resourceIfAny, selectList } from '../../platform/resource/resource';
import { wholeSelection } from '../../platform/resource/read/selection';
import { type Candidate, candidatesSql, type Policy, policySql } from './policy-match';
import type { SlaTransition, SlaColumns, StoredClocks } from './sla-transition';
import { clockMembersOfMany } from './sla-rows';
import { type ClockRow, clocksSql, storedClocks, type TicketFacts, unansweredSql } from './sla-stored';
import type { SlaTicket } from './sla.service';

/** A locked ticket with its clocks. */
export interface LockedTicket {
  workspace_id: number;
  id: number;
  /** The ticket's record as GET shows it; present when candidates were asked for. */
  record: SlaTicket | null;
  /** Its stored SLA columns; moments as PostgreSQL writes them. */
  columns: SlaColumns;
  stored: StoredClocks;
  /** Policies that may apply now, in order of precedence; empty unless asked for. */
  candidates: Candidate[];
}

/** What becomes of a ticket. */
export interface TicketTransition {
  ticket: LockedTicket;
  transition: SlaTransition;
}

/** SLA columns of a ticket. */
const NAMES = [
  'sla_policy_id',
  'sla_status',
  'sla_due_at',
  'first_response_due_at',
  'next_response_due_at',
  'next_sla_due_at',
  'sla_at_risk_at',
] as const;
const KEY = 'workspace_id bigint, id bigint';

interface Key {
  workspace_id: number;
  id: number;
}

interface Found extends Key, TicketFacts, SlaColumns {}

/**
 * Reads locked tickets, of any workspaces, with their clocks and policies.
 *
 * @param keys tickets whose rows this transaction has locked
 * @param now ISO 8601
 */
export async function readLocked(database: Database, keys: readonly Key[], matching: boolean): Promise<LockedTicket[]> {
  const tickets = resourceIfAny('tickets');
  if (keys.length === 0 || !tickets) return [];
  const record = `(SELECT row_to_json(r) FROM (SELECT ${selectList(tickets, wholeSelection(tickets).fields, 't')}) r)`;
  const candidates = `(${candidatesSql('t.workspace_id', 't.company_id', 't.category_id')})`;
  const waits = `t.last_requester_comment_at > coalesce(t.last_agent_comment_at, '-infinity')`;
  const unanswered = `CASE WHEN ${waits} THEN ${unansweredSql('t.workspace_id', 't.id', 't.sla_policy_id')} END AS unanswered_since`;
  const found = await database.query<{
    ticket: Found;
    clocks: ClockRow[] | null;
    record: SlaTicket | null;
    candidates: Candidate[] | null;
  }>(
    `SELECT row_to_json(f) AS ticket, ${clocksSql('t.workspace_id', 't.id')} AS clocks,
       ${matching ? `${record} AS record, ${candidates} AS candidates` : 'NULL::json AS record, NULL::json AS candidates'}
     FROM json_to_recordset($1::json) AS k(${KEY})
     JOIN tickets t ON t.workspace_id = k.workspace_id AND t.id = k.id
     CROSS JOIN LATERAL (SELECT t.workspace_id, t.id, t.status, t.priority, t.channel, t.created_at, t.first_response_at, ${unanswered}, ${NAMES.map((name) => `t.${name}`).join(', ')}) f`,
    [JSON.stringify(keys)],
  );
  const policies = await policiesOf(
    database,
    found.map(({ ticket }) => ticket),
  );
  return found.map(({ ticket, clocks, record: shown, candidates: possible }) => ({
    workspace_id: ticket.workspace_id,
    id: ticket.id,
    record: shown,
    columns: ticket,
    stored: storedClocks(
      ticket,
      clocks ?? [],
      policies.get(`${ticket.workspace_id}/${String(ticket.sla_policy_id)}`) ?? null,
    ),
    candidates: possible ?? [],
  }));
}

async function policiesOf(database: Database, tickets: readonly Found[]): Promise<Map<string, Policy>> {
  const wanted = new Map(
    tickets.map(({ workspace_id, sla_policy_id: id }) => [`${workspace_id}/${String(id)}`, { workspace_id, id }]),
  );
  const rows = await database.query<{ workspace_id: number; policy: Policy }>(
    `SELECT p.workspace_id, ${policySql('p')} AS policy FROM json_to_recordset($1::json) AS k(${KEY})
     JOIN sla_policies p ON p.workspace_id = k.workspace_id AND p.id = k.id`,
    [JSON.stringify([...wanted.values()])],
  );
  return new Map(rows.map(({ workspace_id, policy }) => [`${workspace_id}/${policy.policy_id}`, policy]));
}

/**
 * Writes what becomes of locked tickets in one statement: their columns, clocks, history and events. A ticket whose columns
 * stay as they are keeps its version.
 */
export async function writeTransitions(database: Database, all: readonly TicketTransition[]): Promise<void> {
  const changes = all.map(({ ticket, transition }) => {
    const { workspace_id, id, columns } = ticket;
    const differing = changesOf(columns, transition.values);
    const counts = Object.keys(differing).length > 0;
    const values = Object.fromEntries(NAMES.map((name) => [name, transition.values[name]]));
    return { workspace_id, id, values, counts, events: draftsOf(transition, differing) };
  });
  const clocks = all.map(({ ticket, transition }) => ({
    workspace_id: ticket.workspace_id,
    ticket_id: ticket.id,
    ...transition,
  }));
  await changeEach(database, 'tickets', changes, (bind) => clockMembersOfMany(bind, clocks));
}

/** From and to of the SLA columns that differ and that clients see. */
function changesOf(before: SlaColumns, after: SlaColumns): Changes {
  const shown = (name: string, value: unknown): unknown =>
    name.endsWith('_at') && typeof value === 'string' ? new Date(value).toISOString() : (value ?? null);
  return Object.fromEntries(
    NAMES.filter((name) => name !== 'sla_at_risk_at')
      .map((name) => [name, { from: shown(name, before[name]), to: shown(name, after[name]) }] as const)
      .filter(([, { from, to }]) => from !== to),
  );
}

/** `ticket.updated` goes with the first event; each further one is a change of its own, at a moment of its own. */
function draftsOf({ events }: SlaTransition, changes: Changes): EventDraft[][] {
  const hasChanged = Object.keys(changes).length > 0;
  const [first, ...others] = events.map((event): EventDraft => ({ ...event, changes: hasChanged ? changes : null }));
  const updated = hasChanged ? [{ type: 'ticket.updated', changes }] : [];
  const drafts = [[...updated, ...(first ? [first] : [])], ...others.map((event) => [event])];
  return drafts.filter((list) => list.length > 0);
}
