import {
  AnyMember,
  EnumMember,
  FlagMember,
  IdMember,
  IntegerMember,
  ListMember,
  MomentMember,
  NumberMember,
  ObjectMember,
  TextMember,
} from '../../platform/http/answer-members';
import { METRICS } from './clock-types';
import { COMPLIANCE_GROUPS, type ComplianceGroup } from './compliance-query';

/** Clocks that were decided, and how. */
export class KeptPromises {
  @IntegerMember()
  met: number;

  @IntegerMember()
  breached: number;

  @NumberMember({ nullable: true, description: 'met / (met + breached); null when none was decided.' })
  compliance_pct: number | null;
}

/** Members named by `group_by`; `team_id` and `agent_id` are those of the moment of the decision, null without. */
export class ComplianceRow extends KeptPromises {
  @EnumMember(METRICS, { required: false })
  metric?: string;

  @TextMember({ required: false })
  priority?: string;

  @IdMember({ required: false, nullable: true })
  team_id?: number | null;

  @IdMember({ required: false, nullable: true })
  agent_id?: number | null;
}

/** Answer of `GET /sla/compliance`. */
export class Compliance {
  @MomentMember()
  from: string;

  @MomentMember()
  to: string;

  @AnyMember({ type: 'array', items: { type: 'string', enum: [...COMPLIANCE_GROUPS] } })
  group_by: readonly ComplianceGroup[];

  @ObjectMember(() => KeptPromises)
  total: KeptPromises;

  @ListMember(() => ComplianceRow)
  groups: ComplianceRow[];

  @FlagMember({ description: 'There are more groups; the total counts them.' })
  truncated: boolean;
}
