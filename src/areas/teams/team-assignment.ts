import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { Choice, IfPresent, objectOf } from '../../platform/validation/shapes';

/** Ways in which a team gets its tickets to its members; `manual`: somebody gives them. */
export const ASSIGNMENT_METHODS = ['manual', 'round_robin', 'least_loaded'] as const;
export type AssignmentMethod = (typeof ASSIGNMENT_METHODS)[number];

/** A year of minutes. */
const MAX_MINUTES = 525_600;

/** How a team gives its tickets to its members. */
export class TeamAssignment {
  @Choice(ASSIGNMENT_METHODS, {
    description: 'What comes to the team without an assignee is given at once, in turns or to who has least to do.',
  })
  readonly method: AssignmentMethod;

  @ApiProperty({
    type: 'integer',
    required: false,
    nullable: true,
    description: 'Open tickets, of any team, with which a member is given no more by the team itself.',
  })
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(100_000)
  readonly max_open_per_agent?: number | null;

  @ApiProperty({
    type: 'integer',
    required: false,
    nullable: true,
    description: "What is still nobody's after so many minutes goes to the member who has least to do.",
  })
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(MAX_MINUTES)
  readonly unassigned_after_minutes?: number | null;
}

export const teamAssignmentShape = objectOf(TeamAssignment);
