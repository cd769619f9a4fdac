import { ApiProperty, PartialType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsDefined, IsObject, IsString, MaxLength, ValidateNested } from 'class-validator';
import { IdParameter } from '../../../platform/query/members';
import { BodyOf, MembersOf } from '../../../platform/columns/bodies';
import { Pipeline } from './pipeline.entity';
import { type AskedStage, MAX_STAGES } from '../stages/stage-plan';
import { Stage } from '../stages/stage.entity';
import { IsNotBlank } from '../../../platform/columns/not-blank';
import { IfGiven } from '../../../platform/validation/shapes';

const writable = [
  'name',
  'description',
  'is_default',
  'is_active',
  'position',
  'currency',
  'external_id',
  'custom_fields',
] as const;

/** A stage inside the body of a new pipeline. */
export class NewPipelineStage extends MembersOf(Stage, ['type', 'probability', 'rotten_days', 'color']) {
  @ApiProperty({ type: 'string', minLength: 1, maxLength: 120, required: true, example: 'Contacted' })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  @IsDefined()
  @IsString()
  @IsNotBlank()
  @MaxLength(120)
  name: string;
}

@BodyOf(Pipeline, [...writable, 'stages'])
export class CreatePipeline extends MembersOf(Pipeline, writable, ['name']) {
  @ApiProperty({
    type: [NewPipelineStage],
    maxItems: MAX_STAGES,
    required: false,
    description:
      'In order. A stage for won and one for lost deals are added where they are missing; without `stages` the standard ones are made.',
    example: [
      { name: 'Contacted', probability: 20 },
      { name: 'Offer made', probability: 60, rotten_days: 14 },
    ],
  })
  @IfGiven()
  @IsArray()
  @ArrayMaxSize(MAX_STAGES)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => NewPipelineStage)
  stages?: AskedStage[];
}

@BodyOf(Pipeline, writable)
export class UpdatePipeline extends PartialType(MembersOf(Pipeline, writable, ['name']), {
  skipNullProperties: false,
}) {}

/** Parameters of `DELETE /crm/pipelines/{id}`. */
export class RemovePipeline {
  @IdParameter({
    description:
      'Id of the pipeline that takes the deals: open ones come into its first open stage, won and lost ones stay so.',
  })
  move_to_pipeline?: number;
}
