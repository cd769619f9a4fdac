import {
  EnumMember,
  IntegerMember,
  ListMember,
  MomentMember,
  NumberMember,
  ObjectMember,
} from '../../../platform/http/answer-members';
import { LocalWindowParameter, QueryParameter } from '../../../platform/query/members';
import { oneOf } from '../../../platform/query/values';
import { TICKET_CHANNELS } from '../../tickets/ticket-values';
import { type Task, TASKS } from '../tasks';
import { AiConversationMetrics, AiPreviousWindow, type Delta, DeltaMember } from './conversation-metrics.dto';
import type { ConversationMetrics } from './conversation-metrics';
import { AiConfidence, AiRate } from './metrics-members';
import type { Rate, TaskMetrics } from './task-metrics';

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

  @QueryParameter(
    { description: 'Only conversations, and tickets beside them, of this channel.' },
    { type: 'string', enum: [...TICKET_CHANNELS] },
    oneOf(TICKET_CHANNELS),
  )
  channel?: (typeof TICKET_CHANNELS)[number];
}

const share = { minimum: 0, maximum: 1, nullable: true };

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
  confidence: TaskMetrics['confidence'];
}

/** Answer of `GET /ai-engine/metrics`. */
export class AiMetrics {
  @MomentMember()
  from: string;

  @MomentMember()
  to: string;

  @ListMember(() => AiTaskMetrics, { description: 'Of predictions that were made in the window.' })
  tasks: TaskMetrics[];

  @ObjectMember(() => AiConversationMetrics, { description: 'Of conversations that began in the window.' })
  conversations: ConversationMetrics;

  @ObjectMember(() => AiPreviousWindow)
  previous: AiPreviousWindow;

  @DeltaMember()
  delta: Delta;
}
