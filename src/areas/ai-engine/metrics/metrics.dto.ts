import {
  AnyMember,
  EnumMember,
  IntegerMember,
  ListMember,
  MomentMember,
  NumberMember,
  ObjectMember,
} from '../../../platform/http/answer-members';
import { LocalWindowParameter, QueryParameter } from '../../../platform/query/members';
import { oneOf } from '../../../platform/query/values';
import { type Task, TASKS } from '../tasks';
import type { Bin, Rate, TaskMetrics } from './task-metrics';

/** Parameters of `GET /ai-engine/metrics`. */
export class AiMetricsQuery {
  @LocalWindowParameter('to', {
    description: "Date of the workspace's time zone, which is included, or timestamp, which is not; default: now.",
  })
  to?: number;

  @LocalWindowParameter('from', { description: 'Date or timestamp; default: 30 days before `to`.' })
  from?: number;

  @QueryParameter({ description: 'Only this task.' }, { type: 'string', enum: [...TASKS] }, oneOf(TASKS))
  task?: Task;
}

const share = { minimum: 0, maximum: 1, nullable: true };

class AiRate implements Rate {
  @NumberMember({ ...share, description: 'null of nothing.' })
  value: number | null;

  @IntegerMember({ minimum: 0 })
  numerator: number;

  @IntegerMember({ minimum: 0 })
  denominator: number;
}

class AiCalibrationBin implements Bin {
  @NumberMember({ description: 'From this confidence, for a tenth.' })
  bin: number;

  @NumberMember({ ...share, description: 'Mean confidence.' })
  predicted: number | null;

  @NumberMember({ ...share, description: 'Share that was right.' })
  observed: number | null;

  @IntegerMember({ minimum: 0 })
  n: number;
}

class AiConfidence {
  @NumberMember(share)
  mean: number | null;

  @AnyMember(
    { type: 'array', items: { type: 'integer', minimum: 0 } },
    { description: 'Predictions by tenths of confidence.' },
  )
  distribution: number[];

  @ListMember(() => AiCalibrationBin)
  calibration: Bin[];

  @NumberMember({ ...share, description: 'Expected calibration error.' })
  ece: number | null;
}

class AiTaskMetrics implements TaskMetrics {
  @EnumMember(TASKS)
  task: Task;

  @IntegerMember({ minimum: 0 })
  predictions: number;

  @ObjectMember(() => AiRate, { description: 'It abstained.' })
  abstained_rate: Rate;

  @ObjectMember(() => AiRate, { description: 'It said something.' })
  coverage: Rate;

  @ObjectMember(() => AiRate, {
    description: 'Of those of which it is known what was true, the ones that were right.',
  })
  accuracy: Rate;

  @NumberMember(share)
  macro_f1: number | null;

  @ObjectMember(() => AiRate, { description: 'Of those that were reviewed.' })
  accepted_rate: Rate;

  @ObjectMember(() => AiRate)
  corrected_rate: Rate;

  @ObjectMember(() => AiRate)
  rejected_rate: Rate;

  @ObjectMember(() => AiConfidence)
  confidence: AiConfidence;
}

/** Answer of `GET /ai-engine/metrics`. */
export class AiMetrics {
  @MomentMember()
  from: string;

  @MomentMember()
  to: string;

  @ListMember(() => AiTaskMetrics, { description: 'Of predictions that were made in the window.' })
  tasks: TaskMetrics[];
}
