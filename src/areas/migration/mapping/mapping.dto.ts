import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { IfGiven, IfPresent, Shaped } from '../../../platform/validation/shapes';
import { fieldOrNone, mapped, plainValue } from './map-of';

/** What becomes of the records of one entity. */
export class EntityMapping {
  @Shaped(mapped(fieldOrNone, 500), {
    optional: true,
    description: 'Field of the source → field here, `custom_fields.<key>`, or null to leave it out.',
    example: { 'Ticket ID': 'external_id', Betreff: 'subject', Notiz: null },
  })
  fields?: Record<string, string | null>;

  @Shaped(mapped(mapped(plainValue, 5_000), 50), {
    optional: true,
    description:
      'Field here → what the source says → the value here: of a reference the id, null for none. `*` stands for whatever else it says.',
    example: { status: { Offen: 'open', '*': 'closed' }, assigned_to: { 'ines@old.example': 1 } },
  })
  values?: Record<string, Record<string, string | number | boolean | null>>;

  @Shaped(mapped(plainValue, 100), {
    optional: true,
    description: 'Field here → what it is where the source says nothing.',
    example: { channel: 'email' },
  })
  defaults?: Record<string, string | number | boolean | null>;
}

const ON_DUPLICATE = ['skip', 'update', 'fail'] as const;
const MATCHES = ['external_id', 'email', 'code'] as const;
/** What a record that was here before is the same by. */
export type Matched = Exclude<(typeof MATCHES)[number], 'external_id'>;
const ON_CONFLICT = ['keep', 'source_wins'] as const;
const UNRESOLVED = ['fail', 'leave_out'] as const;
const DATE_ORDERS = ['dmy', 'mdy'] as const;

/** How a job is done. */
export class MigrationOptions {
  @ApiProperty({
    enum: ON_DUPLICATE,
    required: false,
    default: 'skip',
    description:
      'What becomes of a record that is here already. `update`: what the source has changed since it was last taken over is changed here; of records that a migration made.',
  })
  @IfGiven()
  @IsIn(ON_DUPLICATE)
  on_duplicate?: (typeof ON_DUPLICATE)[number];

  @ApiProperty({
    enum: MATCHES,
    required: false,
    default: 'external_id',
    description:
      'What a record that was here before is taken for the same by. `email`: contacts and users by their address. `code`: tickets by their code here, of a field that is mapped to `code`. ' +
      'Such a record is `matched_by` it: with `on_duplicate: update` it is brought up to date like one of `update_existing`, and no rollback takes it away. ' +
      'Otherwise by the id of the source; whose address or name is taken is here already, and stays as it is.',
  })
  @IfGiven()
  @IsIn(MATCHES)
  match_by?: (typeof MATCHES)[number];

  @ApiProperty({
    enum: ON_CONFLICT,
    required: false,
    default: 'keep',
    description:
      'With `on_duplicate: update`: what becomes of a field that the source has changed, and somebody here, too. `keep`: it stays as it is here, and `warnings` say so.',
  })
  @IfGiven()
  @IsIn(ON_CONFLICT)
  on_conflict?: (typeof ON_CONFLICT)[number];

  @ApiProperty({
    type: 'boolean',
    required: false,
    default: false,
    description:
      'With `on_duplicate: update`: records that no migration made are updated, too. What is empty there is filled; what says something else is a conflict.',
  })
  @IfGiven()
  @IsBoolean()
  update_existing?: boolean;

  @ApiProperty({
    type: 'string',
    maxLength: 60,
    pattern: '^[\\w.-]+$',
    required: false,
    example: 'old-desk',
    description:
      'Put before every external id (`old-desk:17`), so that two systems may have the same ids. None unless given.',
  })
  @IfGiven()
  @IsString()
  @MaxLength(60)
  @Matches(/^[\w.-]+$/)
  namespace?: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: ['companies', 'categories', 'contacts', 'kb_categories'] },
    maxItems: 4,
    required: false,
    description: 'What is made where a record names one by name or address that is not here.',
  })
  @IfGiven()
  @IsArray()
  @ArrayMaxSize(4)
  @IsIn(['companies', 'categories', 'contacts', 'kb_categories'], { each: true })
  create_missing?: string[];

  @ApiProperty({
    type: 'boolean',
    required: false,
    default: true,
    description: 'False: records are dated when they come in.',
  })
  @IfGiven()
  @IsBoolean()
  preserve_timestamps?: boolean;

  @ApiProperty({
    type: 'boolean',
    required: false,
    default: true,
    description:
      'Nobody is told: no events, so no webhooks, messages, mails and automations. False: `….created` with `related.imported`.',
  })
  @IfGiven()
  @IsBoolean()
  suppress_events?: boolean;

  @ApiProperty({
    enum: DATE_ORDERS,
    required: false,
    description: 'How `03/04/2024` is read; without it such a date is a problem. Moments without a zone are UTC.',
  })
  @IfGiven()
  @IsIn(DATE_ORDERS)
  date_order?: (typeof DATE_ORDERS)[number];

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    required: false,
    description:
      'Of a service: only what changed since. Null asks for everything again. Unless given, what changed since the last job that was completed with the same source, address and namespace.',
  })
  @IfPresent()
  @IsISO8601({ strict: true, strictSeparator: true })
  updated_since?: string | null;

  @ApiProperty({
    enum: UNRESOLVED,
    required: false,
    description:
      'What becomes of a record that names one that is not here: it fails, or comes without it and says so in `warnings`. `fail` for files and pushed records, `leave_out` for services, unless given; what a record needs, it fails without in any case.',
  })
  @IfGiven()
  @IsIn(UNRESOLVED)
  unresolved?: (typeof UNRESOLVED)[number];

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    nullable: true,
    required: false,
    description: 'The job pauses after so many failures. Never unless given.',
  })
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(1_000_000_000)
  stop_after_errors?: number | null;
}
