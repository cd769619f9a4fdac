import { TextMember } from '../../../platform/http/answer-members';
import { IdParameter } from '../../../platform/query/members';

/** `GET /teams/stream` */
export class LiveQuery {
  @IdParameter({ description: 'Only what happens in this channel.' })
  channel_id?: number;

  @IdParameter({ description: 'Only what happens in this conversation.' })
  thread_id?: number;
}

/** Where the log of a workspace ends. */
export class LivePlace {
  @TextMember({ nullable: true, description: 'For `Last-Event-ID`; null while nothing has happened.' })
  last_event_id: string | null;
}
