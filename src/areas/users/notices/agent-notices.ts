import { Injectable, type OnModuleInit } from '@nestjs/common';
import { clockMs } from '../../../platform/context/clock';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import type { EventConsumer, OutboxEvent } from '../../../platform/events/event-consumer';
import { MailAccounts } from '../../../platform/mail/mail-accounts';
import { Mailer } from '../../../platform/mail/mailer';
import type { Job, JobHandler, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import { INSERT_JOBS } from '../../../platform/queue/job-table';
import { isOneOf } from '../../../platform/text/json';
import { User } from '../user.entity';
import {
  FOLLOWED,
  followedMail,
  mentionMail,
  MENTIONING,
  NOTICED,
  type Noticed,
  type NoticeMail,
  noticeMail,
  type ToldTicket,
  type Wish,
} from './notice-mail';
import type { MentionTeller } from './mention-teller';
import { quietUntil } from './notification-preferences';

/** Kind of the job that tells a user of an event; its subject is the event, its group the user. */
const NOTICE_JOB = 'agent_notice';
/** The same of users whom a note names, and of those who follow a ticket. */
const MENTION_JOB = 'mention_notice';
const FOLLOW_JOB = 'follow_notice';

/** Of the events that are taken up together, a user is told of so many of one kind: nobody reads the mail of a mass change. */
const MOST_AT_ONCE = 10;

type Recipient = Pick<User, 'email' | 'timezone' | 'status' | 'notifications'>;

interface Told extends ToldTicket {
  type: string;
  sequence_id: string;
}

/** Tells users by mail of what happens to their tickets, as far as each wants to be told, and not in their quiet hours. */
@Injectable()
export class AgentNotices implements EventConsumer, JobHandler, OnModuleInit {
  readonly name = 'notices';
  readonly kind = NOTICE_JOB;
  readonly perGroup = 1;
  readonly perWorkspace = 10;
  readonly leaseMs = 30_000;
  private followers: ((event: string) => string) | null = null;
  private readonly tellers: MentionTeller[] = [];

  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly mailer: Mailer,
    private readonly accounts: MailAccounts,
    @InjectWorkspaceRepository(User) private readonly users: WorkspaceRepository<User>,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
    for (const kind of [MENTION_JOB, FOLLOW_JOB]) this.queue.register(this.under(kind));
  }

  /** Sets who follows what events are about: SQL of column `user_id`, given the row of an event. */
  followedBy(followers: (event: string) => string): void {
    this.followers = followers;
  }

  /** Lets users be told where they are named besides notes on tickets; each type of event has one teller. */
  mentionedBy(teller: MentionTeller): void {
    this.tellers.push(teller);
  }

  async consume(events: readonly OutboxEvent[]): Promise<void> {
    const noticed = events.filter(
      ({ type }) => isNoticed(type) || isFollowed(type) || MENTIONING.includes(type) || this.tellerOf(type),
    );
    if (noticed.length === 0) return;
    // Where no mail can leave there is nothing to be decided, and nothing to be paid for it.
    const sending = new Set(await this.accounts.sending([...new Set(noticed.map((event) => event.workspace_id))]));
    const sent = noticed.filter((event) => sending.has(event.workspace_id));
    const rowsOf = (some: readonly OutboxEvent[]): { w: number; e: number; wish: Wish | null }[] =>
      some.map(({ workspace_id: w, id: e, type }) => ({ w, e, wish: isNoticed(type) ? NOTICED[type] : null }));
    const plan = async (text: string, some: readonly OutboxEvent[]): Promise<void> => {
      if (some.length > 0) await this.database.later([{ text, values: [JSON.stringify(rowsOf(some))] }]);
    };
    await plan(
      JOBS_OF_EVENTS,
      sent.filter(({ type }) => isNoticed(type)),
    );
    await plan(
      jobsOfMentions(MENTIONED, SEES),
      sent.filter(({ type }) => MENTIONING.includes(type)),
    );
    for (const teller of this.tellers)
      await plan(
        jobsOfMentions(teller.named('e')),
        sent.filter(({ type }) => teller.types.includes(type)),
      );
    const { followers } = this;
    if (!followers) return;
    await plan(
      jobsOfFollowers(followers),
      sent.filter(({ type }) => isFollowed(type)),
    );
  }

  /** Asks again what the user wants: quiet hours may have been long. */
  async perform({ kind, subject_id: eventId, group_id: userId }: Job): Promise<JobOutcome> {
    const [user, told] = await this.database.transaction(() => this.read(eventId, userId));
    if (!user || !told || user.status !== 'active') return {};
    const teller = kind === MENTION_JOB ? this.tellerOf(told.type) : undefined;
    const notice = teller ? await mentionOf(teller, eventId, userId) : noticeOf(kind, told, userId);
    if (!notice) return {};
    const { wish, mail } = notice;
    if (user.notifications[wish] !== 'mail' || (await this.accounts.current()) === null) return {};
    const until = quietUntil(user.notifications.quiet_hours, user.timezone, clockMs());
    if (until !== null) return { retryInMs: until - clockMs() };
    const once = `notice:${told.sequence_id}:${userId}`;
    return { settle: () => this.mailer.queue({ to: [user.email], ...mail, once, inside: true }).then(() => undefined) };
  }

  private tellerOf(type: string): MentionTeller | undefined {
    return this.tellers.find(({ types }) => types.includes(type));
  }

  /** The same handler for another kind of jobs. */
  private under(kind: string): JobHandler {
    const { perGroup, perWorkspace, leaseMs } = this;
    return { kind, perGroup, perWorkspace, leaseMs, perform: (job) => this.perform(job) };
  }

  private async read(eventId: number, userId: number): Promise<[Recipient | null, Told | undefined]> {
    const user = await this.users.findOne({
      select: { email: true, timezone: true, status: true, notifications: true },
      where: { id: userId },
    });
    const [told] = await this.database.query<Told>(TOLD, [currentWorkspaceId(), eventId, userId]);
    return [user, told];
  }
}

