import { getSchemaPath } from '@nestjs/swagger';
import { Entity } from 'typeorm';
import { CurrencyColumn } from '../../../platform/money/currency';
import { BooleanColumn, ComputedColumn, IntegerColumn, StringColumn } from '../../../platform/columns/columns';
import { ResourceEntity } from '../../../platform/resource/resource-entity';
import { counterTotal } from '../../../platform/counters/counter-sql';
import { LAST_PLACE } from '../../../platform/resource/last-place';
import { openValue, openValues, stagesOf } from './pipeline-sql';
import type { Computed } from '../../../platform/resource/rows';

/** The way of deals from the first contact to the end: product reference 1.16. */
@Entity('pipelines')
export class Pipeline extends ResourceEntity {
  @StringColumn({ required: true, max: 120, description: 'Unique in the workspace, case aside.', example: 'Renewals' })
  name: string;

  @StringColumn({ nullable: true, max: 1_000 })
  description: string | null;

  @BooleanColumn({
    default: false,
    description: 'Where deals go that name no pipeline. Exactly one is: making it this one unmakes the other.',
  })
  is_default: boolean;

  @BooleanColumn({ default: true, description: 'No deal comes into an inactive pipeline.' })
  is_active: boolean;

  @IntegerColumn({ min: 1, max: LAST_PLACE, description: 'Order of the pipelines; at the end unless given.' })
  position: number;

  @CurrencyColumn({ nullable: true, description: 'Of new deals; null = the currency of the workspace.' })
  currency: string | null;

  @ComputedColumn(
    {
      type: 'array',
      items: { $ref: getSchemaPath('Stage') },
      description: 'All stages, in order, as `GET /crm/stages/{id}` shows them.',
    },
    stagesOf,
  )
  stages: Computed<Record<string, unknown>[]>;

  @ComputedColumn({ type: 'integer', description: 'Open deals in the pipeline.' }, (pipeline) =>
    counterTotal(pipeline, 'deals', [`= 'open'`, `= ${pipeline}.id::text`, null]),
  )
  open_deal_count: Computed<number>;

  @ComputedColumn(
    { type: 'number', description: "Value of the open deals in the pipeline's (else the workspace's) currency." },
    openValue,
  )
  open_value: number;

  @ComputedColumn(
    {
      type: 'object',
      additionalProperties: { type: 'number' },
      description: 'Value of the open deals by currency.',
      example: { EUR: 12_000 },
    },
    openValues,
  )
  open_values: Computed<Record<string, number>>;
}
