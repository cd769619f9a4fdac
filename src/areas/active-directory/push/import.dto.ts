import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsInt,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { isIsoTimestamp } from '../../../platform/columns/column-validators';
import { Choice, IfGiven, IfPresent, listOf, objectOf, Shaped } from '../../../platform/validation/shapes';
import { GROUP_SCOPES, GROUP_TYPES, type GroupScope, type GroupType } from '../engine/objects';
import { type DirectoryRun, RUN_MODES } from '../runs/run.entity';

const MAX_OBJECTS = 2_000;
/** Characters of base64: what a body has room for. */
const MAX_PHOTO = 1_000_000;
const MAX_MEMBERS = 50_000;
/** What a guid or another id of a directory consists of. */
const GUID = /^[\w{}.:@+/=-]{1,255}$/;

const Guid =
  (description: string): PropertyDecorator =>
  (prototype, key) => {
    ApiProperty({ type: 'string', required: true, maxLength: 255, description })(prototype, key);
    IsString()(prototype, key);
    Matches(GUID)(prototype, key);
  };

/** A text that may be absent or null. */
const Words =
  (max: number, description?: string): PropertyDecorator =>
  (prototype, key) => {
    ApiProperty({
      type: 'string',
      required: false,
      nullable: true,
      maxLength: max,
      ...(description ? { description } : {}),
    })(prototype, key);
    IfPresent()(prototype, key);
    IsString()(prototype, key);
    MaxLength(max)(prototype, key);
  };

const Moment = (): PropertyDecorator => (prototype, key) => {
  ApiProperty({ type: 'string', format: 'date-time', required: false, nullable: true })(prototype, key);
  IfPresent()(prototype, key);
  IsString()(prototype, key);
  isIsoTimestamp()(prototype, key);
};

const Flag =
  (description: string): PropertyDecorator =>
  (prototype, key) => {
    ApiProperty({ type: 'boolean', required: false, description })(prototype, key);
    IfGiven()(prototype, key);
    IsBoolean()(prototype, key);
  };

/** Somebody as the directory has them. */
export class PushedUser {
  @Guid('`objectGUID`, or whatever else never changes. Case makes no difference.')
  readonly object_guid: string;

  @Words(2_048)
  readonly distinguished_name?: string | null;

  @Words(255, '`sAMAccountName`')
  readonly username?: string | null;

  @Words(255)
  readonly user_principal_name?: string | null;

  @Words(254)
  readonly email?: string | null;

  @Words(255)
  readonly display_name?: string | null;

  @Words(255)
  readonly given_name?: string | null;

  @Words(255)
  readonly surname?: string | null;

  @Words(255)
  readonly title?: string | null;

  @Words(255)
  readonly department?: string | null;

  @Words(255)
  readonly office?: string | null;

  @Words(255)
  readonly phone?: string | null;

  @Words(255)
  readonly mobile?: string | null;

  @Words(2_048, '`object_guid` or `distinguished_name` of the manager.')
  readonly manager?: string | null;

  @Flag('Whether they may sign in; true unless given.')
  readonly enabled?: boolean;

  @Flag('Locked out for a while; says nothing about access here.')
  readonly locked?: boolean;

  @ApiProperty({
    ...{ type: 'integer', required: false, nullable: true },
    description: '`userAccountControl`: in place of `enabled` (bit 2 disables) and `locked` (bit 16).',
  })
  @IfPresent()
  @IsInt()
  @Min(0)
  @Max(4_294_967_295)
  readonly user_account_control?: number | null;

  @Moment()
  readonly when_created?: string | null;

  @Moment()
  readonly when_changed?: string | null;

  @ApiProperty({
    ...{ type: 'string', format: 'byte', required: false, nullable: true, maxLength: MAX_PHOTO },
    description: 'A picture, in base64; null = none any more. What is not given stays as it is.',
  })
  @IfPresent()
  @IsString()
  @MaxLength(MAX_PHOTO)
  @Matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/)
  readonly photo?: string | null;
}

/** A group as the directory has it. */
export class PushedGroup {
  @Guid('`objectGUID`.')
  readonly object_guid: string;

  @ApiProperty({ type: 'string', required: true, minLength: 1, maxLength: 255 })
  @IsString()
  @MinLength(1)
  @MaxLength(255)
  readonly name: string;

  @Words(2_048)
  readonly distinguished_name?: string | null;

  @Words(1_024)
  readonly description?: string | null;

  @ApiProperty({ type: 'string', enum: [...GROUP_SCOPES], required: false, nullable: true })
  @IfPresent()
  @Choice(GROUP_SCOPES)
  readonly scope?: GroupScope | null;

  @ApiProperty({ type: 'string', enum: [...GROUP_TYPES], required: false, nullable: true })
  @IfPresent()
  @Choice(GROUP_TYPES)
  readonly type?: GroupType | null;

  @ApiProperty({
    ...{ type: 'array', items: { type: 'string', maxLength: 2_048 }, maxItems: MAX_MEMBERS, required: false },
    description: 'All of them: `object_guid` or `distinguished_name` of people and groups.',
  })
  @IfGiven()
  @IsArray()
  @ArrayMaxSize(MAX_MEMBERS)
  @IsString({ each: true })
  @MaxLength(2_048, { each: true })
  readonly members?: string[];
}

const EXAMPLE = {
  object_guid: '9f1c2b7e-52d1-4c9e-8a35-0d6c3a8f1e42',
  display_name: 'Ines Ortega',
  email: 'ines.ortega@acme.example',
};

/** People and groups that are sent. */
export class ImportObjects {
  @ApiProperty({
    ...{ type: 'integer', format: 'int64', required: false, example: 1 },
    description: 'Not needed where the workspace has one connection.',
  })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  connection_id?: number;

  @ApiProperty({
    ...{ type: 'integer', format: 'int64', required: false },
    description: 'The run that these are a further part of.',
  })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  run_id?: number;

  @ApiProperty({
    ...{ type: 'string', enum: [...RUN_MODES], required: false, default: 'delta' },
    description: '`full`: what is not among it is missing. Told with the first part.',
  })
  @IfGiven()
  @Choice(RUN_MODES)
  mode?: DirectoryRun['mode'];

  @ApiProperty({
    type: 'boolean',
    required: false,
    default: false,
    description: 'Say what would change, and change nothing. Told with the first part.',
  })
  @IfGiven()
  @IsBoolean()
  dry_run?: boolean;

  @ApiProperty({
    type: 'boolean',
    required: false,
    default: true,
    description: '`false`: more is to come; within an hour.',
  })
  @IfGiven()
  @IsBoolean()
  complete?: boolean;

  @Shaped(listOf(objectOf(PushedUser), { max: MAX_OBJECTS, of: 'users' }), { optional: true, example: [EXAMPLE] })
  users?: PushedUser[];

  @Shaped(listOf(objectOf(PushedGroup), { max: MAX_OBJECTS, of: 'groups' }), { optional: true })
  groups?: PushedGroup[];

  @ApiProperty({
    ...{ type: 'array', items: { type: 'string', maxLength: 255 }, maxItems: MAX_OBJECTS, required: false },
    description: '`object_guid` of people and groups that were deleted.',
  })
  @IfGiven()
  @IsArray()
  @ArrayMaxSize(MAX_OBJECTS)
  @IsString({ each: true })
  @Matches(GUID, { each: true })
  removed?: string[];
}
