import { Entity } from 'typeorm';
import {
  BooleanColumn,
  ComputedColumn,
  EnumColumn,
  IntegerColumn,
  ReferenceColumn,
  StringColumn,
  StringsColumn,
} from '../../platform/columns/columns';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import { counterTotal } from '../../platform/counters/counter-sql';
import { LAST_PLACE } from '../../platform/resource/last-place';
import type { Computed, OneOf } from '../../platform/resource/rows';

const priorities = ['low', 'medium', 'high', 'urgent'] as const;
/** What a ticket is about; a tree of at most three levels. */
@Entity('categories')
export class Category extends ResourceEntity {
  @StringColumn({ required: true, max: 120, description: 'Unique under the parent, case aside.', example: 'Billing' })
  name: string;

  @StringColumn({ readOnly: true, max: 80, description: 'Follows the name.', example: 'billing' })
  slug: string;

  @StringColumn({ max: 2_000, nullable: true })
  description: string | null;

  @ReferenceColumn('categories', { nullable: true, description: 'At most three levels, no cycles.' })
  parent_id: number | null;

  @StringColumn({ max: 7, nullable: true, pattern: /^#[0-9A-Fa-f]{6}$/, example: '#3366FF' })
  color: string | null;

  @StringColumn({ max: 64, nullable: true, example: 'credit-card' })
  icon: string | null;

  @EnumColumn(priorities, { nullable: true, description: 'Priority of a new ticket that names none.' })
  default_priority: OneOf<typeof priorities> | null;

  @ReferenceColumn('teams', { nullable: true })
  default_team_id: number | null;

  @ReferenceColumn('users', { nullable: true })
  default_assignee_id: number | null;

  @ReferenceColumn('users', { nullable: true, description: 'Who escalations of its tickets go to.' })
  escalate_to_user_id: number | null;

  @StringsColumn({
    maxItems: 20,
    maxLength: 50,
    lowerCase: true,
    example: ['billing'],
    description: 'What it takes to work on its tickets, besides what they need themselves: `skills` of users.',
  })
  required_skills: string[];

  @ReferenceColumn('sla_policies', { nullable: true })
  sla_policy_id: number | null;

  @BooleanColumn({ default: true })
  is_active: boolean;

  @IntegerColumn({ min: 0, max: LAST_PLACE, description: 'Order among siblings; last unless given.', example: 1 })
  position: number;

  @ComputedColumn({ type: 'integer' }, (category) =>
    counterTotal(category, 'tickets_by_category', [`= ${category}.id::text`, null, null]),
  )
  ticket_count: Computed<number>;
}
