import { IntersectionType } from '@nestjs/swagger';
import {
  AnyMember,
  FlagMember,
  IdMember,
  IntegerMember,
  ListMember,
  MomentMember,
  NumberMember,
  ObjectMember,
  TextMember,
} from '../../platform/http/answer-members';
import { type Group, GROUPS } from './report-groups';

const Count = (description?: string): PropertyDecorator => IntegerMember({ minimum: 0, description });
const Figure = (description: string): PropertyDecorator => NumberMember({ nullable: true, description });
const Key = (description?: string): PropertyDecorator => TextMember({ required: false, nullable: true, description });
const KeyId = (): PropertyDecorator => IdMember({ required: false, nullable: true });

/** What a row is about: the members that belong to `group_by`; null where there is none. */
class ReportKeys {
  @Key('`2026-11-22`, of the time zone.')
  day?: string;
  @Key('The Monday on which it begins.')
  week?: string;
  @Key('`2026-11`.')
  month?: string;
  @Key()
  metric?: string;
  @KeyId()
  team_id?: number | null;
  @Key('Name of the team.')
  team?: string | null;
  @KeyId()
  agent_id?: number | null;
  @Key('Name of the user.')
  agent?: string | null;
  @Key()
  priority?: string | null;
  @KeyId()
  category_id?: number | null;
  @Key()
  category?: string | null;
  @Key()
  channel?: string | null;
  @KeyId()
  company_id?: number | null;
  @Key()
  company?: string | null;
}

class ReportFrame {
  @MomentMember()
  from: string;
  @MomentMember()
  to: string;
  @TextMember({ description: 'In which days, weeks and months begin.' })
  timezone: string;
  @AnyMember({ type: 'array', items: { type: 'string', enum: Object.keys(GROUPS) } })
  group_by: readonly Group[];
  @FlagMember({ description: 'There are more than 10,000 rows; the total counts them all.' })
  truncated: boolean;
}

export class SlaFigures {
  @Count('Promises that were kept.')
  met: number;
  @Count()
  breached: number;
  @Figure('met / (met + breached); null when none was decided.')
  compliance_pct: number | null;
}

export class AgentFigures extends SlaFigures {
  @Count('Tickets, by their newest resolution.')
  resolved: number;
  @Figure('From the creation on, around the clock.')
  resolution_median_minutes: number | null;
  @Count()
  first_responses: number;
  @Figure('From the creation on, around the clock.')
  first_response_median_minutes: number | null;
  @Count('Public comments that they wrote.')
  replies: number;
  @Count()
  internal_notes: number;
  @Count()
  csat_responses: number;
  @Figure('1 to 5.')
  csat_average: number | null;
}

export class CsatFigures {
  @Count('Ratings, one for each rated resolution.')
  responses: number;
  @Figure('1 to 5.')
  average: number | null;
  @Figure('Ratings of 4 and 5 among all.')
  score_pct: number | null;
  @Count()
  score_1: number;
  @Count()
  score_2: number;
  @Count()
  score_3: number;
  @Count()
  score_4: number;
  @Count()
  score_5: number;
}

export class SlaReportRow extends IntersectionType(SlaFigures, ReportKeys) {}
export class AgentReportRow extends IntersectionType(AgentFigures, ReportKeys) {}
export class CsatReportRow extends IntersectionType(CsatFigures, ReportKeys) {}

/** Answer of `GET /reports/sla`. */
export class SlaReport extends ReportFrame {
  @ObjectMember(() => SlaFigures)
  total: SlaFigures;
  @ListMember(() => SlaReportRow)
  groups: SlaReportRow[];
}

/** Answer of `GET /reports/agents`. */
export class AgentReport extends ReportFrame {
  @ObjectMember(() => AgentFigures)
  total: AgentFigures;
  @ListMember(() => AgentReportRow)
  groups: AgentReportRow[];
}

/** Answer of `GET /reports/csat`. */
export class CsatReport extends ReportFrame {
  @ObjectMember(() => CsatFigures)
  total: CsatFigures;
  @ListMember(() => CsatReportRow)
  groups: CsatReportRow[];
}
