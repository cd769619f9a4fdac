import { Column, Entity } from 'typeorm';
import {
  ComputedColumn,
  EnumColumn,
  IntegerColumn,
  ReferenceColumn,
  StringColumn,
} from '../../../platform/columns/columns';
import { ResourceEntity } from '../../../platform/resource/resource-entity';
import { counterTotal } from '../../../platform/counters/counter-sql';
import { LAST_PLACE } from '../../../platform/resource/last-place';
import { VISIBILITIES } from '../articles/article-values';
import { IsLanguageTag, writtenLanguage } from '../text/language-tag';
import type { Computed, OneOf } from '../../../platform/resource/rows';

/** A shelf of the knowledge base; a tree of at most three levels: product reference 1.8. */
@Entity('kb_categories')
export class KbCategory extends ResourceEntity {
  @StringColumn({
    required: true,
    max: 120,
    description: 'Unique under the parent and per language, case aside.',
    example: 'Billing questions',
  })
  name: string;

  @StringColumn({
    max: 80,
    description: 'Unique per language. Follows the name unless you choose one; an empty one is made of the name again.',
  })
  slug: string;

  @StringColumn({ max: 2_000, nullable: true })
  description: string | null;

  @ReferenceColumn('kb_categories', { nullable: true, description: 'At most three levels, no cycles.' })
  parent_id: number | null;

  @StringColumn({ max: 64, nullable: true, example: 'rocket' })
  icon: string | null;

  @IntegerColumn({ min: 0, max: LAST_PLACE, description: 'Order among siblings; last unless given.', example: 1 })
  position: number;

  @EnumColumn(VISIBILITIES, { default: 'public', description: 'Holds for everything below, too.' })
  visibility: OneOf<typeof VISIBILITIES>;

  @StringColumn({
    max: 35,
    description: 'BCP 47; the locale of the workspace unless given.',
    example: 'en',
    written: writtenLanguage,
  })
  @IsLanguageTag()
  language: string;

  @ComputedColumn({ type: 'integer', description: 'Articles directly in it, of any status.' }, (category) =>
    counterTotal(category, 'kb_articles_by_category', [`= ${category}.id::text`, null, null]),
  )
  article_count: Computed<number>;

  @Column({ type: 'boolean' })
  slug_given: boolean;
}
