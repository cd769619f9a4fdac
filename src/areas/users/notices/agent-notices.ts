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
import { NOTICED, type Noticed, noticeMail, type ToldTicket } from './notice-mail';
import { quietUntil } from './notification-preferences';

/** Kind of the job that tells a user of an event; its subject is the event, its group the user. */
const NOTICE_JOB = 'agent_notice';

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

  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly mailer: Mailer,
    private readonly accounts: MailAccounts,
    @InjectWorkspaceRepository(User) private readonly users: WorkspaceRepository<User>,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async consume(events: readonly OutboxEvent[]): Promise<void> {
    const noticed = events.filter(({ type }) => Object.hasOwn(NOTICED, type));
    if (noticed.length === 0) return;
    // Where no mail can leave there is nothing to be decided, and nothing to be paid for it.
    const sending = new Set(await this.accounts.sending([...new Set(noticed.map((event) => event.workspace_id))]));
    const rows = noticed.flatMap(({ workspace_id: w, id: e, type }) =>
      sending.has(w) && isNoticed(type) ? [{ w, e, wish: NOTICED[type] }] : [],
    );
    if (rows.length > 0) await this.database.query(JOBS_OF_EVENTS, [JSON.stringify(rows)]);
  }

  /** Asks again what the user wants: quiet hours may have been long. */
  async perform({ subject_id: eventId, group_id: userId }: Job): Promise<JobOutcome> {
    const [user, told] = await this.database.transaction(() => this.read(eventId, userId));
    if (!user || !told || user.status !== 'active' || !isNoticed(told.type)) return {};
    if (user.notifications[NOTICED[told.type]] !== 'mail' || (await this.accounts.current()) === null) return {};
    const until = quietUntil(user.notifications.quiet_hours, user.timezone, clockMs());
    if (until !== null) return { retryInMs: until - clockMs() };
    const mail = noticeMail(told.type, told, userId);
    const once = `notice:${told.sequence_id}:${userId}`;
    return { settle: () => this.mailer.queue({ to: [user.email], ...mail, once }).then(() => undefined) };
  }

  private async read(eventId: number, userId: number): Promise<[Recipient | null, Told | undefined]> {
    const user = await this.users.findOne({
      select: { email: true, timezone: true, status: true, notifications: true },
      where: { id: userId },
    });
    const [told] = await this.database.query<Told>(TOLD, [currentWorkspaceId(), eventId]);
    return [user, told];
  }
}

const isNoticed = (type: string): type is Noticed => isOneOf(Object.keys(NOTICED), type);

const TOLD = `
  SELECT e.type, e.sequence_id, e.actor ->> 'name' AS actor, e.data ->> 'code' AS code, e.data ->> 'subject' AS subject,
    e.data ->> 'priority' AS priority, (e.data ->> 'assigned_to')::bigint AS assigned_to
  FROM events e WHERE e.workspace_id = $1 AND e.id = $2`;

/** Whoever did it knows. What was taken over from another system is nobody's news. */
const JOBS_OF_EVENTS = `
  ${INSERT_JOBS}
  SELECT workspace_id, '${NOTICE_JOB}', event_id, user_id FROM (
    SELECT e.workspace_id, e.id AS event_id, u.id AS user_id, row_number() OVER (PARTITION BY e.workspace_id, u.id, v.wish ORDER BY e.id) AS place
    FROM json_to_recordset($1::json) AS v(w bigint, e bigint, wish text)
    JOIN events e ON e.workspace_id = v.w AND e.id = v.e
    CROSS JOIN LATERAL (
      SELECT m.id, m.notifications FROM users m WHERE m.workspace_id = e.workspace_id AND m.id = (e.data ->> 'assigned_to')::bigint AND m.status = 'active'
      UNION ALL
      SELECT m.id, m.notifications FROM users m WHERE m.workspace_id = e.workspace_id AND e.data ->> 'assigned_to' IS NULL
        AND m.team_ids @> ARRAY[(e.data ->> 'team_id')::bigint] AND m.notifications ->> 'only_mine' = 'false' AND m.status = 'active'
    ) u
    WHERE u.notifications ->> v.wish = 'mail'
      AND NOT (e.actor ->> 'type' = 'user' AND (e.actor ->> 'id')::bigint = u.id)
      AND (e.type <> 'ticket.comment_added' OR e.related #>> '{comment,author_type}' = 'requester')
      AND (e.type <> 'ticket.escalated' OR e.changes::jsonb ? 'assigned_to')
      AND e.related ->> 'imported' IS DISTINCT FROM 'true'
  ) told WHERE place <= ${MOST_AT_ONCE}`;
