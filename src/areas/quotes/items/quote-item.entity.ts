import { Entity } from 'typeorm';
import { AmountColumn } from '../../../platform/money/currency';
import {
  DecimalColumn,
  IntegerColumn,
  ReferenceColumn,
  StringColumn,
  TextColumn,
} from '../../../platform/columns/columns';
import { LAST_PLACE } from '../../../platform/resource/last-place';
import { ResourceEntity } from '../../../platform/resource/resource-entity';

const readOnly = true;
const nullable = true;
const percent = { min: 0, max: 100, default: 0 } as const;

/** A line of a quote: product reference 1.17. Its amounts are worked out by the service. */
@Entity('quote_items')
export class QuoteItem extends ResourceEntity {
  @ReferenceColumn('quotes', { readOnly })
  quote_id: number;

  @IntegerColumn({ min: 1, max: LAST_PLACE, description: 'Lower comes first, equal ones by id; last unless given.' })
  position: number;

  @StringColumn({ max: 64, nullable, example: 'LJ-400' })
  sku: string | null;

  @StringColumn({ required: true, max: 255, example: 'Laser printer' })
  name: string;

  @TextColumn({ max: 1_000, nullable, example: 'With duplex unit and two trays.' })
  description: string | null;

  @DecimalColumn({ min: 0.0001, default: 1, example: 3, description: 'More than 0, at most four decimals.' })
  quantity: number;

  @StringColumn({ max: 32, nullable, example: 'pcs' })
  unit: string | null;

  @AmountColumn({ required: true, example: 249.9, description: 'Of one unit; may be finer than the smallest coin.' })
  unit_price: number;

  @DecimalColumn({ ...percent, example: 10 })
  discount_percent: number;

  @DecimalColumn({ ...percent, example: 19, description: 'Percent.' })
  tax_rate: number;

  @AmountColumn({ readOnly, default: 0, description: 'After the discount of the item, without tax.' })
  subtotal: number;

  @AmountColumn({ readOnly, default: 0, description: "Its share of the quote's discount, without tax." })
  discount: number;

  @AmountColumn({ readOnly, default: 0 })
  tax: number;

  @AmountColumn({ readOnly, default: 0, description: '`subtotal` - `discount` + `tax`, exactly.' })
  total: number;
}
