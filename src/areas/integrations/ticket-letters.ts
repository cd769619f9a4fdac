import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { EventConsumer, OutboxEvent } from '../../platform/events/event-consumer';
import { cleanAddress } from '../../platform/mail/mail-address';
import { MailAccounts } from '../../platform/mail/mail-accounts';
import { Mailer } from '../../platform/mail/mailer';
import { MailTexts } from '../../platform/mail/texts/mail-texts';
import type { JobHandler, Job, JobOutcome } from '../../platform/queue/job-handler';
import { JobQueue } from '../../platform/queue/job-queue';
import { INSERT_JOBS } from '../../platform/queue/job-table';
import { languageOfAddress } from '../contacts/contact-lookup';
import { threadOf, type TicketThread } from './ticket-thread';
import { receivedMail, resolvedMail } from './ticket-mails';

/** Kind of the job that tells a requester what became of a ticket; its subject is the event. */
const TICKET_LETTER_JOB = 'ticket_letter';

/** The mail of an event, and the setting that asks for it. */
const LETTERS = {
  'ticket.created': { kind: receivedMail, setting: 'mail_ticket_received' },
  'ticket.resolved': { kind: resolvedMail, setting: 'mail_ticket_resolved' },
} as const;

interface Told extends TicketThread {
  type: keyof typeof LETTERS;
  event_id: number;
  ticket_id: number;
  code: string;
  subject: string;
  requester_email: string | null;
  requester_name: string | null;
  custom_fields: Record<string, unknown>;
  workspace: string;
  language: string | null;
}

/** Tells requesters that their tickets are there, and that they are resolved, where the workspace wants it: each once. */
@Injectable()
export class TicketLetters implements EventConsumer, JobHandler, OnModuleInit {
  readonly name = 'ticket-letters';
  readonly kind = TICKET_LETTER_JOB;
  readonly perGroup = 1;
  readonly perWorkspace = 10;
  readonly leaseMs = 30_000;

  constructor(
    private readonly queue: JobQueue,
    private readonly database: Database,
    private readonly mailer: Mailer,
    private readonly accounts: MailAccounts,
    private readonly texts: MailTexts,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async consume(events: readonly OutboxEvent[]): Promise<void> {
    const told = events.flatMap(({ id, workspace_id, type }) =>
      isTold(type) ? [{ id, workspace_id, setting: LETTERS[type].setting }] : [],
    );
    if (told.length > 0) await this.database.later([{ text: JOBS_OF_EVENTS, values: [JSON.stringify(told)] }]);
  }

  async perform({ subject_id: eventId }: Job): Promise<JobOutcome> {
    if ((await this.accounts.current()) === null) return {};
    return { settle: () => this.tell(eventId) };
  }

  private async tell(eventId: number): Promise<void> {
    const [told] = await this.database.query<Told>(TOLD, [currentWorkspaceId(), eventId]);
    const to = cleanAddress(told?.requester_email ?? '');
    if (!told || to === null) return;
    const { code, ticket_id: id } = told;
    const values = {
      'ticket.code': code,
      'ticket.subject': told.subject,
      'requester.name': told.requester_name ?? to,
      'workspace.name': told.workspace,
    };
    const { kind } = LETTERS[told.type];
    const written = await this.texts.written(kind, told.language, values, told.custom_fields);
    const { subject, text, language, facts } = written;
    await this.mailer.queue({
      to: [to],
      ...{ subject, text },
      letter: { format: 'markdown', language, facts, signed: true, reference: code, answerable: told.mailbox !== null },
      about: { id, name: code },
      references: told.thread,
      ...(told.answered === null ? {} : { in_reply_to: told.answered }),
      ...(told.mailbox === null ? {} : { reply_to: told.mailbox }),
      once: `letter:${eventId}`,
    });
  }
}

function isTold(type: string): type is keyof typeof LETTERS {
  return Object.hasOwn(LETTERS, type);
}

/** Who only heard of a ticket by telephone, or had it brought over from elsewhere, is not written to. */
const JOBS_OF_EVENTS = `
  ${INSERT_JOBS}
  SELECT e.workspace_id, '${TICKET_LETTER_JOB}', e.id, e.object_id FROM json_to_recordset($1::json) AS v(id bigint, workspace_id bigint, setting text)
  JOIN workspaces w ON w.id = v.workspace_id AND w.settings ->> v.setting = 'true'
  JOIN events e ON e.workspace_id = v.workspace_id AND e.id = v.id
  WHERE e.data ->> 'requester_email' IS NOT NULL AND e.data ->> 'channel' IN ('email', 'portal', 'chat')
    AND e.related ->> 'imported' IS DISTINCT FROM 'true' ORDER BY e.id`;

/** As things are now: what is no longer resolved, or was merged away, is not told. */
const TOLD = `
  SELECT e.type, e.id AS event_id, t.id AS ticket_id, t.code, t.subject, t.requester_email, t.requester_name, t.custom_fields, w.name AS workspace,
    (${languageOfAddress('t.requester_email')}) AS language, ${threadOf('t')}
  FROM events e
  JOIN tickets t ON t.workspace_id = e.workspace_id AND t.id = e.object_id
  JOIN workspaces w ON w.id = t.workspace_id
  WHERE e.workspace_id = $1 AND e.id = $2 AND t.merged_into_id IS NULL
    AND (e.type <> 'ticket.resolved' OR t.status IN ('resolved', 'closed'))`;
