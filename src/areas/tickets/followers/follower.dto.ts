import { BodyOf, MembersOf } from '../../../platform/columns/bodies';
import { TicketFollower } from './follower.entity';

const writable = ['user_id'] as const;

/** `POST /tickets/{id}/followers` */
@BodyOf(TicketFollower, writable)
export class CreateFollower extends MembersOf(TicketFollower, writable) {}
