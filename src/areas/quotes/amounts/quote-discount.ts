import { ApiProperty } from '@nestjs/swagger';
import { IsIn, Max, Min } from 'class-validator';
import { IsDecimal } from '../../../platform/columns/column-validators';
import { DISCOUNT_TYPES, type Discount } from '../quote-values';

/** The discount of a quote in a body. That a percentage is at most 100, and an amount whole coins, the service checks. */
export class QuoteDiscount implements Discount {
  @ApiProperty({ enum: DISCOUNT_TYPES, required: true, example: 'percent' })
  @IsIn([...DISCOUNT_TYPES])
  type: Discount['type'];

  @ApiProperty({ type: 'number', minimum: 0, required: true, example: 10 })
  @IsDecimal(4)
  @Min(0)
  @Max(99_999_999_999)
  value: number;
}
