import { OmitType } from '@nestjs/swagger';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IfGiven } from '../../../platform/validation/shapes';
import { EscalateTicket } from '../ticket.dto';
import { TICKET_PRIORITIES, type TicketPriority } from '../ticket-values';

/** `POST /tickets/{id}/deescalate`; every member is optional. */
export class DeescalateTicket extends OmitType(EscalateTicket, ['to_team_id', 'notify', 'priority']) {
  @ApiProperty({
    enum: TICKET_PRIORITIES,
    required: false,
    description: 'At most the present priority; default what it was before the last escalation.',
  })
  @IfGiven()
  @IsIn([...TICKET_PRIORITIES])
  priority?: TicketPriority;
}
