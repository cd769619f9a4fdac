import { Injectable } from '@nestjs/common';
import type { QuotedMessage } from './letter/letter';

/** Answers the messages before the one of that id, newest first, bounded. Inside a unit of work of the workspace. */
export type HistorySource = (id: number) => Promise<readonly QuotedMessage[]>;

/** Earlier messages that mails repeat below their own. Mails keep no copy of them: they are asked for when a mail leaves. */
@Injectable()
export class MailHistories {
  private readonly sources = new Map<string, HistorySource>();

  /** @param kind first part of `LetterParts.history`: `comment` of `comment:12` */
  provide(kind: string, source: HistorySource): void {
    this.sources.set(kind, source);
  }

  /** @param history `comment:12`; nothing for a mail that has none */
  async of(history: string | undefined): Promise<readonly QuotedMessage[]> {
    const [kind = '', id = ''] = history?.split(':') ?? [];
    return (await this.sources.get(kind)?.(Number(id))) ?? [];
  }
}
