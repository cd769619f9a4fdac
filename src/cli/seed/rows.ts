import { CLOCK } from '../../areas/sla/sla-rows';
import { iso, type SeedTicket } from './tickets';

type Cell = string | number | boolean | null;

/** An SLA column, as the service would have set it. */
const sla = (name: string) => (ticket: SeedTicket) => (ticket.sla.values[name] as Cell | undefined) ?? null;

/** Columns of `tickets` that the seeding fills, besides workspace, id, number and code, which PostgreSQL adds. */
const ticketColumns = {
  subject: (t) => t.text.subject,
  description: (t) => t.text.description,
  status: (t) => t.life.status,
  priority: (t) => t.priority,
  channel: (t) => t.channel,
  type: (t) => t.type,
  requester_email: (t) => t.requester?.email ?? null,
  requester_name: (t) => t.requester?.name ?? null,
  contact_id: (t) => t.requester?.id ?? null,
  company_id: (t) => t.requester?.company_id ?? null,
  category_id: (t) => t.categoryId,
  assigned_to: (t) => t.agent?.id ?? null,
  team_id: (t) => t.teamId,
  tags: (t) => t.text.tags,
  escalation_level: (t) => (t.escalation ? 1 : 0),
  escalated_at: (t) => moment(t.escalation?.at),
  last_escalation_reason: (t) => t.escalation?.text ?? null,
  escalations: (t) => t.escalation?.record ?? '[]',
  sla_policy_id: sla('sla_policy_id'),
  sla_status: sla('sla_status'),
  sla_due_at: sla('sla_due_at'),
  next_sla_due_at: sla('next_sla_due_at'),
  sla_at_risk_at: sla('sla_at_risk_at'),
  next_response_due_at: sla('next_response_due_at'),
  first_response_due_at: sla('first_response_due_at'),
  first_response_at: (t) => moment(t.comments.find((comment) => comment.isFirstResponse)?.at),
  first_resolved_at: (t) => moment(t.life.firstResolvedAt),
  resolved_at: (t) => moment(t.life.resolvedAt),
  closed_at: (t) => moment(t.life.closedAt),
  on_hold_reason: (t) => t.life.holdReason,
  on_hold_until: (t) => moment(t.life.heldUntil),
  reopened_count: (t) => t.life.reopened,
  reply_count: (t) => t.comments.filter((comment) => comment.kind === 'reply').length,
  comment_count: (t) => t.comments.length,
  last_requester_comment_at: (t) => moment(lastOf(t, true)),
  last_agent_comment_at: (t) => moment(lastOf(t, false)),
  csat_score: (t) => t.csat?.score ?? null,
  csat_at: (t) => moment(t.csat?.at),
  created_at: (t) => iso(t.createdAt),
  updated_at: (t) => iso(t.updatedAt),
} satisfies Record<string, (ticket: SeedTicket) => Cell>;

export const TICKET_COLUMNS = Object.keys(ticketColumns);
const ticketCells = Object.values<(ticket: SeedTicket) => Cell>(ticketColumns);

/** Columns of `ticket_comments` that the seeding fills, besides workspace and ticket. */
export const COMMENT_COLUMNS = [
  'body',
  'is_internal',
  'author_type',
  'author_id',
  'author_name',
  'author_email',
  'channel',
  'is_first_response',
  'created_at',
  'updated_at',
] as const;

/** Columns of `sla_clocks` that the seeding fills, besides workspace and ticket. */
export const CLOCK_COLUMNS = Object.keys(CLOCK) as (keyof typeof CLOCK)[];

/** A line of COPY's text format: the place of the ticket in its chunk, then `TICKET_COLUMNS`. */
export function ticketLine(place: number, ticket: SeedTicket): string {
  let line = String(place);
  for (const cell of ticketCells) line += `\t${encode(cell(ticket))}`;
  return `${line}\n`;
}

/** Lines of COPY's text format, one per comment: the place of the ticket in its chunk, then `COMMENT_COLUMNS`. */
export function commentLines(place: number, ticket: SeedTicket): string {
  let lines = '';
  for (const { body, kind, author, isFirstResponse, at } of ticket.comments) {
    const cells = [body, kind === 'note', author.type, author.id, author.name, author.email];
    const when = iso(at);
    lines += `${place}\t${[...cells, ticket.channel, isFirstResponse, when, when].map(encode).join('\t')}\n`;
  }
  return lines;
}

/** Lines of COPY's text format, one per clock: the place of the ticket in its chunk, then `CLOCK_COLUMNS`. */
export function clockLines(place: number, { sla: { clocks } }: SeedTicket): string {
  let lines = '';
  for (const clock of clocks) {
    const { pauses, figures = null, ...plain } = clock;
    const json = { pauses: JSON.stringify(pauses), figures: figures && JSON.stringify(figures) };
    const values: Record<string, Cell> = { ...plain, ...json };
    const cells = CLOCK_COLUMNS.map((name) => values[name] ?? null);
    lines += `${place}\t${cells.map(encode).join('\t')}\n`;
  }
  return lines;
}

function lastOf(ticket: SeedTicket, fromRequester: boolean): number | undefined {
  return ticket.comments.findLast(({ kind }) => (fromRequester ? kind === 'answer' : kind === 'reply'))?.at;
}

function moment(value: number | null | undefined): string | null {
  return value === null || value === undefined ? null : iso(value);
}

function encode(value: Cell): string {
  if (value === null) return '\\N';
  if (typeof value !== 'string') return String(value);
  return special.test(value) ? value.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character) : value;
}

const special = /[\\\t\n\r]/;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
