import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { AttachmentIds } from '../attachments/holders/attachment-ids';
import { STRATEGIES, type Strategy } from './assigning/assignment-reason';
import { Ticket } from './ticket.entity';
import { MAX_TEXT, TICKET_PRIORITIES, type TicketPriority } from './ticket-values';
import { IsNotBlank } from '../../platform/columns/not-blank';
import { IfGiven, IfPresent } from '../../platform/validation/shapes';

const writable = [
  'subject',
  'description',
  'status',
  'priority',
  'channel',
  'type',
  'requester_email',
  'requester_name',
  'company_id',
  'category_id',
  'assigned_to',
  'team_id',
  'required_skills',
  'tags',
  'on_hold_reason',
  'on_hold_until',
  'asset_ids',
  'parent_id',
  'cc_emails',
  'custom_status_id',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(Ticket, writable)
export class CreateTicket extends MembersOf(Ticket, writable, ['subject']) {
  @AttachmentIds()
  attachment_ids?: readonly number[];
}

@BodyOf(Ticket, writable.filter((name) => name !== 'channel'))
export class UpdateTicket extends PartialType(OmitType(CreateTicket, ['channel']), { skipNullProperties: false }) {}

/** `POST /tickets/{id}/assign` */
export class AssignTicket {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    required: false,
    example: 1,
    description: 'null takes the ticket from its assignee. Needed unless there is a `strategy`.',
  })
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  user_id?: number | null;

  @ApiProperty({
    enum: STRATEGIES,
    required: false,
    description:
      'In place of `user_id`: in turns, who has least to do, or who wrote to the requester last. Only who is active, in, has room and the skills that are needed; whoever is online first, outside their hours last.',
  })
  @IfGiven()
  @IsIn([...STRATEGIES])
  strategy?: Strategy;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    required: false,
    description:
      'The team, which the ticket is given to, too; with `strategy` its members are asked: those of the team of the ticket unless given.',
  })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  team_id?: number;
}

/** `POST /tickets/{id}/escalate`; every member is optional. */
export class EscalateTicket {
  @ApiProperty({ type: 'string', maxLength: 1_000, required: false })
  @IfGiven()
  @IsString()
  @MaxLength(1_000)
  reason?: string;

  @ApiProperty({ type: 'integer', format: 'int64', required: false })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  to_user_id?: number;

  @ApiProperty({ type: 'integer', format: 'int64', required: false })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  to_team_id?: number;

  @ApiProperty({
    enum: TICKET_PRIORITIES,
    required: false,
    description: 'At least the present priority; default one step up.',
  })
  @IfGiven()
  @IsIn([...TICKET_PRIORITIES])
  priority?: TicketPriority;

  @ApiProperty({ type: 'boolean', required: false, default: true })
  @IfGiven()
  @IsBoolean()
  notify?: boolean;
}

/** `POST /tickets/{id}/merge` */
export class MergeTicket {
  @ApiProperty({ type: 'integer', format: 'int64', required: true, description: 'The ticket that goes on.' })
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  into_id: number;

  @ApiProperty({
    type: 'string',
    maxLength: MAX_TEXT,
    required: false,
    description: 'Public comment on the ticket that goes on.',
  })
  @IfGiven()
  @IsString()
  @IsNotBlank()
  @MaxLength(MAX_TEXT)
  comment?: string;
}
