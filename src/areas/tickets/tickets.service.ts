import { Injectable } from '@nestjs/common';
import { current, currentWorkspaceId } from '../../platform/context/current';
import { fail, invalid } from '../../platform/http/errors';
import type { SingleResult } from '../../platform/http/results';
import type { Related } from '../../platform/events/event-rows';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import {
  type Change,
  type Creation,
  ResourceService,
  type Row,
  type Written,
} from '../../platform/resource/resource.service';
import { readStatement } from '../../platform/resource/read-plan';
import { wholeSelection } from '../../platform/resource/selection';
import type { Values } from '../../platform/resource/resource.service';
import { ContactsService } from '../contacts/contacts.service';
import { type Assignee, Assignment } from '../users/assignment.service';
import { SlaService } from '../sla/sla.service';
import { admitted, heldValues, TicketChanges } from './ticket-changes';
import type { Following } from './ticket-sla';
import { CommentRedaction } from './comment-redaction';
import { EscalationLine } from './escalation-line';
import { escalated } from './ticket-escalation';
import { TicketIntake } from './ticket-intake';
import { ticketCode } from './ticket-code';
import { isDone } from './ticket-status';
import type { EscalateTicket } from './ticket.dto';
import type { Escalation } from './ticket.entity';
import { ticketResource } from './ticket.resource';
import type { TicketPriority, TicketStatus } from './ticket-values';

const MAX_TAGS = 50;

@Injectable()
export class TicketsService extends ResourceService {
  constructor(
    kernel: ResourceKernel,
    private readonly intake: TicketIntake,
    private readonly assignment: Assignment,
    private readonly rules: TicketChanges,
    private readonly contacts: ContactsService,
    private readonly line: EscalationLine,
    private readonly redaction: CommentRedaction,
    private readonly sla: SlaService,
  ) {
    super(ticketResource, kernel);
  }

  /** Gives the ticket to a user, or to nobody. Whoever a stand-in took it for is named in `meta.reassigned_from`. */
  async assign(id: number, userId: number | null, expected: ExpectedVersions): Promise<SingleResult> {
    return this.mutate(id, expected, (before) =>
      this.rules.follow(before, { assigned_to: userId }, { field: 'user_id' }),
    );
  }

  /** Raises level and priority, finds who is next in line, leaves a record (product reference 2.2). */
  async escalate(id: number, body: EscalateTicket, expected: ExpectedVersions): Promise<SingleResult> {
    return this.mutate(id, expected, async (before) => {
      const raised = escalated(
        before as unknown as Parameters<typeof escalated>[0],
        body.priority as TicketPriority | undefined,
      );
      const target = await this.line.next(before, body);
      const now = await this.database.moment();
      const reason = body.reason ?? null;
      const followed = await this.rules.follow(before, { ...raised, ...target }, { field: 'to_user_id' });
      const { values, alongside, meta } = followed;
      const entry: Escalation = {
        level: raised.escalation_level,
        from_priority: before.priority as string,
        to_priority: raised.priority,
        from_user: before.assigned_to as number | null,
        to_user: (values.assigned_to === undefined ? before.assigned_to : values.assigned_to) as number | null,
        to_team: target.team_id ?? (before.team_id as number | null),
        reason,
        actor: current().actor,
        at: now,
      };
      Object.assign(values, {
        escalation_level: raised.escalation_level,
        escalated_at: now,
        last_escalation_reason: reason,
        escalations: [...(before.escalations as Escalation[]), entry],
        tags: withTag(before.tags as string, 'escalated'),
        comment_count: (before.comment_count as number) + 1,
      });
      await this.line.note(before, entry);
      return {
        values,
        events: ['ticket.escalated'],
        silent: true,
        always: true,
        related: { escalation: entry, notify: body.notify ?? true, ...meta },
        // The escalation tells of the new assignee, too.
        more: (followed.more ?? []).filter(({ type }) => type !== 'ticket.assigned'),
        ...(alongside ? { alongside } : {}),
        ...(meta ? { meta } : {}),
      };
    });
  }

  /** Brings a resolved or closed ticket back. */
  async reopen(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.mutate(id, expected, (before) => {
      if (!isDone(before.status as string)) {
        invalid(
          'status',
          'invalid_transition',
          `The ticket is ${String(before.status)}; only resolved and closed tickets can be reopened.`,
          {
            from: before.status,
            allowed: [],
          },
        );
      }
      return this.rules.follow(before, { status: 'open' });
    });
  }

  /** Adds or removes tags against the stored ones, so that concurrent calls do not undo each other. */
  async changeTags(
    id: number,
    add: readonly string[],
    remove: readonly string[],
    expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.mutate(id, expected, (before) => {
      const present = (before.tags as string).split(',').filter((tag) => tag !== '' && !remove.includes(tag));
      const tags = [...new Set([...present, ...add])];
      if (tags.length > MAX_TAGS) invalid('tags', 'max', `A ticket has at most ${MAX_TAGS} tags.`, { max: MAX_TAGS });
      return this.rules.follow(before, { tags: tags.join(',') });
    });
  }

  /** Closes the ticket in favour of another; its comments stay, its followers are led on. */
  async merge(id: number, intoId: number, expected: ExpectedVersions): Promise<SingleResult> {
    if (id === intoId) invalid('into_id', 'invalid', 'A ticket cannot be merged into itself.');
    return this.database.transaction(async () => {
      for (const [ticketId, field] of id < intoId
        ? ([
            [id, 'id'],
            [intoId, 'into_id'],
          ] as const)
        : ([
            [intoId, 'into_id'],
            [id, 'id'],
          ] as const)) {
        await this.lockForMerge(ticketId, field);
      }
      return this.mutate(id, expected, async (before) => {
        const change: Change =
          before.status === 'closed'
            ? { values: {} }
            : await this.rules.follow(before, { status: 'closed' }, { cancels: true });
        return {
          ...change,
          values: { ...change.values, merged_into_id: intoId },
          events: [...(change.events ?? []), 'ticket.merged'],
          related: { merged_into: await this.record(intoId) },
        };
      });
    });
  }

