import { OmitType } from '@nestjs/swagger';
import type { Schedule } from '../../platform/calendar/schedule';
import {
  EnumMember,
  IdMember,
  IntegerMember,
  ListMember,
  MomentMember,
  ObjectMember,
  TextMember,
} from '../../platform/http/answer-members';
import { METRICS, SLA_STATUSES, type SlaStatus } from './clock-types';
import { ClockView } from './clock-view';
import { MATCHED_BY } from './policy-match';

/** The policy that made the clocks, and why that one. */
export class MatchedPolicy {
  @IdMember()
  id: number;

  @TextMember({ nullable: true, description: 'Null for who may not read policies.' })
  name: string | null;

  @IntegerMember()
  version: number;

  @EnumMember(MATCHED_BY)
  matched_by: string;
}

export class SimulatedPolicy extends OmitType(MatchedPolicy, ['matched_by']) {}

/** When the clocks run. */
export class SlaSchedule {
  @TextMember()
  mode: Schedule['mode'];

  @TextMember({ nullable: true })
  timezone: string | null;
}

/** What happened to a clock. */
export class HistoryLine {
  @MomentMember()
  at: string;

  @TextMember()
  change: string;

  @EnumMember(METRICS)
  metric: string;

  @IntegerMember()
  instance: number;

  @MomentMember({ nullable: true })
  old_due_at: string | null;

  @MomentMember({ nullable: true })
  new_due_at: string | null;

  @TextMember()
  cause: string;
}

/** `GET /tickets/{id}/sla`: product reference 3.10. */
export class SlaDetail {
  @ObjectMember(() => MatchedPolicy, { nullable: true })
  policy: MatchedPolicy | null;

  @ObjectMember(() => SlaSchedule, { nullable: true })
  schedule: SlaSchedule | null;

  @EnumMember(SLA_STATUSES)
  sla_status: SlaStatus;

  /** The first of the due moments of running clocks. */
  @MomentMember({ nullable: true })
  next_due_at: string | null;

  @ListMember(() => ClockView)
  clocks: ClockView[];

  @ListMember(() => HistoryLine)
  history: HistoryLine[];
}

/** `POST /sla/{id}/simulate`: what the policy would have made of it, up to `as_of`. */
export class Simulation extends OmitType(SlaDetail, ['policy', 'schedule']) {
  @MomentMember()
  as_of: string;

  @ObjectMember(() => SimulatedPolicy)
  policy: SimulatedPolicy;

  @ObjectMember(() => SlaSchedule)
  schedule: SlaSchedule;

  @MomentMember({ nullable: true })
  sla_due_at: string | null;

  @MomentMember({ nullable: true })
  first_response_due_at: string | null;

  @MomentMember({ nullable: true })
  next_response_due_at: string | null;
}
