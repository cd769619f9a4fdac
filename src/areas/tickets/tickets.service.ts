import { Injectable } from '@nestjs/common';
import { current } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { invalid } from '../../platform/errors/api-error';
import type { Related } from '../../platform/events/event-rows';
import type { SingleResult } from '../../platform/http/results';
import { type Change, type Creation, withRelated } from '../../platform/resource/change';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { changeMany } from '../../platform/resource/many-changes';
import type { Row, Values } from '../../platform/resource/rows';
import { andSeen } from '../../platform/resource/read/sight';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { Attaching } from '../attachments/holders/attaching';
import { ContactsService } from '../contacts/contacts.service';
import { SlaService } from '../sla/sla.service';
import { type AskedStrategy, TicketAssigning, toldOf } from './assigning/ticket-assigning';
import { heldValues, requesterValues, requireUnmerged, TicketChanges } from './ticket-changes';
import { CommentRedaction } from './comment-redaction';
import { EscalationLine } from './escalation-line';
import { escalated, withEscalation } from './ticket-escalation';
import { TicketIntake } from './ticket-intake';
import { LinksService } from './relations/links.service';
import { endOfMerges } from './merging/merge-chain';
import { requireParent, TICKET_TREE } from './relations/ticket-tree';
import { ticketCode } from './ticket-code';
import { StatusBook } from './statuses/status-book';
import { chosenStatus } from './statuses/status-choice';
import { isDone } from './ticket-status';
import type { AssignTicket, CreateTicket, EscalateTicket, UpdateTicket } from './ticket.dto';
import { anonymous } from './ticket-anonymity';
import { type Escalation, Ticket } from './ticket.entity';
import { ticketResource } from './ticket.resource';

const MAX_TAGS = 50;

@Injectable()
export class TicketsService {
  constructor(
    @InjectStore(Ticket) private readonly records: Store<Ticket>,
    private readonly database: Database,
    private readonly intake: TicketIntake,
    private readonly assigning: TicketAssigning,
    private readonly rules: TicketChanges,
    private readonly contacts: ContactsService,
    private readonly line: EscalationLine,
    private readonly redaction: CommentRedaction,
    private readonly sla: SlaService,
    private readonly attaching: Attaching,
    private readonly statuses: StatusBook,
    private readonly links: LinksService,
  ) {}

  async create(body: CreateTicket): Promise<SingleResult> {
    return (await this.createKnown(body)).result;
  }

  /** The same, with the id, which the answer need not show. @param more values that no body may name */
  createKnown(body: CreateTicket, more: Values<Ticket> = {}): Promise<{ id: number; result: SingleResult }> {
    const create = (): Promise<{ id: number; result: SingleResult }> =>
      this.records.createKnown(body, async (values) =>
        this.attaching.toNew('ticket_id', body, await this.complete(Object.assign(values, more), body)),
      );
    return body.parent_id ? this.records.keeping(create, TICKET_TREE) : create();
  }

