import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { invalid } from '../../platform/errors/api-error';
import { isIsoTimestamp } from '../../platform/columns/column-validators';

/** An absence, during which tickets go to the replacement. */
export class OutOfOffice {
  @ApiProperty({ type: 'string', format: 'date-time', example: '2026-08-03T00:00:00.000Z' })
  @IsString()
  @isIsoTimestamp()
  from: string;

  @ApiProperty({ type: 'string', format: 'date-time', required: false, description: 'Open-ended when absent.' })
  @IsOptional()
  @IsString()
  @isIsoTimestamp()
  to?: string | null;

  @ApiProperty({ type: 'integer', format: 'int64', required: false, description: 'An active user.' })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  replacement_user_id?: number | null;

  @ApiProperty({
    type: 'boolean',
    required: false,
    default: false,
    description:
      'When it begins, the open tickets of the user go to the replacement, else by the rule of their teams, else to who has least to do; once for each `from`.',
  })
  @IsOptional()
  @IsBoolean()
  reassign_open_tickets?: boolean | null;
}

/** An absence as stored and shown: moments in UTC, nothing that is not set. */
export interface Absence {
  from: string;
  to?: string;
  replacement_user_id?: number;
  reassign_open_tickets?: true;
}

/** A validated absence from a body. */
export type AskedAbsence = Pick<OutOfOffice, keyof OutOfOffice>;

/** What is stored of a validated absence; 422 when it ends before it begins. */
export function storedAbsence(absence: AskedAbsence): Absence {
  const from = new Date(absence.from).toISOString();
  const to = absence.to ? new Date(absence.to).toISOString() : null;
  if (to !== null && to <= from)
    invalid('out_of_office.to', 'min', '"out_of_office.to" must be later than "out_of_office.from".');
  return {
    from,
    ...(to === null ? {} : { to }),
    ...(absence.replacement_user_id ? { replacement_user_id: absence.replacement_user_id } : {}),
    ...(absence.reassign_open_tickets ? { reassign_open_tickets: true } : {}),
  };
}
