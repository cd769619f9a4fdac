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

  @NumberParameter({
    min: 1,
    max: MAX_RETENTION_DAYS,
    description: 'The same of the rule that makes tickets anonymous.',
  })
  anonymise_days?: number;

  @NumberParameter({ min: 1, max: MAX_RETENTION_DAYS, description: 'The same of the rule about logs.' })
  log_days?: number;
}

class TicketRetention {
  @IntegerMember({ minimum: 1, nullable: true, description: 'Days after closing; null = they are kept for ever.' })
  days: number | null;

  @MomentMember({ nullable: true, description: 'It is about tickets that were closed by then.' })
  before: string | null;

  @TextMember({ description: 'Tickets with this tag are kept as they are, whatever the rule says.' })
  hold_tag: string;

  @IntegerMember({ minimum: 0, description: 'Tickets that it would be done to.' })
  count: number;

  @IntegerMember({ minimum: 0, description: 'Tickets that it would be done to, did they not have the tag.' })
  held_count: number;

  @FlagMember({ description: 'False: there are more; the oldest 10,000 were counted.' })
  is_complete: boolean;

  @MomentMember({ nullable: true, description: 'When the oldest of them was closed.' })
  oldest_closed_at: string | null;
}

class LogCounts {
  @IntegerMember({ minimum: 0, description: 'Of the audit log.' })
  audit_logs: number;

  @IntegerMember({ minimum: 0, description: 'Deliveries of webhooks.' })
  webhook_deliveries: number;

  @IntegerMember({ minimum: 0, description: 'Of logs of integrations.' })
  integration_logs: number;

  @IntegerMember({ minimum: 0, description: 'Runs of automations.' })
  automation_runs: number;

  @IntegerMember({ minimum: 0, description: 'Mail that was sent.' })
  outgoing_mails: number;
}

class LogRetentionPreview {
  @IntegerMember({ minimum: 1, nullable: true, description: 'null = as long as the installation keeps them.' })
  days: number | null;

  @MomentMember({ nullable: true, description: 'Entries of before are kept no longer.' })
  before: string | null;

  @ObjectMember(() => LogCounts, { description: 'Entries that would go, at most 10,000 of each.' })
  counts: LogCounts;
}

/** What the rules of a workspace would do. */
export class RetentionPreview {
  @ObjectMember(() => TicketRetention, { description: 'Closed tickets that would be deleted.' })
  tickets: TicketRetention;

  @ObjectMember(() => TicketRetention, {
    description: 'Closed tickets that would become anonymous; some of them may be deleted first.',
  })
  anonymise: TicketRetention;

  @ObjectMember(() => LogRetentionPreview)
  logs: LogRetentionPreview;
}