  /** One ticket as the request asked to see it; 404. */
  shown(id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  /** 404 unless it is there. */
  require(id: number): Promise<void> {
    return this.records.require(id);
  }

  /** The ticket, locked until the end of the unit of work; 404. */
  held(id: number): Promise<Row<Ticket>> {
    return this.records.lock(id);
  }

  /** A unit of work that puts tickets below others; ahead of any ticket that it locks. */
  holdingTree<T>(work: () => Promise<T>): Promise<T> {
    return this.records.holding(work, TICKET_TREE);
  }

  /** Tells something that happened to a ticket besides its changes. */
  tell(id: number, type: string, related: Related): Promise<void> {
    return this.records.announce(id, [type], related);
  }

  update(id: number, body: UpdateTicket, expected: ExpectedVersions = null): Promise<SingleResult> {
    const update = (): Promise<SingleResult> =>
      this.records.update(id, body, expected, async (before, values) => {
        const { parent_id: parent } = values;
        if (parent && parent !== before.parent_id) await requireParent(this.database, id, parent);
        return this.attaching.toChanged('ticket_id', body, await this.rules.change(before, values), 'ticket.updated');
      });
    return body.parent_id ? this.records.holding(update, TICKET_TREE) : update();
  }

  /** Its comments and links go with it. */
  remove(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      await this.redaction.hold(id, null);
      return this.records.remove(id, expected, async (before) => {
        await this.leadOn(before);
        await this.links.unlinkAll(id);
        await this.redaction.forget(id, null);
      });
    });
  }

  /** What was merged into a ticket that goes on in another goes on there itself: replies still find it when this one is gone. */
  private async leadOn({ id, merged_into_id: into }: Row<Ticket>): Promise<void> {
    if (into === null) return;
    await changeMany(this.database, {
      resource: ticketResource.name,
      condition: (bind) => `m.merged_into_id = ${bind(id)}`,
      values: { merged_into_id: into },
      events: ['ticket.updated'],
      changes: { merged_into_id: { from: id, to: into } },
    });
  }

  /** Leaves of a ticket what statistics are made of. Copies, comments and files are for whoever asked (`ErasuresService.ofRecords`). */
  anonymise(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.records.mutate(id, expected, async (before) => ({
      values: { ...anonymous(before), anonymised_at: await this.database.moment() },
      events: ['ticket.anonymised'],
    }));
  }

  /** Gives the ticket to a user, to nobody, or to whom a strategy finds. Whoever a stand-in took it for is named in `meta.reassigned_from`. */
  async assign(
    id: number,
    { user_id, strategy, team_id }: AssignTicket,
    expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.records.mutate(id, expected, (before) => {
      if (strategy !== undefined) {
        if (user_id !== undefined) invalid('user_id', 'invalid', 'Either "user_id" or "strategy" says who gets it.');
        return this.shareOut(before, { strategy, team_id });
      }
      if (user_id === undefined) invalid('user_id', 'required', '"user_id" is needed, or "strategy" in its place.');
      const values = { assigned_to: user_id, ...(team_id === undefined ? {} : { team_id }) };
      return this.rules.change(before, values, { field: 'user_id' });
    });
  }

  /** Gives the ticket to whom a strategy finds, and to the team that is named; 422 when that is nobody. */
  async share(id: number, asked: AskedStrategy, expected: ExpectedVersions = null): Promise<SingleResult> {
    return this.records.mutate(id, expected, (before) => this.shareOut(before, asked));
  }

  /** Raises level and priority, finds who is next in line, leaves a record (product reference 2.2). */
  async escalate(id: number, body: EscalateTicket, expected: ExpectedVersions): Promise<SingleResult> {
    return this.records.mutate(id, expected, async (before) => {
      requireUnmerged(before);
      const raised = escalated(before, body.priority);
      const target = await this.line.next(before, body);
      const now = await this.database.moment();
      const reason = body.reason ?? null;
      const following = { field: 'to_user_id', way: 'escalation' } as const;
      const followed = await this.rules.follow(before, { ...raised, ...target }, following);
      // The escalation tells of the new assignee, too.
      const { values, events: _told, more, reason: assignment, ...rest } = followed;
      const entry: Escalation = {
        level: raised.escalation_level,
        from_priority: before.priority,
        to_priority: raised.priority,
        from_user: before.assigned_to,
        to_user: values.assigned_to === undefined ? before.assigned_to : values.assigned_to,
        to_team: target.team_id ?? before.team_id,
        reason,
        actor: current().actor,
        at: now,
      };
      Object.assign(values, {
        escalation_level: raised.escalation_level,
        escalated_at: now,
        last_escalation_reason: reason,
        escalations: withEscalation(before.escalations, entry),
        tags: withTag(before.tags, 'escalated'),
        comment_count: before.comment_count + 1,
      });
      await this.line.note(before, entry);
      const why = assignment ? { assignment } : {};
      const related = { escalation: entry, notify: body.notify ?? true, ...rest.meta, ...why };
      return { ...rest, values, events: withRelated(['ticket.escalated', ...more], related), always: true };
    });
  }

  /** Brings a resolved or closed ticket back. */
  async reopen(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.records.mutate(id, expected, (before) => {
      if (!isDone(before.status)) {
        invalid(
          'status',
          'invalid_transition',
          `The ticket is ${before.status}; only resolved and closed tickets can be reopened.`,
          {
            from: before.status,
            allowed: [],
          },
        );
      }
      return this.rules.change(before, { status: 'open' });
    });
  }

  /** Adds or removes tags against the stored ones, so that concurrent calls do not undo each other. */
  async changeTags(
    id: number,
    add: readonly string[],
    remove: readonly string[],
    expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.records.mutate(id, expected, (before) => {
      const present = before.tags.split(',').filter((tag) => tag !== '' && !remove.includes(tag));
      const tags = [...new Set([...present, ...add])];
      if (tags.length > MAX_TAGS) invalid('tags', 'max', `A ticket has at most ${MAX_TAGS} tags.`, { max: MAX_TAGS });
      return this.rules.change(before, { tags: tags.join(',') });
    });
  }

  /** The ticket at the end of the merge chain: where replies belong. 404 unless the caller sees the one that they name. */
  async mergeTarget(id: number): Promise<number> {
    if (andSeen('tickets', 't') !== '') await this.records.require(id);
    return (await endOfMerges(this.database, id)) ?? this.records.missing(id);
  }

  private async shareOut(before: Row<Ticket>, asked: AskedStrategy): Promise<Change<Ticket>> {
    const given = await this.assigning.byStrategy(before, asked);
    const team = asked.team_id === undefined ? {} : { team_id: asked.team_id };
    return this.rules.change(before, { assigned_to: given.assignee.id, ...team }, { given });
  }

  private async complete(values: Values<Ticket>, asked: CreateTicket): Promise<Creation> {
    const { custom_status_id } = values;
    const chosen = chosenStatus(await this.statuses.all(), null, { status: asked.status, custom_status_id });
    Object.assign(values, chosen);
    const { status } = chosen;
    const { channel = 'portal', category_id = null } = values;
    const email = values.requester_email ?? null;
    if (values.parent_id) await requireParent(this.database, null, values.parent_id);
    const links = { companyId: asked.company_id, categoryId: category_id, teamId: asked.team_id };
    const found = await this.intake.surroundings({ ...links, requesterEmail: email });
    const { now, category } = found;
    values.number = found.number;
    values.code = ticketCode(found.number);
    values.company_id = found.company_id;
    values.priority ??= category?.default_priority ?? 'medium';
    // Null is nobody: what the category has by default is for who says nothing.
    if (asked.team_id === undefined) values.team_id = category?.default_team_id ?? null;
    values.created_at = now;
    values.updated_at = now;
    heldValues(values, status, now);
    // The call is the answer (product reference 3.4): its clock is met from the beginning.
    if (channel === 'phone') values.first_response_at = now;
    if (email !== null) {
      const name = values.requester_name ?? null;
      const requester = found.requester ?? (await this.contacts.addByEmail(email, name, found.company_id));
      Object.assign(values, requesterValues(requester, name));
    }
    // After the address: a batch holds all of its addresses before its first turn.
    const assigned = await this.assigning.first({ ...values, assigned_to: asked.assigned_to }, status, found);
    if (assigned) values.assigned_to = assigned.assignee.id;
    if (isDone(status))
      Object.assign(values, { resolved_at: now, first_resolved_at: now, closed_at: status === 'closed' ? now : null });
    const created = { at: now, status, priority: values.priority, channel };
    const { values: slaValues, more: events, rows } = await this.sla.open(found.candidates, values, created);
    Object.assign(values, slaValues);
    const rest: Creation = { ...(rows ? { rows } : {}), ...(events.length > 0 ? { events } : {}) };
    if (!assigned) return rest;
    const { reassigned_from } = assigned.assignee;
    return { ...rest, ...(reassigned_from === null ? {} : { meta: { reassigned_from } }), related: toldOf(assigned) };
  }
}

/** The tags with one more, where there is room. */
function withTag(tags: string, tag: string): string {
  const present = tags.split(',').filter((item) => item !== '');
  return [...new Set([...present, tag])].slice(0, MAX_TAGS).join(',');
}
