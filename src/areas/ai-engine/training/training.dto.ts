import { ApiProperty } from '@nestjs/swagger';
import { ArrayMinSize, ArrayUnique, IsArray, IsIn } from 'class-validator';
import { EnumMember, IdMember, ListMember } from '../../../platform/http/answer-members';
import { IfGiven } from '../../../platform/validation/shapes';
import { MODEL_STATUSES } from '../models/ai-model.entity';
import { LEARNT_TASKS, type LearntTask } from '../tasks';

/** `POST /ai-engine/train` */
export class TrainModels {
  @ApiProperty({
    type: 'array',
    required: false,
    minItems: 1,
    items: { type: 'string', enum: [...LEARNT_TASKS] },
    description: 'What is to be learnt; everything that the settings have, unless given.',
    example: ['category'],
  })
  @IfGiven()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn([...LEARNT_TASKS], { each: true })
  tasks?: LearntTask[];
}

class BegunModel {
  @IdMember()
  id: number;

  @EnumMember(LEARNT_TASKS)
  task: LearntTask;

  @EnumMember(MODEL_STATUSES)
  status: string;
}

/** What is under way. */
export class StartedTraining {
  @ListMember(() => BegunModel)
  models: BegunModel[];
}
