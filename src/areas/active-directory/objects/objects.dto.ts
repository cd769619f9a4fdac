import { IsInt, Max, Min } from 'class-validator';
import { ApiProperty, PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../../platform/columns/bodies';
import { Choice } from '../../../platform/validation/shapes';
import { MAPPED_ROLES, type MappedRole } from '../engine/objects';
import { DirectoryGroup } from './directory-group.entity';

const writable = ['mapped_role', 'mapped_team_ids', 'external_id', 'custom_fields'] as const;

@BodyOf(DirectoryGroup, writable)
export class UpdateGroup extends PartialType(MembersOf(DirectoryGroup, writable), { skipNullProperties: false }) {}

/** Who somebody of the directory is here. */
export class LinkUser {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'A user whom no directory knows yet.', example: 1 })
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  user_id: number;
}

/** What somebody of the directory becomes here. */
export class ProvisionUser {
  @Choice(MAPPED_ROLES, { description: 'A directory makes no owners.', example: 'agent' })
  role: MappedRole;
}
