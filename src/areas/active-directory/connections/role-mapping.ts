import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsInt,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { Choice, IfGiven, IfPresent, listOf, objectOf } from '../../../platform/validation/shapes';
import { MAPPED_ROLES, type MappedRole } from '../engine/objects';

const MAX_MAPPINGS = 200;
export const MAX_TEAMS = 50;

/** What the members of a group of the directory are here. */
export class RoleMapping {
  @ApiProperty({ required: true, description: 'Its objectGUID (id), or its distinguished name.' })
  @IsString()
  @MinLength(1)
  @MaxLength(1_000)
  readonly group: string;

  @Choice(MAPPED_ROLES, { description: 'A directory makes no owners.' })
  readonly role: MappedRole;

  @ApiProperty({ type: 'integer', format: 'int64', nullable: true, required: false, description: 'A custom role.' })
  @IfPresent()
  @IsInt()
  @Min(1)
  readonly role_id?: number | null;

  @ApiProperty({ type: 'array', items: { type: 'integer', format: 'int64' }, required: false })
  @IfGiven()
  @IsArray()
  @ArrayMaxSize(MAX_TEAMS)
  @ArrayUnique()
  @IsInt({ each: true })
  @Min(1, { each: true })
  readonly team_ids?: number[];

  @ApiProperty({
    type: 'boolean',
    required: false,
    default: true,
    description: 'Whether groups within the group count.',
  })
  @IfGiven()
  @IsBoolean()
  readonly include_nested?: boolean;

  @ApiProperty({
    ...{ type: 'integer', required: false, default: 0 },
    description: 'Who is in several groups has the role of the highest one; the teams of all.',
  })
  @IfGiven()
  @IsInt()
  @Min(-1_000)
  @Max(1_000)
  readonly priority?: number;
}

export const roleMappingsShape = listOf(objectOf(RoleMapping), { max: MAX_MAPPINGS, of: 'mappings' });

/** Limits, those that are not said as usual. */
export function safetyOf({
  max_deactivations_pct,
  max_deactivations_abs,
}: Partial<SafetyLimits>): Required<SafetyLimits> {
  return {
    max_deactivations_pct: max_deactivations_pct ?? USUAL_SAFETY.max_deactivations_pct,
    max_deactivations_abs: max_deactivations_abs ?? USUAL_SAFETY.max_deactivations_abs,
  };
}

/** How many may lose access in one run without anybody's approval. */
export class SafetyLimits {
  @ApiProperty({ type: 'integer', required: false, default: 10, description: 'Of the linked users, in per cent.' })
  @IfGiven()
  @IsInt()
  @Min(0)
  @Max(100)
  readonly max_deactivations_pct?: number;

  @ApiProperty({ type: 'integer', required: false, default: 50 })
  @IfGiven()
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  readonly max_deactivations_abs?: number;
}

export const safetyShape = objectOf(SafetyLimits);
export const USUAL_SAFETY = { max_deactivations_pct: 10, max_deactivations_abs: 50 };
