import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { IsArray, IsBoolean, IsIn, ValidateIf } from 'class-validator';

export const BATCH_OPERATIONS = [
  'create',
  'update',
  'delete',
  'assign',
  'unassign',
  'escalate',
  'comment',
  'add_tags',
  'remove_tags',
  'merge',
  'reopen',
] as const;
export type BatchOperationName = (typeof BATCH_OPERATIONS)[number];

const given = (_: object, value: unknown): boolean => value !== undefined;

/** `POST /tickets/batch`; the operations are checked one by one by the planner. */
export class TicketBatch {
  @ApiProperty({
    enum: ['partial', 'atomic'],
    default: 'partial',
    required: false,
    description: '`atomic`: all or nothing.',
  })
  @ValidateIf(given)
  @IsIn(['partial', 'atomic'])
  mode?: 'partial' | 'atomic';

  @ApiProperty({
    enum: ['continue', 'stop'],
    default: 'continue',
    required: false,
    description: 'In partial mode: what follows a failure.',
  })
  @ValidateIf(given)
  @IsIn(['continue', 'stop'])
  on_error?: 'continue' | 'stop';

  @ApiProperty({
    type: 'boolean',
    default: false,
    required: false,
    description: 'Do everything, answer everything, keep nothing.',
  })
  @ValidateIf(given)
  @IsBoolean()
  dry_run?: boolean;

  @ApiProperty({
    required: true,
    type: 'array',
    minItems: 1,
    maxItems: 50,
    items: { $ref: getSchemaPath('BatchOperation') },
    example: [
      { ref: 'a', op: 'create', data: { subject: 'New laptop' } },
      { op: 'comment', id: '$a', data: { body: 'Ordered.', is_internal: true } },
    ],
  })
  @IsArray()
  operations: unknown[];
}
