import { PartialType } from '@nestjs/swagger';
import { CreateTicket } from '../ticket.dto';

/** `POST /tickets/{id}/follow-up`: what shall be other than in the closed ticket. */
export class FollowUpTicket extends PartialType(CreateTicket, { skipNullProperties: false }) {}
