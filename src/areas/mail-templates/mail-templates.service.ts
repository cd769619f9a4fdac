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
import { checkText, chosenText, filledText, type MailKind, type MailText } from '../../platform/mail/texts/mail-kind';
import { MailTexts } from '../../platform/mail/texts/mail-texts';
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
  ) {}

  onModuleInit(): void {
    this.texts.provide((kind) => this.own(kind));
  }

  /** Every kind, with its variables and what it says by itself. */
  kinds(): MailTemplateKind[] {
    return MAIL_KINDS.map(({ key, description, variables, texts }) => ({
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
    return this.templates.create(body, (values) => {
      requireText(kindOf(body.kind), { subject: values.subject, body: values.body });
      return undefined;
    });
  }

  update(id: number, body: UpdateMailTemplate, expected: ExpectedVersions): Promise<SingleResult> {
    return this.templates.update(id, body, expected, ({ kind }, values) => {
      requireText(kindOf(kind), { subject: values.subject, body: values.body });
      return { values };
    });
  }

  /** The mail with its examples, as it would be read now. Sends nothing. */
  async preview({ kind: key, language, subject, body }: PreviewMailTemplate): Promise<MailTemplatePreview> {
    const kind = kindOf(key);
    requireText(kind, { subject, body });
    const { used, signature } = await this.database.transaction(async () => {
      const languages = [language ?? (await workspaceLocale(this.database))];
      const settings = await workspaceSettings<MailIdentity>(this.database);
      return { used: chosenText(kind, await this.own(key), languages), signature: settings.mail_signature ?? null };
    });
    const examples = Object.fromEntries(Object.entries(kind.variables).map(([name, { example }]) => [name, example]));
    const shown = filledText({ subject: subject ?? used.subject, text: body ?? used.text }, kind, examples);
    const brand = await this.brands.current();
    const letter = { ...shown, format: 'markdown', language: language ?? used.language, signed: true } as const;
    const { html, text } = await this.letters.compose({ letter, brand, signature });
    // Without a mail program there is nobody who would look for the picture among the files.
    const whole = html.replaceAll(`cid:${LOGO_CID}`, `data:image/png;base64,${brand.logo?.png ?? ''}`);
    const is_default = !used.isOwn && subject === undefined && body === undefined;
    return { language: letter.language, is_default, subject: shown.subject, html: whole, text };
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

/** 422 for variables that the kind does not have, and without those that it must have. */
function requireText(kind: MailKind, text: { subject: string | undefined; body: string | undefined }): void {
  const problems: ErrorDetail[] = [];
  const { subject, body } = text;
  checkText(kind, { ...(subject === undefined ? {} : { subject }), ...(body === undefined ? {} : { body }) }, problems);
  refuseProblems(problems);
}
