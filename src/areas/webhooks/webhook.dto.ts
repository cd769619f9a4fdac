import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayUnique, IsArray, IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { isIsoTimestamp } from '../../platform/columns/column-validators';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { IfGiven } from '../../platform/validation/shapes';
import { Webhook } from './webhook.entity';

const writable = [
  'url',
  'description',
  'events',
  'is_active',
  'filter',
  'headers',
  'external_id',
  'custom_fields',
] as const;

const MAX_SECRET = 200;
const MAX_GRACE_SECONDS = 604_800;
const ownSecret = `Your own secret: \`whsec_\` and base64 of 24 to 64 bytes, or 24 to ${MAX_SECRET} printable characters. One is made unless given.`;

@BodyOf(Webhook, writable)
export class CreateWebhook extends MembersOf(Webhook, writable, ['url', 'events']) {
  @ApiProperty({ type: 'string', maxLength: MAX_SECRET, required: false, writeOnly: true, description: ownSecret })
  @IfGiven()
  @IsString()
  @MaxLength(MAX_SECRET)
  secret?: string;
}

@BodyOf(Webhook, writable)
export class UpdateWebhook extends PartialType(OmitType(CreateWebhook, ['secret']), { skipNullProperties: false }) {}

/** `POST /webhooks/{id}/rotate-secret` */
export class RotateSecret {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: MAX_GRACE_SECONDS,
    default: 86_400,
    required: false,
    description: 'How long deliveries are signed with the previous secret, too.',
  })
  @IfGiven()
  @IsInt()
  @Min(0)
  @Max(MAX_GRACE_SECONDS)
  grace_period_seconds?: number;

  @ApiProperty({ type: 'string', maxLength: MAX_SECRET, required: false, writeOnly: true, description: ownSecret })
  @IfGiven()
  @IsString()
  @MaxLength(MAX_SECRET)
  secret?: string;
}

/** `POST /webhooks/{id}/test` */
export class TestWebhook {
  @ApiProperty({ type: 'string', maxLength: 100, default: 'webhook.ping', required: false })
  @IfGiven()
  @IsString()
  @MaxLength(100)
  event?: string;
}

/** `POST /webhooks/{id}/recover` */
export class RecoverDeliveries {
  @ApiProperty({ type: 'string', format: 'date-time', required: true, example: '2026-10-20T08:00:00.000Z' })
  @IsString()
  @isIsoTimestamp()
  since: string;

  @ApiProperty({ type: 'string', format: 'date-time', required: false, description: 'Now unless given.' })
  @IfGiven()
  @IsString()
  @isIsoTimestamp()
  until?: string;
}

/** `POST /webhooks/{id}/replay` */
export class ReplayEvents extends RecoverDeliveries {
  @ApiProperty({
    type: 'array',
    items: { type: 'string', maxLength: 100 },
    maxItems: 100,
    required: false,
    description: 'Only these of the events subscribed to.',
  })
  @IfGiven()
  @IsArray()
  @ArrayMaxSize(100)
  @ArrayUnique()
  @IsString({ each: true })
  @MaxLength(100, { each: true })
  events?: string[];
}
