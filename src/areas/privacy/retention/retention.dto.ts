import {
  FlagMember,
  IntegerMember,
  MomentMember,
  ObjectMember,
  TextMember,
} from '../../../platform/http/answer-members';
import { NumberParameter } from '../../../platform/query/members';
import { MAX_RETENTION_DAYS } from '../../workspace/workspace-settings';

/** Parameters of `GET /retention-runs/preview`. */
export class RetentionQuery {
  @NumberParameter({ min: 1, max: MAX_RETENTION_DAYS, description: 'Days instead of those of the rule: what if?' })
  ticket_days?: number;
}

class TicketRetention {
  @IntegerMember({ minimum: 1, nullable: true, description: 'Days after closing; null = they are kept for ever.' })
  days: number | null;

  @MomentMember({ nullable: true, description: 'Tickets that were closed by then are kept no longer.' })
  before: string | null;

  @TextMember({ description: 'Tickets with this tag are kept whatever the rule says.' })
  hold_tag: string;

  @IntegerMember({ minimum: 0, description: 'Tickets that would go.' })
  count: number;

  @IntegerMember({ minimum: 0, description: 'Tickets that would go, did they not have the tag.' })
  held_count: number;

  @FlagMember({ description: 'False: there are more; the oldest 10,000 were counted.' })
  is_complete: boolean;

  @MomentMember({ nullable: true, description: 'When the oldest of them was closed.' })
  oldest_closed_at: string | null;
}

/** What the rules of a workspace would delete. */
export class RetentionPreview {
  @ObjectMember(() => TicketRetention)
  tickets: TicketRetention;
}
