import { Column, Entity, PrimaryColumn } from 'typeorm';
import {
  BooleanColumn,
  ComputedColumn,
  EnumColumn,
  IntegerColumn,
  LooseIdColumn,
  ReferenceColumn,
  StringColumn,
  TagsColumn,
  TextColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import { ARTICLE_STATUSES, MAX_BODY } from '../articles/article-values';
import type { Computed, OneOf } from '../../../platform/resource/rows';

const readOnly = true;

/** What an article said at some time. */
@Entity('kb_article_versions')
export class KbArticleVersion {
  @PrimaryColumn({ type: 'bigint' })
  @ComputedColumn({ type: 'integer', format: 'int64' }, (version) => `${version}.id`)
  id: Computed<number>;

  @Column({ type: 'bigint' })
  workspace_id: number;

  @ReferenceColumn('kb_articles', { readOnly })
  article_id: number;

  @IntegerColumn({ readOnly, description: '1 is the first.' })
  number: number;

  @StringColumn({ readOnly, max: 255 })
  title: string;

  @TextColumn({ readOnly, max: MAX_BODY, description: 'Markdown.' })
  body: string;

  @StringColumn({ readOnly, max: 300 })
  excerpt: string;

  @BooleanColumn({ readOnly, description: 'Whether the excerpt was written, not made of the text.' })
  excerpt_given: boolean;

  @StringColumn({ readOnly, max: 35 })
  language: string;

  @TagsColumn({ readOnly })
  tags: string;

  @TagsColumn({ readOnly })
  keywords: string;

  @EnumColumn(ARTICLE_STATUSES, { readOnly, description: 'Status of the article when the version was written.' })
  status: OneOf<typeof ARTICLE_STATUSES>;

  @StringColumn({ readOnly, max: 500, nullable: true })
  change_note: string | null;

  @IntegerColumn({ readOnly, nullable: true, description: 'Number of the version it brought back.' })
  restored_from: number | null;

  @StringColumn({ readOnly, max: 20, description: 'Who wrote it: `user`, `token`, `automation`, `import` …' })
  editor_type: string;

  @LooseIdColumn({ readOnly, nullable: true })
  editor_id: number | null;

  @StringColumn({ readOnly, max: 255 })
  editor_name: string;

  @TimestampColumn({ readOnly, nullable: true, description: 'When readers first saw it; null when they never did.' })
  published_at: string | null;

  @ComputedColumn(
    { type: 'boolean', description: 'Whether readers see it now.' },
    (version) =>
      `EXISTS (SELECT FROM kb_articles a WHERE a.workspace_id = ${version}.workspace_id AND a.id = ${version}.article_id AND a.live_version = ${version}.number)`,
  )
  is_live: Computed<boolean>;

  @TimestampColumn({ readOnly })
  created_at: string;
}
