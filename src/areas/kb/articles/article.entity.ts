import { Column, Entity } from 'typeorm';
import {
  BooleanColumn,
  ComputedColumn,
  EnumColumn,
  IntegerColumn,
  ReferenceColumn,
  ReferencesColumn,
  StringColumn,
  TagsColumn,
  TextColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import { LAST_PLACE } from '../../../platform/resource/last-place';
import { ResourceEntity } from '../../../platform/resource/resource-entity';
import { IsLanguageTag, writtenLanguage } from '../text/language-tag';
import { ARTICLE_STATUSES, MAX_BODY, PUBLISH_MODES, VISIBILITIES } from './article-values';
import type { Computed, OneOf } from '../../../platform/resource/rows';

const readOnly = true;

/** An article of the knowledge base: product reference 1.7. */
@Entity('kb_articles')
export class KbArticle extends ResourceEntity {
  @StringColumn({ required: true, max: 255, example: 'Reset your password' })
  title: string;

  @StringColumn({
    max: 80,
    description:
      'Unique per language. Made of the title, and follows it until the first publication, unless you choose one; an empty one is made of the title again.',
  })
  slug: string;

  @TextColumn({
    required: true,
    max: MAX_BODY,
    description: 'Markdown, kept as it is sent and never rendered here. Bodies may call it `content`.',
    example: '# Reset your password\n\nOpen **Settings**, then choose *Security*.',
  })
  body: string;

  @StringColumn({
    max: 300,
    description:
      'Beginning of the text without Markdown, unless you write one; an empty one is made of the text again.',
  })
  excerpt: string;

  @EnumColumn(ARTICLE_STATUSES, {
    default: 'draft',
    description:
      '`draft` <-> `in_review` -> `published` -> `archived` -> `draft`; a published article may become a draft.',
  })
  status: OneOf<typeof ARTICLE_STATUSES>;

  @EnumColumn(PUBLISH_MODES, {
    default: 'direct',
    description:
      'What readers see while a published article is a draft again: nothing (`direct`), or the version published last (`staged`).',
  })
  publish_mode: OneOf<typeof PUBLISH_MODES>;

  @EnumColumn(VISIBILITIES, { default: 'public', description: 'Narrowed by `company_ids` and by its category.' })
  visibility: OneOf<typeof VISIBILITIES>;

  @ReferenceColumn('kb_categories', { nullable: true })
  category_id: number | null;

  @ReferenceColumn('users', { nullable: true, description: 'The user of the token unless given.' })
  author_id: number | null;

  @StringColumn({
    max: 35,
    description: 'BCP 47; the locale of the workspace unless given.',
    example: 'en',
    written: writtenLanguage,
  })
  @IsLanguageTag()
  language: string;

  @ReferenceColumn('kb_articles', {
    nullable: true,
    description: 'The original: an article in another language that is no translation itself.',
  })
  translation_of_id: number | null;

  @TagsColumn()
  tags: string;

  @TagsColumn({ description: 'Other words that readers look for it with; searched like the text.' })
  keywords: string;

  @ReferencesColumn('companies', { description: 'Customers of these companies only; of all when empty.' })
  company_ids: number[];

  @BooleanColumn({ default: false })
  is_pinned: boolean;

  @IntegerColumn({ min: 0, max: LAST_PLACE, description: 'Order in its category; last unless given.' })
  position: number;

  @BooleanColumn({ default: true, description: 'The AI engine may answer from it.' })
  ai_enabled: boolean;

  @ReferenceColumn('tickets', { nullable: true, description: 'The ticket it was written for.' })
  source_ticket_id: number | null;

  @StringColumn({ max: 500, nullable: true, description: 'Why the content was changed last; kept with the version.' })
  change_note: string | null;

  @IntegerColumn({ readOnly, description: 'Number of the version you see.' })
  version_number: number;

  @IntegerColumn({ readOnly, nullable: true, description: 'Number of the version that readers see; null when none.' })
  live_version: number | null;

  @TimestampColumn({ readOnly, nullable: true, description: 'First publication.' })
  published_at: string | null;

  @TimestampColumn({ readOnly, nullable: true })
  archived_at: string | null;

  @TimestampColumn({ readOnly, nullable: true, description: 'Last review: an approval, or `POST …/review`.' })
  reviewed_at: string | null;

  @TimestampColumn({ nullable: true, description: 'When somebody should look whether it still holds.' })
  review_due_at: string | null;

  @IntegerColumn({ readOnly, untold: true, default: 0 })
  view_count: number;

  @IntegerColumn({ readOnly, untold: true, default: 0 })
  helpful_count: number;

  @IntegerColumn({ readOnly, untold: true, default: 0 })
  not_helpful_count: number;

  @IntegerColumn({
    readOnly,
    untold: true,
    default: 0,
    description: 'Tickets it made unnecessary, by the word of readers.',
  })
  deflection_count: number;

  @ComputedColumn(
    { type: 'number', description: 'Per cent of the readers that said so whom it helped; null without any.' },
    (row) =>
      `round(100.0 * ${row}.helpful_count / nullif(${row}.helpful_count::bigint + ${row}.not_helpful_count, 0), 2)::float`,
    true,
  )
  helpful_pct: Computed<number | null>;

  @Column({ type: 'boolean' })
  slug_given: boolean;

  @Column({ type: 'boolean' })
  excerpt_given: boolean;
}
