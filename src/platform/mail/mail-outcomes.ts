import { Injectable } from '@nestjs/common';

/** What became of a mail. */
export interface MailOutcome {
  status: 'sent' | 'failed';
  /** Its Message-ID. */
  messageId: string;
  error: { code: string; message: string } | null;
}

/** Hears what became of the mail about a record; in the unit of work that writes it down. */
export type MailListener = (id: number, outcome: MailOutcome) => Promise<void>;

/** Tells what became of mails to who had them written, by the keys that they were queued under. */
@Injectable()
export class MailOutcomes {
  private readonly listeners = new Map<string, MailListener>();

  /** @param kind first part of the key (`NewMail.once`): `comment` of `comment:12` */
  listen(kind: string, listener: MailListener): void {
    this.listeners.set(kind, listener);
  }

  /** Inside the unit of work. @param once key of the mail; nobody hears of one without */
  async tell(once: string | null, outcome: MailOutcome): Promise<void> {
    const [kind = '', id = ''] = once?.split(':') ?? [];
    if (/^\d+$/.test(id)) await this.listeners.get(kind)?.(Number(id), outcome);
  }
}
