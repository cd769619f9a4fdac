import { Column, Entity } from 'typeorm';
import {
  EmailColumn,
  EnumColumn,
  IntegerColumn,
  JsonColumn,
  ReferenceColumn,
  ReferencesColumn,
  StringColumn,
  StringsColumn,
  TagsColumn,
  TextColumn,
  TimestampColumn,
} from '../../platform/columns/columns';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import {
  HOLD_REASONS,
  MAX_TEXT,
  SENTIMENTS,
  SLA_STATUSES,
  TICKET_CHANNELS,
  TICKET_PRIORITIES,
  TICKET_STATUSES,
  TICKET_TYPES,
} from './ticket-values';
import type { OneOf } from '../../platform/resource/rows';

const readOnly = true;
const nullable = true;

/** One escalation in a ticket's record. */
export interface Escalation {
  level: number;
  from_priority: string;
  to_priority: string;
  from_user: number | null;
  to_user: number | null;
  to_team: number | null;
  reason: string | null;
  actor: { type: string; id: number | null; name: string };
  at: string;
}

/** A request for help: product reference 1.1. */
@Entity('tickets')
export class Ticket extends ResourceEntity {
  /** The number inside `code`, for sorting. */
  @Column({ type: 'bigint' })
  number: number;

  @StringColumn({ max: 40, readOnly, example: 'TCK-000123', description: 'Assigned by the service, never changes.' })
  code: string;

  @StringColumn({ required: true, max: 255, example: 'Printer on floor 3 is jammed' })
  subject: string;

  @TextColumn({ max: MAX_TEXT, default: '', description: 'Markdown.' })
  description: string;

  @EnumColumn(TICKET_STATUSES, { default: 'open' })
  status: OneOf<typeof TICKET_STATUSES>;

  @EnumColumn(TICKET_PRIORITIES, { description: "Default: the category's default priority, else `medium`." })
  priority: OneOf<typeof TICKET_PRIORITIES>;

  @EnumColumn(TICKET_CHANNELS, { default: 'portal', description: 'How the request came in; fixed at creation.' })
  channel: OneOf<typeof TICKET_CHANNELS>;

  @EnumColumn(TICKET_TYPES, { default: 'question' })
  type: OneOf<typeof TICKET_TYPES>;

  @EmailColumn({ nullable, example: 'ada@example.com', description: 'A contact is created for it when there is none.' })
  requester_email: string | null;

  @StringColumn({ nullable, max: 255 })
  requester_name: string | null;

  @ReferenceColumn('contacts', { nullable, readOnly })
  contact_id: number | null;

  @ReferenceColumn('companies', {
    nullable,
    description:
      "Default where it is not named: the contact's company, else the one with the requester's domain. Null is none.",
  })
  company_id: number | null;

  @ReferenceColumn('categories', { nullable })
  category_id: number | null;

  @ReferenceColumn('users', {
    nullable,
    description:
      "An active user; one who is out of office is replaced. Of a new ticket the category's by default; null is nobody, unless the team shares out.",
  })
  assigned_to: number | null;

  @ReferenceColumn('teams', { nullable, description: "Of a new ticket the category's by default; null is none." })
  team_id: number | null;

  /** Since when the team has it without an assignee; null = since it was made. */
  @Column({ type: 'timestamptz', precision: 3, nullable })
  unassigned_since: string | null;

  @StringsColumn({
    maxItems: 20,
    maxLength: 50,
    lowerCase: true,
    example: ['networking'],
    description: 'What it takes to work on it, besides what its category needs: `skills` of users.',
  })
  required_skills: string[];

  @TagsColumn({ example: 'printer,floor-3' })
  tags: string;

  @IntegerColumn({ min: 0, max: 3, default: 0, readOnly })
  escalation_level: number;

  @TimestampColumn({ nullable, readOnly })
  escalated_at: string | null;

  @StringColumn({ nullable, readOnly, max: 1_000 })
  last_escalation_reason: string | null;

  @JsonColumn({
    readOnly,
    default: [],
    description: 'The newest 100, oldest first; the history has all of them.',
    api: { type: 'array', items: { type: 'object', additionalProperties: true } },
  })
  escalations: Escalation[];

