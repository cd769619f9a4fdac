import { checkTemplate, renderTemplate, variablesOf } from '../../conditions/template';
import type { FieldSpec } from '../../conditions/condition';
import { FieldSet } from '../../conditions/field-set';
import { FIELD_PREFIX } from '../../fields/field-definition';
import type { ErrorDetail } from '../../errors/api-error';
import { note } from '../../conditions/check-conditions';
import { languageOfTag } from '../../text/language';

/** What a text may name. */
export interface MailVariable {
  description: string;
  /** What a preview shows. */
  example: string;
  /** Its value is Markdown and stands as it is; any other is shown as it was written. */
  isMarkdown?: boolean;
  /** A text without it would say nothing. */
  required?: boolean;
}

/** What a mail says: a subject, and Markdown. Both may have variables, `{{ticket.code}}`. */
export interface MailText {
  subject: string;
  text: string;
}

/** A kind of mail whose text a workspace may write itself. The buttons, tables and files around it are the service's. */
export interface MailKind<Name extends string = string> {
  /** In snake case; unique. */
  readonly key: string;
  readonly description: string;
  readonly variables: Readonly<Record<Name, MailVariable>>;
  /** Singular name of the record that it is about: texts may name its custom fields that customers see, `{{ticket.custom_fields.site}}`. */
  readonly fieldsOf?: string;
  /** By language (`de`); what a workspace writes takes their place. */
  readonly texts: Readonly<Record<string, MailText>> & { readonly en: MailText };
}

/** Declares a kind of mail; an area names it in `mails`. */
export function defineMail<const Name extends string>(kind: MailKind<Name>): MailKind<Name> {
  return kind;
}

/** The text of a workspace or of the service, for one language. */
export interface ChosenText extends MailText {
  language: string;
  isOwn: boolean;
}

/**
 * The text that is used: in the first of the languages that has one, the workspace's own before ours.
 *
 * @param own what the workspace has written, by language
 * @param languages BCP 47 tags, most wanted first
 */
export function chosenText(
  kind: MailKind,
  own: ReadonlyMap<string, MailText>,
  languages: readonly string[],
): ChosenText {
  for (const language of languages.map(languageOfTag)) {
    const text = own.get(language) ?? kind.texts[language];
    if (text) return { ...text, language, isOwn: own.has(language) };
  }
  return { ...(own.get('en') ?? kind.texts.en), language: 'en', isOwn: own.has('en') };
}

/** Name of the variable of a custom field. */
export function fieldVariable(object: string, key: string): string {
  return `${object}.${FIELD_PREFIX}${key}`;
}

/** A text with its variables put in. */
export function filledText(
  { subject, text }: MailText,
  kind: MailKind,
  values: Readonly<Record<string, unknown>>,
): MailText {
  const value = (name: string): unknown => values[name];
  const escape = (name: string): 'none' | 'markdown' =>
    kind.variables[name]?.isMarkdown === true ? 'none' : 'markdown';
  return { subject: renderTemplate(subject, value), text: renderTemplate(text, value, escape) };
}

/**
 * Adds what is wrong with a text of that kind.
 *
 * @param fields names of the variables of custom fields
 */
export function checkText(
  kind: MailKind,
  { subject, body }: { subject?: string; body?: string },
  fields: readonly string[],
  problems: ErrorDetail[],
): void {
  const names = [...new Set([...Object.keys(kind.variables), ...fields])];
  const variables = new FieldSet(new Map(names.map((name): [string, FieldSpec] => [name, { type: 'text' }])));
  if (subject !== undefined) checkTemplate('subject', subject, variables, problems);
  if (body === undefined) return;
  checkTemplate('body', body, variables, problems);
  const used = variablesOf(body);
  const missing = names.filter((name) => kind.variables[name]?.required === true && !used.includes(name));
  for (const name of missing) note(problems, 'body', 'missing_variable', `must have {{${name}}}`);
}
