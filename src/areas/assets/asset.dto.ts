import { ApiProperty, PartialType } from '@nestjs/swagger';
import { IsIn, IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { IsDay, isIsoTimestamp } from '../../platform/columns/column-validators';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { IfGiven, IfPresent } from '../../platform/validation/shapes';
import { ASSET_STATUSES, type AssetStatus } from './asset-status';
import { Asset } from './asset.entity';

const writable = [
  'name',
  'asset_tag',
  'type',
  'status',
  'serial_number',
  'manufacturer',
  'model',
  'hostname',
  'ip_address',
  'mac_address',
  'os',
  'os_version',
  'assigned_to',
  'assigned_contact_id',
  'company_id',
  'managed_by',
  'location',
  'department',
  'usage_type',
  'expected_return_at',
  'impact',
  'vendor',
  'order_number',
  'invoice_number',
  'purchase_date',
  'purchase_cost',
  'currency',
  'warranty_expires_at',
  'eol_at',
  'next_audit_at',
  'last_audit_at',
  'parent_id',
  'notes',
  'tags',
  'external_id',
  'custom_fields',
] as const;

const MAX_NOTE = 2_000;

/** What an asset can be once it is back. */
const RETURNED_STATUSES = ASSET_STATUSES.filter((status) => status !== 'in_use');

@BodyOf(Asset, writable)
export class CreateAsset extends MembersOf(Asset, writable, ['name']) {}

@BodyOf(Asset, writable)
export class UpdateAsset extends PartialType(CreateAsset, { skipNullProperties: false }) {}

/** `POST /assets/{id}/checkout`: a user or a contact. */
export class CheckoutAsset {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    required: false,
    example: 1,
    description: 'The active user who gets it.',
  })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  user_id?: number;

  @ApiProperty({ type: 'integer', format: 'int64', required: false, description: 'The contact who gets it, instead.' })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  contact_id?: number;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    required: false,
    description: 'When it is due back; the asset is a `loaner` from then on.',
  })
  @IfGiven()
  @IsString()
  @isIsoTimestamp()
  expected_return_at?: string;

  @ApiProperty({ type: 'string', maxLength: MAX_NOTE, required: false, example: 'With charger and bag' })
  @IfGiven()
  @IsString()
  @MaxLength(MAX_NOTE)
  note?: string;
}

/** `POST /assets/{id}/checkin`; every member is optional. */
export class CheckinAsset {
  @ApiProperty({ enum: RETURNED_STATUSES, required: false, description: 'Default `in_stock`.' })
  @IfGiven()
  @IsIn([...RETURNED_STATUSES])
  status?: AssetStatus;

  @ApiProperty({ type: 'string', maxLength: MAX_NOTE, required: false, example: 'Scratch on the lid' })
  @IfGiven()
  @IsString()
  @MaxLength(MAX_NOTE)
  note?: string;
}

/** `POST /assets/{id}/audit`; every member is optional. */
export class AuditAsset {
  @ApiProperty({ type: 'string', maxLength: 120, required: false, description: 'Where it was found.' })
  @IfGiven()
  @IsString()
  @MaxLength(120)
  location?: string;

  @ApiProperty({
    type: 'string',
    format: 'date',
    nullable: true,
    required: false,
    description: 'When it is to be seen again: in a year unless given; null = not planned.',
  })
  @IfPresent()
  @IsString()
  @IsDay()
  next_audit_at?: string | null;

  @ApiProperty({ type: 'string', maxLength: MAX_NOTE, required: false, example: 'Label replaced' })
  @IfGiven()
  @IsString()
  @MaxLength(MAX_NOTE)
  note?: string;
}
