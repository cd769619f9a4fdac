import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { MailAccounts } from '../../../platform/mail/mail-accounts';
import { Mailer, type NewMail } from '../../../platform/mail/mailer';
import { MailTexts, type WrittenText } from '../../../platform/mail/texts/mail-texts';
import type { JobHandler, Job, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import { awaitsAnswer } from '../quote-status';
import { customerWords } from '../page/customer-words';
import { activeUsers } from '../../users/user-lookup';
import { type LoadedQuote, QuoteDocuments } from './quote-documents.service';
import { formatsOf } from './formats';
import { quoteMail } from './quote.mail';

/** Kind of the job that mails a quote to its recipient; its subject is the quote. */
export const QUOTE_MAIL = 'quote-mail';

/** Largest document that goes along, in bytes; above it the link has to do. */
const MAX_ATTACHED = 2_000_000;

/** Mails a quote that was sent: the link to its page, and the document. Does nothing where no account could send it. */
@Injectable()
export class QuoteMail implements JobHandler, OnModuleInit {
  readonly kind = QUOTE_MAIL;
  readonly perGroup = 2;
  readonly perWorkspace = 2;
  readonly leaseMs = 60_000;

  constructor(
    private readonly queue: JobQueue,
    private readonly database: Database,
    private readonly accounts: MailAccounts,
    private readonly documents: QuoteDocuments,
    private readonly mailer: Mailer,
    private readonly texts: MailTexts,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async perform({ subject_id: id }: Job): Promise<JobOutcome> {
    const quote = await this.documents.find(id);
    if (!quote || !awaitsAnswer(quote.status) || (await this.accounts.current()) === null) return {};
    const { recipient_email: to, public_url: url } = quote.row;
    if (to === null || url === null) return {};
    const { content } = await this.documents.file(quote);
    const pdf = Buffer.from(content);
    const said = await this.database.transaction(() =>
      this.texts.written(quoteMail, quote.document.locale, valuesOf(quote, to), quote.row.custom_fields),
    );
    const owner = await this.ownerOf(quote);
    const mail = {
      ...letter(quote, { to, url }, said.facts, owner, pdf.length <= MAX_ATTACHED ? pdf : null),
      subject: said.subject,
      text: said.text,
    };
    return { settle: () => this.mailer.queue(mail).then(() => undefined) };
  }

  /** Answers go to who answers for the quote. */
  private ownerOf({ row }: LoadedQuote): Promise<string | undefined> {
    return this.database.transaction(async () => {
      const [owner] = await activeUsers(this.database, [Number(row.owner_id)]);
      return owner?.email;
    });
  }
}

function valuesOf({ row, document }: LoadedQuote, to: string): Record<keyof typeof quoteMail.variables, string> {
  const { number, title, seller, locale } = document;
  return {
    'quote.number': number,
    'quote.title': title,
    'quote.valid_until': formatsOf(locale, row.currency).day(row.valid_until),
    'recipient.name': row.parties?.contact ?? to,
    'workspace.name': seller,
  };
}

function letter(
  { row, document }: LoadedQuote,
  { to, url }: { to: string; url: string },
  fields: WrittenText['facts'],
  replyTo: string | undefined,
  pdf: Buffer | null,
): Omit<NewMail, 'subject' | 'text'> {
  const { number, title, facts, sums, locale } = document;
  const customer = customerWords(locale);
  return {
    to: [to],
    ...(replyTo === undefined ? {} : { reply_to: replyTo }),
    letter: {
      format: 'markdown',
      language: locale,
      heading: title,
      facts: [...facts, ...fields, ...sums.slice(-1)].filter(([label]) => label !== ''),
      button: { label: customer.open, url },
      signed: true,
      reference: number,
    },
    once: `quote-sent-${row.id}`,
    attachments: pdf
      ? [{ filename: `${number}.pdf`, content_type: 'application/pdf', content: pdf.toString('base64') }]
      : [],
  };
}
