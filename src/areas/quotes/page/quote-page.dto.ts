import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsEmail, IsIn, IsString, MaxLength } from 'class-validator';
import { IsNotBlank } from '../../../platform/columns/not-blank';

const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);

/** The form that accepts a quote. */
export class AcceptForm {
  @ApiProperty({ required: true })
  @Transform(trimmed)
  @IsString()
  @IsNotBlank()
  @MaxLength(255)
  name: string;

  @ApiProperty({ required: true })
  @Transform(trimmed)
  @IsString()
  @MaxLength(254)
  @IsEmail()
  email: string;

  /** The ticked box. */
  @ApiProperty({ required: true })
  @IsIn(['yes'])
  confirm: 'yes';
}

/** The form that declines a quote. */
export class RejectForm {
  @ApiProperty({ required: true })
  @Transform(trimmed)
  @IsString()
  @IsNotBlank()
  @MaxLength(2_000)
  reason: string;
}
