import {
  AnyMember,
  EnumMember,
  IdMember,
  IntegerMember,
  ListMember,
  MomentMember,
  NumberMember,
  TextMember,
} from '../../../platform/http/answer-members';
import { DEAL_STATUSES, type DealStatus } from '../crm-values';
import { Conversion } from './conversion';

/** Value of deals by currency. */
const ValuesMember = (): PropertyDecorator =>
  AnyMember(
    { type: 'object', additionalProperties: { type: 'number' } },
    { description: 'Value of the deals by currency.', example: { EUR: 12_000 } },
  );
const SecondsMember = (): PropertyDecorator =>
  IntegerMember({ nullable: true, description: 'Seconds; null when there is no such deal.' });

/** A stage: what became of the stays that began in the window, and the deals that are in it now. */
export class StageMetrics extends Conversion {
  @IdMember()
  id: number;

  @TextMember()
  name: string;

  @EnumMember(DEAL_STATUSES)
  type: DealStatus;

  @IntegerMember()
  position: number;

  @IntegerMember({ description: 'Deals in the stage now.' })
  deal_count: number;

  @ValuesMember()
  values: Record<string, number>;

  @SecondsMember()
  average_age_seconds: number | null;

  @SecondsMember()
  median_age_seconds: number | null;
}

/** Answer of `GET /crm/pipelines/{id}/metrics`. */
export class PipelineMetrics {
  @IdMember()
  pipeline_id: number;

  @MomentMember()
  from: string;

  @MomentMember()
  to: string;

  @IntegerMember({ description: 'Deals of the pipeline that were created in the window.' })
  created: number;

  @IntegerMember({ description: 'Deals that are open now.' })
  open: number;

  @ValuesMember()
  open_values: Record<string, number>;

  @IntegerMember()
  won: number;

  @IntegerMember()
  lost: number;

  @ValuesMember()
  won_values: Record<string, number>;

  @ValuesMember()
  lost_values: Record<string, number>;

  @SecondsMember()
  average_cycle_seconds: number | null;

  @SecondsMember()
  median_cycle_seconds: number | null;

  @NumberMember({ nullable: true, description: 'won / (won + lost); null when none was closed, to two places.' })
  win_rate_pct: number | null;

  @ListMember(() => StageMetrics)
  stages: StageMetrics[];
}
