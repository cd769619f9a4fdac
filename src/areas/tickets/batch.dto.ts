import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn } from 'class-validator';
import { IfGiven, Shaped } from '../../platform/validation/shapes';
import { type AskedOperation, operationsShape } from './batch-operations';

export const BATCH_MODES = ['partial', 'atomic'] as const;
export type BatchMode = (typeof BATCH_MODES)[number];

/** `POST /tickets/batch`; what the operations refer to is checked by the planner. */
export class TicketBatch {
  @ApiProperty({
    enum: BATCH_MODES,
    default: 'partial',
    required: false,
    description: '`atomic`: all or nothing.',
  })
  @IfGiven()
  @IsIn(BATCH_MODES)
  mode?: BatchMode;

  @ApiProperty({
    enum: ['continue', 'stop'],
    default: 'continue',
    required: false,
    description: 'In partial mode: what follows a failure.',
  })
  @IfGiven()
  @IsIn(['continue', 'stop'])
  on_error?: 'continue' | 'stop';

  @ApiProperty({
    type: 'boolean',
    default: false,
    required: false,
    description: 'Do everything, answer everything, keep nothing.',
  })
  @IfGiven()
  @IsBoolean()
  dry_run?: boolean;

  @Shaped(operationsShape, {
    example: [
      { ref: 'a', op: 'create', data: { subject: 'New laptop' } },
      { op: 'comment', id: '$a', data: { body: 'Ordered.', is_internal: true } },
    ],
  })
  operations: AskedOperation[];
}
