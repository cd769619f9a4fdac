import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../context/current';
import { Database } from '../database/database';
import type { MailFailure } from './mail-failure';

/** Automatic mails that one address outside gets within an hour; more of them is two machines that answer each other. */
export const MOST_PER_HOUR = 30;

/** To whom an automatic mail may go, and why not to the others. */
export interface Admission {
  open: ReadonlySet<string>;
  /** Of the first one that is shut. */
  refusal: MailFailure | null;
}

interface Known {
  address: string;
  is_bounced: boolean;
  is_unwanted: boolean;
  recent: number;
}

/** What is known of addresses: where nothing arrives, who wants no automatic mail, and how much of it each had. Inside a unit of work. */
@Injectable()
export class MailAddresses {
  private readonly listeners: ((address: string, reason: string) => Promise<void>)[] = [];

  constructor(private readonly database: Database) {}

  /** Tells whoever keeps records of people, in the same unit of work, that mail to an address (lower-case) came back for good. */
  onLost(listener: (address: string, reason: string) => Promise<void>): void {
    this.listeners.push(listener);
  }

  /**
   * Which of the addresses (lower-case) an automatic mail may go to.
   *
   * @param about id of the record that it is about
   * @param isInside whether they are those of the workspace's own people, who are told as often as they wish
   */
  async admit(addresses: readonly string[], about: number | null, isInside: boolean): Promise<Admission> {
    const known = await this.database.query<Known>(KNOWN, [currentWorkspaceId(), addresses, about]);
    const open = new Set<string>();
    let refusal: MailFailure | null = null;
    for (const each of known) {
      const why = refusalOf(each, isInside);
      if (why === null) open.add(each.address);
      else refusal ??= why;
    }
    return { open, refusal };
  }

  /** Nothing automatic goes to the address (lower-case) until it is corrected. */
  async shut(address: string, reason: string): Promise<void> {
    await this.database.query(
      `INSERT INTO mail_bounces (workspace_id, address, reason) VALUES ($1, $2, $3)
       ON CONFLICT (workspace_id, address) DO UPDATE SET reason = excluded.reason, created_at = now()`,
      [currentWorkspaceId(), address, reason],
    );
  }

  /** The same because a server said that there is no such mailbox: whoever keeps records of people is told. */
  async lost(address: string, reason: string): Promise<void> {
    await this.shut(address, reason);
    for (const listener of this.listeners) await listener(address, reason);
  }

  /** Somebody has corrected it, or wrote from there. Answers whether it was shut. */
  async reopen(address: string): Promise<boolean> {
    const gone = await this.database.query(
      'DELETE FROM mail_bounces WHERE workspace_id = $1 AND address = $2 RETURNING address',
      [currentWorkspaceId(), address],
    );
    return gone.length > 0;
  }
}

function refusalOf({ is_bounced, is_unwanted, recent }: Known, isInside: boolean): MailFailure | null {
  if (is_bounced) return refused('bounced', 'An earlier mail to this address came back.');
  if (is_unwanted) return refused('unwanted', 'Who wrote from this address asked for no automatic answer.');
  if (recent < MOST_PER_HOUR || isInside) return null;
  return refused('too_many', `The address has had ${MOST_PER_HOUR} automatic mails within an hour.`);
}

function refused(code: string, message: string): MailFailure {
  return { code, message, isPermanent: true };
}

const KNOWN = `
  SELECT a.address,
    EXISTS (SELECT FROM mail_bounces b WHERE b.workspace_id = $1 AND b.address = a.address) AS is_bounced,
    EXISTS (SELECT FROM mail_messages m WHERE m.workspace_id = $1 AND m.ticket_id = $3 AND m.direction = 'in' AND m.sender = a.address
            AND NOT m.is_answerable) AS is_unwanted,
    (SELECT count(*) FROM (SELECT FROM outgoing_mail_recipients r WHERE r.workspace_id = $1 AND r.address = a.address
       AND r.created_at > now() - interval '1 hour' LIMIT ${MOST_PER_HOUR}) n)::integer AS recent
  FROM unnest($2::text[]) WITH ORDINALITY AS a(address, place) ORDER BY a.place`;
