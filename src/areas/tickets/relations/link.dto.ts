import { BodyOf, MembersOf } from '../../../platform/columns/bodies';
import { TicketLink } from './link.entity';

const writable = ['type', 'linked_ticket_id'] as const;

/** `POST /tickets/{id}/links` */
@BodyOf(TicketLink, writable)
export class CreateLink extends MembersOf(TicketLink, writable, ['type', 'linked_ticket_id']) {}
