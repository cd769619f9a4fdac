import { Injectable, type OnModuleInit } from '@nestjs/common';
import { workspaceLocale, workspaceSettings } from '../../platform/auth/workspace-settings';
import { Brands } from '../../platform/brand/brands';
import { Database } from '../../platform/database/database';
import type { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../platform/database/workspace-repository.module';
import { type ErrorDetail, invalid, refuseProblems } from '../../platform/errors/api-error';
import type { SingleResult } from '../../platform/http/results';
import { LOGO_CID } from '../../platform/mail/letter/letter';
import { MailLetters } from '../../platform/mail/letter/mail-letters';
import type { MailIdentity } from '../../platform/mail/mail-identity';
import {
  checkText,
  chosenText,
  fieldVariable,
  filledText,
  type MailKind,
  type MailText,
  type MailVariable,
} from '../../platform/mail/texts/mail-kind';
import { MailTexts } from '../../platform/mail/texts/mail-texts';
import type { FieldDefinition } from '../../platform/fields/field-definition';
import { fieldText } from '../../platform/fields/field-text';
import { CustomerFields } from '../../platform/resource/customer-fields';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import type {
  CreateMailTemplate,
  MailTemplateKind,
  MailTemplatePreview,
  PreviewMailTemplate,
  UpdateMailTemplate,
} from './mail-template.dto';
import { MailTemplate } from './mail-template.entity';
import { MAIL_KINDS } from './mail-kinds';

/** What workspaces write in place of the service's own mails. */
@Injectable()
export class MailTemplatesService implements OnModuleInit {
  constructor(
    @InjectStore(MailTemplate) private readonly templates: Store<MailTemplate>,
    @InjectWorkspaceRepository(MailTemplate) private readonly rows: WorkspaceRepository<MailTemplate>,
    private readonly database: Database,
    private readonly texts: MailTexts,
    private readonly brands: Brands,
    private readonly letters: MailLetters,
    private readonly fields: CustomerFields,
  ) {}

  onModuleInit(): void {
    this.texts.provide((kind) => this.own(kind));
  }

  /** Every kind, with its variables and what it says by itself. */
  async kinds(): Promise<MailTemplateKind[]> {
    const kinds = await Promise.all(
      MAIL_KINDS.map(async (kind) => ({ ...kind, variables: await this.variables(kind) })),
    );
    return kinds.map(({ key, description, variables, texts }) => ({
      kind: key,
      description,
      variables: Object.entries(variables).map(([name, { description: about, example, required = false }]) => ({
        name,
        description: about,
        example,
        required,
      })),
      defaults: Object.fromEntries(
        Object.entries(texts).map(([language, { subject, text: body }]) => [language, { subject, body }]),
      ),
    }));
  }

  create(body: CreateMailTemplate): Promise<SingleResult> {
    return this.templates.create(body, async (values) => {
      await this.requireText(kindOf(body.kind), { subject: values.subject, body: values.body });
      return undefined;
    });
  }

  update(id: number, body: UpdateMailTemplate, expected: ExpectedVersions): Promise<SingleResult> {
    return this.templates.update(id, body, expected, async ({ kind }, values) => {
      await this.requireText(kindOf(kind), { subject: values.subject, body: values.body });
      return { values };
    });
  }

  /** The mail with its examples, as it would be read now. Sends nothing. */
  async preview({ kind: key, language, subject, body }: PreviewMailTemplate): Promise<MailTemplatePreview> {
    const kind = kindOf(key);
    await this.requireText(kind, { subject, body });
    const variables = await this.variables(kind);
    const { used, signature } = await this.database.transaction(async () => {
      const languages = [language ?? (await workspaceLocale(this.database))];
      const settings = await workspaceSettings<MailIdentity>(this.database);
      return { used: chosenText(kind, await this.own(key), languages), signature: settings.mail_signature ?? null };
    });
    const examples = Object.fromEntries(Object.entries(variables).map(([name, { example }]) => [name, example]));
    const shown = filledText({ subject: subject ?? used.subject, text: body ?? used.text }, kind, examples);
    const brand = await this.brands.current();
    const letter = { ...shown, format: 'markdown', language: language ?? used.language, signed: true } as const;
    const { html, text } = await this.letters.compose({ letter, brand, signature });
    // Without a mail program there is nobody who would look for the picture among the files.
    const whole = html.replaceAll(`cid:${LOGO_CID}`, `data:image/png;base64,${brand.logo?.png ?? ''}`);
    const is_default = !used.isOwn && subject === undefined && body === undefined;
    return { language: letter.language, is_default, subject: shown.subject, html: whole, text };
  }

  /** The variables of a kind, custom fields that customers see among them. */
  private async variables({ variables, fieldsOf = '' }: MailKind): Promise<Readonly<Record<string, MailVariable>>> {
    const fields = fieldsOf === '' ? [] : await this.fields.visible(fieldsOf);
    const more = fields.map((field): [string, MailVariable] => [
      fieldVariable(fieldsOf, field.key),
      {
        description: `Custom field "${field.label}"; customers see it.`,
        example: fieldText(field, exampleOf(field), 'en') ?? field.label,
      },
    ]);
    return { ...variables, ...Object.fromEntries(more) };
  }

  /** 422 for variables that the kind does not have, and without those that it must have. */
  private async requireText(
    kind: MailKind,
    { subject, body }: { subject: string | undefined; body: string | undefined },
  ): Promise<void> {
    const problems: ErrorDetail[] = [];
    const text = { ...(subject === undefined ? {} : { subject }), ...(body === undefined ? {} : { body }) };
    checkText(kind, text, Object.keys(await this.variables(kind)), problems);
    refuseProblems(problems);
  }

  private async own(kind: string): Promise<ReadonlyMap<string, MailText>> {
    const select = { language: true, subject: true, body: true } as const;
    const found = await this.rows.find({ select, where: { kind, is_active: true } });
    return new Map(found.map(({ language, subject, body: text }) => [language, { subject, text }]));
  }
}

function kindOf(key: string): MailKind {
  const kind = MAIL_KINDS.find((each) => each.key === key);
  const allowed = MAIL_KINDS.map((each) => each.key);
  return kind ?? invalid('kind', 'enum', '"kind" is none of the kinds of mail there are.', { allowed });
}

/** A value that a field could have. */
function exampleOf({ type, options, default_value, label }: FieldDefinition): unknown {
  if (default_value !== null) return default_value;
  const [option = null] = options;
  const examples = { text: label, number: 3, boolean: true, date: '2027-03-01', reference: null };
  return type === 'select' || type === 'multi_select' ? option?.value : examples[type];
}
