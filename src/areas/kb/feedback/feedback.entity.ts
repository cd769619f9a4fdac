import { Entity } from 'typeorm';
import { BooleanColumn, IntegerColumn, ReferenceColumn, StringColumn } from '../../../platform/columns/columns';
import { ResourceEntity } from '../../../platform/resource/resource-entity';

/** What a reader said about an article. */
@Entity('kb_article_feedback')
export class KbArticleFeedback extends ResourceEntity {
  @ReferenceColumn('kb_articles', { readOnly: true })
  article_id: number;

  @IntegerColumn({
    readOnly: true,
    nullable: true,
    description: 'The version that readers saw; null when none was live.',
  })
  version_number: number | null;

  @BooleanColumn({ required: true, description: 'Whether it helped.', example: true })
  helpful: boolean;

  @BooleanColumn({ default: false, description: 'The reader needs no ticket any more; only with `helpful: true`.' })
  deflected: boolean;

  @StringColumn({ max: 2_000, nullable: true, example: 'The menu is called "Sign-in" now.' })
  comment: string | null;

  @ReferenceColumn('contacts', {
    nullable: true,
    description: 'Who said it. A contact has one opinion of an article: the newest counts.',
  })
  contact_id: number | null;

  @ReferenceColumn('tickets', { nullable: true, description: 'The ticket that the article was offered for.' })
  ticket_id: number | null;
}
