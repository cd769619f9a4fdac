import { PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { Team } from './team.entity';

const writable = [
  'name',
  'description',
  'lead_user_id',
  'escalate_to_team_id',
  'assignment',
  'signature',
  'is_active',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(Team, writable)
export class CreateTeam extends MembersOf(Team, writable, ['name']) {}

@BodyOf(Team, writable)
export class UpdateTeam extends PartialType(CreateTeam, { skipNullProperties: false }) {}
