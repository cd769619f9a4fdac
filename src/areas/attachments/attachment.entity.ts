import { Column, Entity } from 'typeorm';
import {
  BooleanColumn,
  ComputedColumn,
  EnumColumn,
  IntegerColumn,
  ReferenceColumn,
  StringColumn,
} from '../../platform/columns/columns';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import type { Computed, OneOf } from '../../platform/resource/rows';
import { contentPath } from './attachment-address';

export const SCANS = ['clean', 'unscanned'] as const;

/** A file, of the record that it hangs on; of none until a record names it. Its content never changes. */
@Entity('attachments')
export class Attachment extends ResourceEntity {
  @StringColumn({ max: 255, readOnly: true, example: 'jam.jpg' })
  filename: string;

  @StringColumn({ max: 127, readOnly: true, example: 'image/jpeg', description: 'What the content is, by its bytes.' })
  content_type: string;

  @StringColumn({ max: 127, nullable: true, readOnly: true, description: 'What its sender said that it is.' })
  declared_type: string | null;

  @IntegerColumn({ min: 0, readOnly: true, example: 184_320, description: 'Bytes.' })
  size: number;

  @StringColumn({ max: 64, readOnly: true, description: 'Of the content, hexadecimal.' })
  sha256: string;

  @EnumColumn(SCANS, { readOnly: true, description: '`clean`: a virus scanner found nothing in it.' })
  scan: OneOf<typeof SCANS>;

  @BooleanColumn({ default: false, readOnly: true, description: 'A picture within the text of a mail.' })
  is_inline: boolean;

  @StringColumn({ max: 255, nullable: true, readOnly: true, description: 'What that text calls it (`cid:`).' })
  content_id: string | null;

  @ReferenceColumn('tickets', { nullable: true, readOnly: true, description: 'Also that of the comment.' })
  ticket_id: number | null;

  @ReferenceColumn('ticket_comments', { nullable: true, readOnly: true })
  comment_id: number | null;

  @ReferenceColumn('kb_articles', { nullable: true, readOnly: true })
  article_id: number | null;

  @ReferenceColumn('quotes', { nullable: true, readOnly: true })
  quote_id: number | null;

  @ReferenceColumn('channel_messages', { nullable: true, readOnly: true })
  message_id: number | null;

  @ReferenceColumn('users', { nullable: true, readOnly: true, description: 'Whose picture it is.' })
  user_id: number | null;

  @ComputedColumn({ type: 'string', example: '/v1/attachments/7/content' }, (alias) => contentPath(`${alias}.id`))
  url: Computed<string>;

  @Column('text')
  storage_key: string;

  /** The user who sent it; null where none did. Until a record names it, it is theirs. */
  @Column({ type: 'bigint', nullable: true })
  sent_by: number | null;
}
