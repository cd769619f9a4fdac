import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { EventConsumer, OutboxEvent } from '../../../platform/events/event-consumer';
import { cleanAddress } from '../../../platform/mail/mail-address';
import { MailAccounts } from '../../../platform/mail/mail-accounts';
import { MailTexts } from '../../../platform/mail/texts/mail-texts';
import { Mailer } from '../../../platform/mail/mailer';
import type { JobHandler, Job, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import { languageOfAddress, requesterName } from '../../contacts/contact-lookup';
import { isDone } from '../ticket-status';
import { askLater, RatingAskers } from './rating-askers';
import { ratingChoices } from './rating-mail';
import { ratingRequestMail } from './rating-request.mail';
import { resolutionOf } from './rating-rules';
import { RatingsService } from './ratings.service';

/** Kind of the job that asks a requester for a rating; its subject is the ticket. */
const RATING_REQUEST_JOB = 'rating_request';

interface Asked {
  code: string;
  subject: string;
  status: string;
  reopened_count: number;
  requester_email: string | null;
  requester_name: string | null;
  custom_fields: Record<string, unknown>;
  workspace: string;
  language: string | null;
  is_rated: boolean;
}

/**
 * Asks the requester of every resolved ticket for a rating, by mail, where the workspace wants it and as long after the resolution as
 * it wants; once per resolution.
 */
@Injectable()
export class RatingRequest implements EventConsumer, JobHandler, OnModuleInit {
  readonly name = 'ratings';
  readonly kind = RATING_REQUEST_JOB;
  readonly perGroup = 1;
  readonly perWorkspace = 10;
  readonly leaseMs = 30_000;

  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly mailer: Mailer,
    private readonly accounts: MailAccounts,
    private readonly texts: MailTexts,
    private readonly ratings: RatingsService,
    private readonly askers: RatingAskers,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  consume(events: readonly OutboxEvent[]): Promise<void> {
    return askLater(this.database, events, {
      kind: RATING_REQUEST_JOB,
      where: `w.settings ->> 'csat_request' = 'true'`,
    });
  }

  async perform(job: Job): Promise<JobOutcome> {
    // Without a mail server a request would only wait, and ask about what is long forgotten.
    if ((await this.accounts.current()) === null) return {};
    return { settle: () => this.ask(job.subject_id) };
  }

  /** Looks at everything as it is now: nobody is asked about what was reopened or rated, or where it is no longer wanted. */
  private async ask(ticketId: number): Promise<void> {
    const [ticket] = await this.database.query<Asked>(ASKED, [currentWorkspaceId(), ticketId]);
    if (!ticket || !isDone(ticket.status) || ticket.is_rated || (await this.askers.isAskedElsewhere(ticketId))) return;
    const requester = cleanAddress(ticket.requester_email ?? '');
    if (requester === null) return;
    const { rating_url } = await this.ratings.linkOf(ticketId);
    const values = {
      'ticket.code': ticket.code,
      'ticket.subject': ticket.subject,
      'requester.name': ticket.requester_name ?? requester,
      'workspace.name': ticket.workspace,
    };
    const written = await this.texts.written(ratingRequestMail, ticket.language, values, ticket.custom_fields);
    const { subject, text, language } = written;
    await this.mailer.queue({
      to: [requester],
      ...{ subject, text },
      letter: {
        format: 'markdown',
        language,
        choices: ratingChoices(rating_url, language),
        signed: true,
        reference: ticket.code,
      },
      about: { id: ticketId, name: ticket.code },
      once: `rating:${ticketId}:${resolutionOf(ticket)}`,
    });
  }
}

const ASKED = `
  SELECT t.code, t.subject, t.status, t.reopened_count, t.requester_email, ${requesterName('t.requester_name', 't.contact_id')} AS requester_name, t.custom_fields, w.name AS workspace, (${languageOfAddress('t.requester_email')}) AS language,
    EXISTS (SELECT FROM ticket_ratings r WHERE r.workspace_id = t.workspace_id AND r.ticket_id = t.id AND r.resolution = t.reopened_count + 1) AS is_rated
  FROM tickets t JOIN workspaces w ON w.id = t.workspace_id
  WHERE t.workspace_id = $1 AND t.id = $2 AND t.merged_into_id IS NULL AND w.settings ->> 'csat_request' = 'true'`;
