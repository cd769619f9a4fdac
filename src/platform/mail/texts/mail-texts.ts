import { Injectable } from '@nestjs/common';
import { workspaceLocale } from '../../auth/workspace-settings';
import { Database } from '../../database/database';
import { chosenText, filledText, type MailKind, type MailText } from './mail-kind';

/** A mail's words: its subject, Markdown, and the language of both. */
export interface WrittenText extends MailText {
  language: string;
}

/** What the current workspace has written for a kind, by language. Inside a unit of work. */
export type OwnTexts = (kind: string) => Promise<ReadonlyMap<string, MailText>>;

/** Knows what mails say: in the workspace's own words where it has written some, else in ours, in the language of who reads them. */
@Injectable()
export class MailTexts {
  private own: OwnTexts = () => Promise.resolve(new Map());

  constructor(private readonly database: Database) {}

  /** Sets who knows what workspaces have written. */
  provide(own: OwnTexts): void {
    this.own = own;
  }

  /**
   * What a mail of that kind says. Inside a unit of work.
   *
   * @param language BCP 47 tag of who reads it; null = that of the workspace
   */
  async written<Name extends string>(
    kind: MailKind<Name>,
    language: string | null,
    values: Readonly<Record<Name, unknown>>,
  ): Promise<WrittenText> {
    const languages = [...(language === null ? [] : [language]), await workspaceLocale(this.database)];
    const chosen = chosenText(kind, await this.own(kind.key), languages);
    return { ...filledText(chosen, kind, values), language: chosen.language };
  }
}
