import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayUnique, IsArray, IsInt, Max, Min } from 'class-validator';
import { IdParameter } from '../../../platform/query/members';
import { BodyOf, MembersOf } from '../../../platform/columns/bodies';
import { MAX_STAGES } from './stage-plan';
import { Stage } from './stage.entity';

const writable = [
  'pipeline_id',
  'name',
  'position',
  'type',
  'probability',
  'rotten_days',
  'color',
  'external_id',
  'custom_fields',
] as const;
const fixed = ['pipeline_id', 'type'] as const;

const without = (names: readonly string[]): string[] => writable.filter((name) => !names.includes(name));

@BodyOf(Stage, writable)
export class CreateStage extends MembersOf(Stage, writable, ['pipeline_id', 'name']) {}

/** Below a pipeline the path names it. */
@BodyOf(Stage, without(['pipeline_id']))
export class CreateStageOfPipeline extends OmitType(CreateStage, ['pipeline_id']) {}

@BodyOf(Stage, without(fixed))
export class UpdateStage extends PartialType(OmitType(CreateStage, fixed), { skipNullProperties: false }) {}

/** `POST /crm/pipelines/{id}/stages/reorder` */
export class ReorderStages {
  @ApiProperty({
    type: 'array',
    items: { type: 'integer', format: 'int64' },
    maxItems: MAX_STAGES,
    required: true,
    description: 'Every stage of the pipeline, once, in the new order.',
    example: [2, 1, 3, 4, 5, 6],
  })
  @IsArray()
  @ArrayMaxSize(MAX_STAGES)
  @ArrayUnique()
  @IsInt({ each: true })
  @Min(1, { each: true })
  @Max(Number.MAX_SAFE_INTEGER, { each: true })
  stage_ids: number[];
}

/** Parameters of `DELETE /crm/stages/{id}`. */
export class RemoveStage {
  @IdParameter({ description: 'Id of another open stage of the pipeline that takes the deals.' })
  move_deals_to?: number;
}
