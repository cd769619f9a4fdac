import { OmitType, PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../../platform/columns/bodies';
import { QuoteItem } from './quote-item.entity';

const writable = [
  'position',
  'sku',
  'name',
  'description',
  'quantity',
  'unit',
  'unit_price',
  'discount_percent',
  'tax_rate',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(QuoteItem, writable)
export class CreateQuoteItem extends MembersOf(QuoteItem, writable, ['name', 'unit_price']) {}

@BodyOf(QuoteItem, writable)
export class UpdateQuoteItem extends PartialType(CreateQuoteItem, { skipNullProperties: false }) {}

/** An item in the body of a new quote; items stand in the order given. */
export class NewQuoteItem extends OmitType(CreateQuoteItem, ['position', 'external_id']) {}
