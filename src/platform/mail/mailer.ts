import { Inject, Injectable } from '@nestjs/common';
import { hostname } from 'node:os';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import { currentWorkspaceId } from '../context/current';
import { Database } from '../database/database';
import { invalid } from '../errors/api-error';
import { JobQueue } from '../queue/job-queue';
import { MailAccounts } from './mail-accounts';
import type { LetterParts } from './letter/letter';
import { type Admission, MailAddresses } from './mail-addresses';
import { cleanAddress, cleanAddresses, domainOf, headerText, parseOneAddress } from './mail-address';
import type { MailAttachment, StoredMailFile } from './mail-attachment';
import { MAIL_JOB } from './mail-deliverer';
import { type MailOutcome, MailOutcomes } from './mail-outcomes';
import { newMessageId } from './message-id';
import { firstCharacters } from '../text/normalise';

const MAX_RECIPIENTS = 50;
const MAX_SUBJECT = 250;
const MAX_BODY = 262_144;
const MAX_THREAD = 20;
const MAX_ATTACHMENTS_BYTES = 5_242_880;

/** A mail to be sent. Addresses are bare (`ada@example.com`); unusable ones are left out. */
export interface NewMail {
  to: readonly string[];
  cc?: readonly string[];
  reply_to?: string;
  subject: string;
  /** What it says; plain, unless `letter` says that it is Markdown. */
  text: string;
  /** What stands around the text, in the layout that every mail has. */
  letter?: LetterParts;
  /** Record it is about: its name becomes part of the Message-ID, and an answer finds its way back to the record. */
  about?: { id: number; name: string };
  in_reply_to?: string;
  references?: readonly string[];
  /** `<…@…>`; made when absent. */
  message_id?: string;
  /** False: a person wrote it. Otherwise it says of itself that it was made automatically, and goes nowhere where that is not wanted. */
  auto?: boolean;
  /** It is for people of the workspace itself, however many of them there are. */
  inside?: boolean;
  /** Of all mails with the same key only the first is sent. */
  once?: string;
  attachments?: readonly MailAttachment[];
  /** It leaves no earlier; ms since 1970. */
  not_before?: number;
  /** Their sizes are the caller's to bound. */
  files?: readonly StoredMailFile[];
}

/** A mail that has left. */
export interface SentMail {
  id: number;
  /** Everyone it went to, lower-case. */
  addresses: string[];
  /** Id of the record that it is about. */
  about: number | null;
}