  @ReferenceColumn('sla_policies', { nullable, readOnly })
  sla_policy_id: number | null;

  @EnumColumn(SLA_STATUSES, {
    default: 'none',
    readOnly,
    // A clock runs out at its moment, not when the sweep comes by.
    shownAs: (t) =>
      `CASE WHEN ${t}.next_sla_due_at < now() AND ${t}.sla_status IN ('on_track', 'at_risk', 'paused') THEN 'breached' ` +
      `WHEN ${t}.sla_at_risk_at <= now() AND ${t}.sla_status = 'on_track' THEN 'at_risk' ELSE ${t}.sla_status END`,
  })
  sla_status: OneOf<typeof SLA_STATUSES>;

  @TimestampColumn({ nullable, readOnly, description: 'When the ticket must be resolved; null while paused.' })
  sla_due_at: string | null;

  @TimestampColumn({ nullable, readOnly })
  first_response_due_at: string | null;

  @TimestampColumn({ nullable, readOnly, description: "When the requester's last comment must be answered." })
  next_response_due_at: string | null;

  @TimestampColumn({ nullable, readOnly, description: 'The first of the due moments that are still to come.' })
  next_sla_due_at: string | null;

  /** When the first running clock is at risk. */
  @Column({ type: 'timestamptz', precision: 3, nullable })
  sla_at_risk_at: string | null;

  @TimestampColumn({ nullable, readOnly })
  first_response_at: string | null;

  @TimestampColumn({ nullable, readOnly })
  first_resolved_at: string | null;

  @TimestampColumn({ nullable, readOnly })
  resolved_at: string | null;

  @TimestampColumn({ nullable, readOnly })
  closed_at: string | null;

  @EnumColumn(HOLD_REASONS, { nullable })
  on_hold_reason: OneOf<typeof HOLD_REASONS> | null;

  @TimestampColumn({ nullable, description: 'When an on-hold ticket returns to open by itself.' })
  on_hold_until: string | null;

  @IntegerColumn({ min: 0, default: 0, readOnly })
  reopened_count: number;

  @IntegerColumn({ min: 0, default: 0, readOnly, description: 'Public comments by agents.' })
  reply_count: number;

  @IntegerColumn({ min: 0, default: 0, readOnly })
  comment_count: number;

  @TimestampColumn({ nullable, readOnly })
  last_requester_comment_at: string | null;

  @TimestampColumn({ nullable, readOnly })
  last_agent_comment_at: string | null;

  @TimestampColumn({
    nullable,
    readOnly,
    description: 'When who asked and what was said was taken out of it, because its time was over.',
  })
  anonymised_at: string | null;

  @IntegerColumn({ nullable, readOnly, min: 1, max: 5 })
  csat_score: number | null;

  @StringColumn({ nullable, readOnly, max: 4_000 })
  csat_comment: string | null;

  @TimestampColumn({ nullable, readOnly })
  csat_at: string | null;

  @ReferencesColumn('assets')
  asset_ids: number[];

  @ReferenceColumn('tickets', {
    nullable,
    description: 'The ticket that it is part of: of an incident the problem behind it, of a task the whole.',
  })
  parent_id: number | null;

  @ReferenceColumn('tickets', { nullable, readOnly })
  merged_into_id: number | null;

  @ReferenceColumn('tickets', { nullable, readOnly, description: 'The closed ticket that it goes on with.' })
  followup_of_id: number | null;

  @StringsColumn({ maxItems: 20, maxLength: 254, email: true, lowerCase: true })
  cc_emails: string[];

  @StringColumn({ nullable, readOnly, max: 35 })
  language: string | null;

  @EnumColumn(SENTIMENTS, { nullable, readOnly })
  sentiment: OneOf<typeof SENTIMENTS> | null;

  @ReferenceColumn('ticket_statuses', {
    nullable,
    description: "A status of the workspace's own, which sets `status`; who sets `status` gets its default one.",
  })
  custom_status_id: number | null;
}