const isNoticed = (type: string): type is Noticed => isOneOf(Object.keys(NOTICED), type);
const isFollowed = (type: string): type is (typeof FOLLOWED)[number] => isOneOf(FOLLOWED, type);

/** What is told, and the wish that decides about it. */
interface Notice {
  wish: Wish;
  mail: NoticeMail;
}

async function mentionOf(teller: MentionTeller, eventId: number, userId: number): Promise<Notice | null> {
  const mail = await teller.mail(eventId, userId);
  return mail && { wish: 'mentioned', mail };
}

/** Null when there is nothing to tell. */
function noticeOf(kind: string, told: Told, userId: number): Notice | null {
  const { type } = told;
  if (kind === MENTION_JOB) return { wish: 'mentioned', mail: mentionMail(told) };
  if (kind === FOLLOW_JOB) return isFollowed(type) ? { wish: 'followed', mail: followedMail(type, told) } : null;
  return isNoticed(type) ? { wish: NOTICED[type], mail: noticeMail(type, told, userId) } : null;
}

const BY_OTHERS = `NOT (e.actor ->> 'type' = 'user' AND (e.actor ->> 'id')::bigint = u.id)`;
/**
 * Whoever cannot see the ticket is not told of it: like `auth_user`, by the narrower of their own scope and that of their role, which
 * must let them read tickets.
 */
const SEES = `EXISTS (
  SELECT FROM (SELECT r.permissions, ARRAY[u.ticket_scope, r.ticket_scope] AS scopes
    FROM (SELECT 1) one LEFT JOIN roles r ON r.workspace_id = u.workspace_id AND r.id = u.role_id) may
  WHERE (may.permissions IS NULL OR may.permissions @> ARRAY['tickets.read'])
    AND ((e.data ->> 'assigned_to')::bigint = u.id OR NOT may.scopes @> ARRAY['assigned']
      AND (NOT may.scopes @> ARRAY['teams'] OR u.team_ids @> ARRAY[(e.data ->> 'team_id')::bigint])))`;
