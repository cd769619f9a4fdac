import { ApiProperty } from '@nestjs/swagger';
import { OBSTACLES, type Obstacle, type Presence, PRESENCES, type Ranking, SHARING } from '../../users/candidates';

/** Ways in which a ticket comes to somebody. */
export const ASSIGNMENT_WAYS = [
  'person',
  'automation',
  'category',
  'team',
  'strategy',
  'escalation',
  'unassigned',
  'absence',
  'leaving',
] as const;
export type AssignmentWay = (typeof ASSIGNMENT_WAYS)[number];

/** How whoever gets a ticket is found where nobody is named. */
export const STRATEGIES = [...SHARING, 'last_agent'] as const;
export type Strategy = (typeof STRATEGIES)[number];

const count = { type: 'integer', minimum: 0 } as const;

/** Why a ticket came to whom it came to, in few words: with the event that tells so, and in the history. */
export class AssignmentReason {
  @ApiProperty({
    enum: ASSIGNMENT_WAYS,
    description:
      'Who or what decided: a person or an automation; what the category or the team says; a strategy that was asked for; an escalation; that nobody had it for long; that its assignee is absent, or has left.',
  })
  way: AssignmentWay;

  @ApiProperty({ enum: STRATEGIES, required: false, description: 'By which order, where nobody was named.' })
  strategy?: Strategy;

  @ApiProperty({ ...count, required: false, description: 'How many were looked at.' })
  candidates?: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(OBSTACLES.map((obstacle) => [obstacle, count])),
    selfRequired: false,
    description: 'How many of them were passed over, and why.',
  })
  passed_over?: Partial<Record<Obstacle, number>>;

  @ApiProperty({ enum: PRESENCES, required: false, description: 'How well the assignee could be met.' })
  presence?: Presence;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    required: false,
    description: 'Whom the assignee stands in for: who was to have it is out of office.',
  })
  stand_in_for?: number;

  @ApiProperty({ type: 'integer', format: 'int64', required: false, description: 'Whose it was: absent, or gone.' })
  left_by?: number;

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    required: false,
    description: 'What the ticket needs and the assignee lacks: somebody decided so.',
  })
  lacks_skills?: readonly string[];
}

/** The same as a value. */
export type Reason = Pick<AssignmentReason, keyof AssignmentReason>;

/** What a ranking comes to in a reason: how many were looked at and passed over. */
export function lookedAt({ ranked, passedOver }: Ranking): Pick<Reason, 'candidates' | 'passed_over'> {
  const passed_over: Partial<Record<Obstacle, number>> = {};
  for (const { obstacle } of passedOver) passed_over[obstacle] = (passed_over[obstacle] ?? 0) + 1;
  return {
    candidates: ranked.length + passedOver.length,
    ...(passedOver.length === 0 ? {} : { passed_over }),
  };
}