/** Sends mail, durably: what is queued in a unit of work leaves after its commit, and is tried again when it cannot. */
@Injectable()
export class Mailer {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly accounts: MailAccounts,
    private readonly addresses: MailAddresses,
    private readonly outcomes: MailOutcomes,
    @Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'publicUrl' | 'mailFrom'>,
  ) {}

  /**
   * Queues a mail inside the current unit of work and answers its id in `outgoing_mails`; the id of the first one when
   * `once` was used before.
   *
   * @throws ApiError 422 when no usable recipient is left, or it is too large
   */
  async queue(mail: NewMail): Promise<number> {
    const recipients = cleanAddresses(mail.to);
    const cc = cleanAddresses(mail.cc ?? []).filter((address) => !recipients.includes(address));
    if (recipients.length === 0) invalid('to', 'invalid', 'The mail has no usable recipient.');
    if (recipients.length + cc.length > MAX_RECIPIENTS)
      invalid('to', 'max', `A mail has at most ${MAX_RECIPIENTS} recipients.`, { max: MAX_RECIPIENTS });
    const attachments = mail.attachments ?? [];
    if (attachments.reduce((sum, { content }) => sum + content.length, 0) > MAX_ATTACHMENTS_BYTES * 1.34)
      invalid('attachments', 'max', 'The attachments of a mail are at most 5 MB together.');
    const isAutomatic = mail.auto ?? true;
    const { open, refusal } = isAutomatic ? await this.admission(mail, [...recipients, ...cc]) : EVERYBODY;
    const to = recipients.filter((address) => open?.has(address) ?? true);
    const messageId = mail.message_id ?? newMessageId(mail.about?.name ?? null, await this.host());
    const [row] = await this.database.query<{ id: number; is_new: boolean }>(INSERT, [
      currentWorkspaceId(),
      messageId,
      // One that goes nowhere is kept, with the reason, and sent to nobody.
      to.length > 0 ? to : recipients,
      cc.filter((address) => open?.has(address) ?? true),
      mail.reply_to === undefined ? null : cleanAddress(mail.reply_to),
      headerText(mail.subject, MAX_SUBJECT),
      storable(mail.text).slice(0, MAX_BODY),
      JSON.stringify(mail.letter ?? {}, (_name, value: unknown) =>
        typeof value === 'string' ? storable(value) : value,
      ),
      mail.in_reply_to ?? null,
      (mail.references ?? []).slice(-MAX_THREAD),
      isAutomatic,
      JSON.stringify([...attachments, ...(mail.files ?? [])]),
      mail.about?.id ?? null,
      mail.once ?? null,
      to.length > 0 || refusal === null ? null : JSON.stringify(refusal),
    ]);
    if (!row) throw new Error('A mail was neither queued nor found.');
    const due = mail.not_before === undefined ? {} : { due_at: new Date(mail.not_before).toISOString() };
    if (row.is_new && to.length > 0) await this.jobs.add([{ kind: MAIL_JOB, subject_id: row.id, ...due }]);
    return row.id;
  }

  /**
   * Takes the text out of mails; those that have not left yet are not sent any more. Inside the current unit of work.
   *
   * @param mails by the keys they were queued under (`once`), or by their ids
   * @returns their Message-IDs
   */
  async withdraw({ once = [], ids = [] }: { once?: readonly string[]; ids?: readonly number[] }): Promise<string[]> {
    const mails = await this.database.query<{ message_id: string }>(
      `UPDATE outgoing_mails SET body = '', html = NULL, letter = '{}', attachments = '[]', subject = CASE WHEN id = ANY($3::bigint[]) THEN '' ELSE subject END,
         error = CASE WHEN status = 'queued' THEN $4::jsonb ELSE error END, status = CASE WHEN status = 'queued' THEN 'failed' ELSE status END
       WHERE workspace_id = $1 AND (once_key = ANY($2::text[]) OR id = ANY($3::bigint[])) RETURNING message_id`,
      [currentWorkspaceId(), once, ids, JSON.stringify(WITHDRAWN)],
    );
    return mails.map(({ message_id: messageId }) => messageId);
  }

  /** The mail that left under one of these Message-IDs; null when none of them is one of the last 30 days. */
  async sentAs(messageIds: readonly string[]): Promise<SentMail | null> {
    const [mail] = await this.database.query<SentMail>(
      `SELECT id, recipients || cc AS addresses, ticket_id AS about FROM outgoing_mails
       WHERE workspace_id = $1 AND message_id = ANY($2::text[]) ORDER BY id DESC LIMIT 1`,
      [currentWorkspaceId(), messageIds],
    );
    return mail ?? null;
  }

  /**
   * Notes that a mail that had left did not arrive.
   *
   * @param lost addresses that it went to, lower-case
   * @returns those of which that was not known yet
   */
  async cameBack(id: number, lost: readonly string[], message: string): Promise<string[]> {
    const [mail] = await this.database.query<{ known: string[] }>(
      `SELECT coalesce(error -> 'lost', '[]') AS known FROM outgoing_mails WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
      [currentWorkspaceId(), id],
    );
    const before = mail?.known ?? [];
    const fresh = lost.filter((address) => !before.includes(address));
    if (fresh.length === 0) return [];
    const error = {
      code: 'bounced',
      message: firstCharacters(message, 1_000),
      isPermanent: true,
      lost: [...before, ...fresh],
    };
    const [lostMail] = await this.database.query<{ once_key: string | null; message_id: string }>(
      `UPDATE outgoing_mails SET status = 'failed', error = $3::jsonb WHERE workspace_id = $1 AND id = $2 RETURNING once_key, message_id`,
      [currentWorkspaceId(), id, JSON.stringify(error)],
    );
    if (lostMail)
      await this.outcomes.tell(lostMail.once_key, { status: 'failed', messageId: lostMail.message_id, error });
    return fresh;
  }

  /** What became of the mail with a key; null while it has not left, or there is none. Whoever writes it down waits until the end of the unit of work. */
  async outcomeOf(once: string): Promise<MailOutcome | null> {
    const [mail] = await this.database.query<{ status: string; message_id: string; error: MailOutcome['error'] }>(
      `SELECT status, message_id, error FROM outgoing_mails WHERE workspace_id = $1 AND once_key = $2 FOR SHARE`,
      [currentWorkspaceId(), once],
    );
    if (!mail || (mail.status !== 'sent' && mail.status !== 'failed')) return null;
    return { status: mail.status, messageId: mail.message_id, error: mail.error };
  }

  private admission({ about, inside = false }: NewMail, addresses: readonly string[]): Promise<Admission> {
    return this.addresses.admit(addresses, about?.id ?? null, inside);
  }

  /** Right side of Message-IDs: the domain that the mail leaves from. Where nothing can send yet, the service's own name. */
  private async host(): Promise<string> {
    const { publicUrl, mailFrom } = this.config;
    const sender = domainOf((await this.accounts.senderAddress()) ?? parseOneAddress(mailFrom ?? '')?.address ?? '');
    const name = sender ?? (publicUrl === null ? hostname() : new URL(publicUrl).hostname);
    return name.toLowerCase().replaceAll(/[^a-z\d.-]+/g, '-');
  }
}

/** What a person writes goes to whom it is written to. */
const EVERYBODY: { open: Admission['open'] | null; refusal: null } = { open: null, refusal: null };

const WITHDRAWN = { code: 'withdrawn', message: 'What it was about was deleted before it left.', isPermanent: true };

/** Text that PostgreSQL can hold. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** The conflict's update changes nothing; it makes the first row come back. Its Message-ID is known before it leaves. */
const INSERT = `
  WITH mail AS (
    INSERT INTO outgoing_mails AS m (workspace_id, message_id, recipients, cc, reply_to, subject, body, letter, in_reply_to,
      thread, is_automatic, attachments, ticket_id, once_key, error, status)
    VALUES ($1, $2, $3::text[], $4::text[], $5, $6, $7, $8::jsonb, $9, $10::text[], $11, $12::jsonb, $13, $14, $15::jsonb, CASE WHEN $15::jsonb IS NULL THEN 'queued' ELSE 'failed' END)
    ON CONFLICT (workspace_id, once_key) WHERE once_key IS NOT NULL DO UPDATE SET once_key = m.once_key
    RETURNING id, message_id, ticket_id, (xmax = 0) AS is_new
  ), had AS (
    INSERT INTO outgoing_mail_recipients (workspace_id, mail_id, address)
    SELECT $1, id, unnest($3::text[] || $4::text[]) FROM mail WHERE is_new AND $11 AND $15::jsonb IS NULL
    ON CONFLICT DO NOTHING
  ), thread AS (
    INSERT INTO mail_messages (workspace_id, message_id, direction, ticket_id)
    SELECT $1, message_id, 'out', ticket_id FROM mail WHERE is_new AND ticket_id IS NOT NULL AND $15::jsonb IS NULL
    ON CONFLICT DO NOTHING
  )
  SELECT id, is_new FROM mail`;