/** Who saw the ticket when it happened, and has lost the right to since, is not told either. */
const TOLD = `
  SELECT e.type, e.sequence_id, e.actor ->> 'name' AS actor, e.data ->> 'code' AS code, e.data ->> 'subject' AS subject,
    e.data ->> 'priority' AS priority, (e.data ->> 'assigned_to')::bigint AS assigned_to
  FROM events e JOIN users u ON u.workspace_id = e.workspace_id AND u.id = $3
  WHERE e.workspace_id = $1 AND e.id = $2 AND (e.object <> 'ticket' OR ${SEES})`;

const MENTIONED = `coalesce((e.related #> '{comment,mentioned_ids}')::jsonb, '[]')`;

/** @param named SQL of a JSON array of ids  @param sees SQL of whether `u` may know; otherwise it is asked when the mail is written */
const jobsOfMentions = (named: string, sees = 'true'): string => `
  ${INSERT_JOBS}
  SELECT e.workspace_id, '${MENTION_JOB}', e.id, u.id
  FROM json_to_recordset($1::json) AS v(w bigint, e bigint)
  JOIN events e ON e.workspace_id = v.w AND e.id = v.e
  CROSS JOIN LATERAL jsonb_array_elements_text(${named}) m (id)
  JOIN users u ON u.workspace_id = e.workspace_id AND u.id = m.id::bigint
  WHERE u.status = 'active' AND u.notifications ->> 'mentioned' = 'mail' AND ${BY_OTHERS} AND ${sees}`;

/** Whom a note names is told of that, whatever they follow. */
const jobsOfFollowers = (followers: (event: string) => string): string => `
  ${INSERT_JOBS}
  SELECT workspace_id, '${FOLLOW_JOB}', event_id, user_id FROM (
    SELECT e.workspace_id, e.id AS event_id, u.id AS user_id, row_number() OVER (PARTITION BY e.workspace_id, u.id ORDER BY e.id) AS place
    FROM json_to_recordset($1::json) AS v(w bigint, e bigint)
    JOIN events e ON e.workspace_id = v.w AND e.id = v.e
    CROSS JOIN LATERAL (${followers('e')}) f
    JOIN users u ON u.workspace_id = e.workspace_id AND u.id = f.user_id
    WHERE u.status = 'active' AND u.notifications ->> 'followed' = 'mail' AND ${BY_OTHERS} AND ${SEES}
      AND NOT ${MENTIONED} @> to_jsonb(u.id)
  ) told WHERE place <= ${MOST_AT_ONCE}`;

/** What decides whether a user is told. */
const RECIPIENT = 'm.id, m.workspace_id, m.notifications, m.role_id, m.ticket_scope, m.team_ids';

/** Whoever did it knows. What was taken over from another system is nobody's news. */
const JOBS_OF_EVENTS = `
  ${INSERT_JOBS}
  SELECT workspace_id, '${NOTICE_JOB}', event_id, user_id FROM (
    SELECT e.workspace_id, e.id AS event_id, u.id AS user_id, row_number() OVER (PARTITION BY e.workspace_id, u.id, v.wish ORDER BY e.id) AS place
    FROM json_to_recordset($1::json) AS v(w bigint, e bigint, wish text)
    JOIN events e ON e.workspace_id = v.w AND e.id = v.e
    CROSS JOIN LATERAL (
      SELECT ${RECIPIENT} FROM users m WHERE m.workspace_id = e.workspace_id AND m.id = (e.data ->> 'assigned_to')::bigint AND m.status = 'active'
      UNION ALL
      SELECT ${RECIPIENT} FROM users m WHERE m.workspace_id = e.workspace_id AND e.data ->> 'assigned_to' IS NULL
        AND m.team_ids @> ARRAY[(e.data ->> 'team_id')::bigint] AND m.notifications ->> 'only_mine' = 'false' AND m.status = 'active'
    ) u
    WHERE u.notifications ->> v.wish = 'mail'
      AND ${BY_OTHERS} AND ${SEES}
      AND (e.type <> 'ticket.comment_added' OR e.related #>> '{comment,author_type}' = 'requester')
      AND (e.type <> 'ticket.escalated' OR e.changes::jsonb ? 'assigned_to')
      AND e.related ->> 'imported' IS DISTINCT FROM 'true'
  ) told WHERE place <= ${MOST_AT_ONCE}`;
