import { ApiProperty, PartialType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsObject,
  IsString,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { AttachmentIds } from '../attachments/holders/attachment-ids';
import { NewQuoteItem } from './items/quote-item.dto';
import { Quote } from './quote.entity';
import { MAX_ITEMS, QUOTE_STATUSES, type QuoteStatus } from './quote-values';
import { IsNotBlank } from '../../platform/columns/not-blank';
import { IfGiven, IfPresent } from '../../platform/validation/shapes';

const writable = [
  'title',
  'company_id',
  'contact_id',
  'deal_id',
  'ticket_id',
  'owner_id',
  'recipient_email',
  'currency',
  'issue_date',
  'valid_until',
  'tax_mode',
  'discount',
  'terms',
  'notes',
  'header',
  'footer',
  'external_id',
  'custom_fields',
] as const;

const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);

@BodyOf(Quote, writable)
export class CreateQuote extends MembersOf(Quote, writable, ['title', 'currency']) {
  @ApiProperty({
    type: [NewQuoteItem],
    required: false,
    maxItems: MAX_ITEMS,
    example: [{ name: 'Laser printer', quantity: 3, unit_price: 249.9, tax_rate: 19 }],
  })
  @IfGiven()
  @IsArray()
  @ArrayMaxSize(MAX_ITEMS)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => NewQuoteItem)
  items?: NewQuoteItem[];

  @AttachmentIds()
  attachment_ids?: readonly number[];
}

@BodyOf(Quote, writable)
export class UpdateQuote extends PartialType(MembersOf(Quote, writable, ['title', 'currency']), {
  skipNullProperties: false,
}) {
  @AttachmentIds()
  attachment_ids?: readonly number[];
}

/** Who accepted a quote. */
export class Acceptor {
  @ApiProperty({ type: 'string', maxLength: 255, required: true, example: 'Paul Weber' })
  @Transform(trimmed)
  @IsString()
  @IsNotBlank()
  @MaxLength(255)
  name: string;

  @ApiProperty({ type: 'string', format: 'email', maxLength: 254, nullable: true, required: false })
  @Transform(trimmed)
  @IfPresent()
  @IsString()
  @MaxLength(254)
  @IsEmail()
  email?: string | null;
}

/** `POST /quotes/{id}/status` */
export class ChangeQuoteStatus {
  @ApiProperty({ enum: QUOTE_STATUSES.filter((status) => status !== 'draft'), required: true, example: 'sent' })
  @IsIn(QUOTE_STATUSES.filter((status) => status !== 'draft'))
  status: Exclude<QuoteStatus, 'draft'>;

  @ApiProperty({ type: 'string', maxLength: 2_000, required: false, description: 'Required for `rejected`.' })
  @IfGiven()
  @Transform(trimmed)
  @IsString()
  @IsNotBlank()
  @MaxLength(2_000)
  reason?: string;

  @ApiProperty({ type: 'string', maxLength: 2_000, required: false, description: 'Kept in the events of the quote.' })
  @IfGiven()
  @IsString()
  @MaxLength(2_000)
  note?: string;

  @ApiProperty({ type: () => Acceptor, required: false, description: 'With `accepted` only.' })
  @IfGiven()
  @IsObject()
  @ValidateNested()
  @Type(() => Acceptor)
  accepted_by?: Acceptor;

  @ApiProperty({
    type: 'boolean',
    required: false,
    default: true,
    description: 'With `accepted` only: whether an open deal of the quote is won by it.',
  })
  @IfGiven()
  @IsBoolean()
  deal_won?: boolean;

  @ApiProperty({
    type: 'boolean',
    required: false,
    default: true,
    description:
      'With `sent` only: whether the quote is mailed to its recipient, where there is an account to send mail with.',
  })
  @IfGiven()
  @IsBoolean()
  send_email?: boolean;
}
