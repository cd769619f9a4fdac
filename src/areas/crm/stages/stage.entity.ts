import { Entity } from 'typeorm';
import {
  ComputedColumn,
  EnumColumn,
  IntegerColumn,
  ReferenceColumn,
  StringColumn,
} from '../../../platform/columns/columns';
import { ResourceEntity } from '../../../platform/resource/resource-entity';
import { counterTotal } from '../../../platform/counters/counter-sql';
import { DEAL_STATUSES } from '../crm-values';
import type { Computed, OneOf } from '../../../platform/resource/rows';

/** A step of a pipeline: product reference 1.16. */
@Entity('stages')
export class Stage extends ResourceEntity {
  @ReferenceColumn('pipelines', { required: true, description: 'Fixed at creation.' })
  pipeline_id: number;

  @StringColumn({ required: true, max: 120, description: 'Unique in the pipeline, case aside.', example: 'Contract' })
  name: string;

  @IntegerColumn({
    min: 1,
    max: 1_000,
    description: 'Place in the pipeline, from 1 without gaps; the others make room. Default: behind the open stages.',
  })
  position: number;

  @EnumColumn(DEAL_STATUSES, {
    default: 'open',
    description: 'Fixed at creation. Every pipeline has exactly one stage for won and one for lost deals.',
  })
  type: OneOf<typeof DEAL_STATUSES>;

  @IntegerColumn({
    min: 0,
    max: 100,
    description:
      'Of winning, for the deals in the stage: 100 when won, 0 when lost. Default: that of the stage before.',
    example: 80,
  })
  probability: number;

  @IntegerColumn({
    nullable: true,
    min: 1,
    max: 3_650,
    description: 'Days after which a deal in the stage is rotten; null = never. For open stages only.',
    example: 14,
  })
  rotten_days: number | null;

  @StringColumn({ nullable: true, max: 7, pattern: /^#[0-9a-fA-F]{6}$/, example: '#2f80ed' })
  color: string | null;

  @ComputedColumn({ type: 'integer', description: 'Deals in the stage.' }, (stage) =>
    counterTotal(stage, 'deals', [null, null, `= ${stage}.id::text`]),
  )
  deal_count: Computed<number>;
}
