import { ApiProperty, PartialType } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { isIsoTimestamp } from '../../../platform/columns/column-validators';
import { BodyOf, MembersOf } from '../../../platform/columns/bodies';
import { IfGiven, IfPresent } from '../../../platform/validation/shapes';
import { AttachmentIds } from '../../attachments/holders/attachment-ids';
import { KbArticle } from './article.entity';

const writable = [
  'title',
  'slug',
  'body',
  'excerpt',
  'status',
  'publish_mode',
  'visibility',
  'category_id',
  'author_id',
  'language',
  'translation_of_id',
  'tags',
  'keywords',
  'company_ids',
  'is_pinned',
  'position',
  'ai_enabled',
  'source_ticket_id',
  'change_note',
  'review_due_at',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(KbArticle, writable)
export class CreateKbArticle extends MembersOf(KbArticle, writable, ['title', 'body']) {
  @AttachmentIds()
  attachment_ids?: readonly number[];
}

@BodyOf(KbArticle, writable)
export class UpdateKbArticle extends PartialType(CreateKbArticle, { skipNullProperties: false }) {}

/** `POST /kb/articles/{id}/view` */
export class CountViews {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: 10_000,
    required: false,
    default: 1,
    description: 'Views to count; a portal may collect them.',
  })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(10_000)
  count?: number;
}

/** `POST /kb/articles/{id}/review` */
export class ReviewKbArticle {
  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    required: false,
    description: 'When the next review is due; none unless given.',
  })
  @IfPresent()
  @isIsoTimestamp()
  review_due_at?: string | null;
}
