import { Entity } from 'typeorm';
import {
  BooleanColumn,
  ComputedColumn,
  JsonColumn,
  ReferenceColumn,
  StringColumn,
  TextColumn,
} from '../../platform/columns/columns';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import type { Computed } from '../../platform/resource/rows';
import { type TeamAssignment, teamAssignmentShape } from './team-assignment';

/** A team of agents. Members are the users that name it in `team_ids`. */
@Entity('teams')
export class Team extends ResourceEntity {
  @StringColumn({ required: true, max: 120, example: 'Second line' })
  name: string;

  @StringColumn({ max: 2_000, nullable: true })
  description: string | null;

  @ReferenceColumn('users', { nullable: true, description: 'Who an escalation without another target goes to.' })
  lead_user_id: number | null;

  @ReferenceColumn('teams', { nullable: true })
  escalate_to_team_id: number | null;

  @JsonColumn({
    shape: teamAssignmentShape,
    default: { method: 'manual' },
    description: 'How tickets of the team get to its members; replaced as a whole.',
    example: { method: 'round_robin', max_open_per_agent: 20, unassigned_after_minutes: 30 },
  })
  assignment: TeamAssignment;

  @TextColumn({
    max: 5_000,
    nullable: true,
    description: 'Markdown: what stands below mail to customers that no person with a signature wrote.',
    example: 'Second line · Acme Support',
  })
  signature: string | null;

  @BooleanColumn({ default: true, description: 'One that is not gives its members nothing by itself.' })
  is_active: boolean;

  @ComputedColumn(
    { type: 'array', items: { type: 'integer', format: 'int64' } },
    (team) =>
      `(SELECT coalesce(json_agg(m.id ORDER BY m.id), '[]'::json) FROM users m WHERE m.workspace_id = ${team}.workspace_id AND m.team_ids @> ARRAY[${team}.id])`,
  )
  member_ids: Computed<number[]>;
}