  /** The ticket at the end of the merge chain: where replies belong. */
  async mergeTarget(id: number): Promise<number> {
    const [row] = await this.database.query<{ id: number }>(
      `WITH RECURSIVE chain AS (
         SELECT id, merged_into_id, ARRAY[id] AS seen FROM tickets WHERE workspace_id = $1 AND id = $2
         UNION ALL
         SELECT t.id, t.merged_into_id, c.seen || t.id FROM chain c JOIN tickets t ON t.workspace_id = $1 AND t.id = c.merged_into_id
         WHERE NOT t.id = ANY(c.seen)
       ) SELECT id FROM chain ORDER BY cardinality(seen) DESC LIMIT 1`,
      [currentWorkspaceId(), id],
    );
    return row?.id ?? this.missing(id);
  }

  /** Locks a ticket, for writers of its comments. */
  lockTicket(id: number, expected: ExpectedVersions = null): Promise<Row> {
    return this.lock(id, expected);
  }

  /** Writes an event about a ticket that itself does not change. */
  announceAbout(id: number, type: string, related: Related): Promise<void> {
    return this.announce(id, [type], related);
  }

  /** The 404 of an unknown ticket. */
  refuseMissing(id: number): never {
    this.missing(id);
  }

  /** Applies a decided change to a ticket locked before. */
  applyTo(before: Row, change: Change): Promise<Written | null> {
    return this.apply(before, change);
  }

  /** The rules of a change, for callers that add values and events of their own. */
  follow(before: Row, asked: Values, following: Following = {}): Promise<Change> {
    return this.rules.follow(before, asked, following);
  }

  protected override async prepareCreate(values: Values): Promise<Creation> {
    const email = (values.requester_email ?? null) as string | null;
    const found = await this.intake.surroundings(
      (values.company_id ?? null) as number | null,
      (values.category_id ?? null) as number | null,
      email,
    );
    const { now, category } = found;
    const status = values.status as TicketStatus;
    values.number = found.number;
    values.code = ticketCode(found.number);
    values.company_id = found.company_id;
    values.priority ??= category?.default_priority ?? 'medium';
    values.team_id ??= category?.default_team_id ?? null;
    values.created_at = now;
    values.updated_at = now;
    heldValues(values, status, now);
    // The call is the answer (product reference 3.4): its clock is met from the beginning.
    if (values.channel === 'phone') values.first_response_at = now;
    const assignee = await this.firstAssignee(values, status, category?.default_assignee_id ?? null);
    if (assignee) values.assigned_to = assignee.id;
    if (email !== null) {
      const name = (values.requester_name ?? null) as string | null;
      values.contact_id = admitted(await this.contacts.upsertByEmail(email, name, found.company_id)).id;
    }
    if (isDone(status))
      Object.assign(values, { resolved_at: now, first_resolved_at: now, closed_at: status === 'closed' ? now : null });
    const created = { at: now, status, priority: values.priority as string, channel: values.channel as string };
    const { values: slaValues, ...rest } = await this.sla.open(found.candidates, values, created);
    Object.assign(values, slaValues);
    const from = assignee?.reassigned_from ?? null;
    const meta = { reassigned_from: from };
    return from === null ? rest : { ...rest, meta, related: meta };
  }

  protected override prepareUpdate(before: Row, values: Values): Promise<Change> {
    return this.rules.follow(before, values);
  }

  /** Its comments go with it. */
  protected override prepareRemove(ticket: Row): Promise<void> {
    return this.redaction.forget(ticket.id, null);
  }

  /** Who has a new ticket. A category's standing assignee who has left or has no room is no reason to refuse it. */
  private async firstAssignee(values: Values, status: string, standing: number | null): Promise<Assignee | null> {
    const tickets = isDone(status) ? 0 : 1;
    const asked = values.assigned_to;
    if (typeof asked === 'number') return this.assignment.to(asked, { field: 'assigned_to', tickets });
    return standing === null ? null : this.assignment.toIfPossible(standing, tickets);
  }

  private async lockForMerge(id: number, field: 'id' | 'into_id'): Promise<void> {
    const [row] = await this.database.query<{ merged_into_id: number | null }>(
      `SELECT merged_into_id FROM tickets WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
      [currentWorkspaceId(), id],
    );
    if (!row) {
      if (field === 'id') fail('not_found', `No ticket ${id}.`);
      invalid(field, 'not_found', `"${field}" names a ticket that does not exist.`);
    }
    if (row.merged_into_id !== null) {
      invalid(field, 'merged', `Ticket ${id} was itself merged, into ticket ${row.merged_into_id}.`);
    }
  }

  /** The whole record, whatever the request wants to see. */
  private async record(id: number): Promise<unknown> {
    const whole = wholeSelection(this.resource);
    const rows = await this.database.read(readStatement(this.resource, whole, currentWorkspaceId(), id));
    return JSON.parse(rows[0]?.[0] ?? this.missing(id));
  }
}

/** The tags with one more, where there is room. */
function withTag(tags: string, tag: string): string {
  const present = tags.split(',').filter((item) => item !== '');
  return [...new Set([...present, tag])].slice(0, MAX_TAGS).join(',');
}
