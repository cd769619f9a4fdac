import { Injectable } from '@nestjs/common';
import { workspaceLocale } from '../../auth/workspace-settings';
import { variablesOf } from '../../conditions/template';
import { Database } from '../../database/database';
import type { Fields } from '../../fields/settle-fields';
import { type CustomerField, CustomerFields } from '../../resource/customer-fields';
import { chosenText, fieldVariable, filledText, type MailKind, type MailText } from './mail-kind';

/** A mail's words: its subject, Markdown, the language of both, and what stands below them in a table. */
export interface WrittenText extends MailText {
  language: string;
  /** Custom fields of the record that customers see and that the text does not name itself. */
  facts: readonly (readonly [label: string, value: string])[];
}

/** What the current workspace has written for a kind, by language. Inside a unit of work. */
export type OwnTexts = (kind: string) => Promise<ReadonlyMap<string, MailText>>;

/** Knows what mails say: in the workspace's own words where it has written some, else in ours, in the language of who reads them. */
@Injectable()
export class MailTexts {
  private own: OwnTexts = () => Promise.resolve(new Map());

  constructor(
    private readonly database: Database,
    private readonly fields: CustomerFields,
  ) {}

  /** Sets who knows what workspaces have written. */
  provide(own: OwnTexts): void {
    this.own = own;
  }

  /**
   * What a mail of that kind says. Inside a unit of work.
   *
   * @param language BCP 47 tag of who reads it; null = that of the workspace
   * @param customFields those of the record that it is about (`fieldsOf` of the kind)
   */
  async written<Name extends string>(
    kind: MailKind<Name>,
    language: string | null,
    values: Readonly<Record<Name, unknown>>,
    customFields: Fields = {},
  ): Promise<WrittenText> {
    const languages = [...(language === null ? [] : [language]), await workspaceLocale(this.database)];
    const chosen = chosenText(kind, await this.own(kind.key), languages);
    const object = kind.fieldsOf ?? '';
    const shown = object === '' ? [] : await this.fields.shown(object, customFields, chosen.language);
    const name = ({ key }: CustomerField): string => fieldVariable(object, key);
    const named = new Set(shown.length === 0 ? [] : [...variablesOf(chosen.subject), ...variablesOf(chosen.text)]);
    const fields = Object.fromEntries(shown.map((field) => [name(field), field.value]));
    const facts = shown.filter((field) => !named.has(name(field))).map(({ label, value }) => [label, value] as const);
    return { ...filledText(chosen, kind, { ...values, ...fields }), language: chosen.language, facts };
  }
}
