import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsISO31661Alpha2, IsOptional, IsString, MaxLength } from 'class-validator';

/** One optional line of an address, trimmed. */
function Line(max: number, example: string): PropertyDecorator {
  const rules = [
    ApiProperty({ type: 'string', maxLength: max, nullable: true, required: false, example }),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value)),
    IsOptional(),
    IsString(),
    MaxLength(max),
  ];
  return (prototype, key) => {
    for (const rule of rules) rule(prototype, key);
  };
}

/** A postal address. */
export class Address {
  @Line(255, 'Torstrasse 1')
  line1?: string | null;

  @Line(255, '4th floor')
  line2?: string | null;

  @Line(120, 'Berlin')
  city?: string | null;

  @Line(120, 'Berlin')
  state?: string | null;

  @Line(20, '10119')
  postal_code?: string | null;

  @ApiProperty({ type: 'string', nullable: true, required: false, example: 'DE', description: 'ISO 3166-1 alpha-2.' })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim().toUpperCase() : value))
  @IsOptional()
  @IsISO31661Alpha2()
  country?: string | null;
}
