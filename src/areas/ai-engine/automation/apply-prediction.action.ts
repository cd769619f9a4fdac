import { Injectable } from '@nestjs/common';
import { EnumArgument } from '../../../platform/area/arguments';
import type {
  ActionContext,
  ActionExecutor,
  ActionPerformer,
  ActionWith,
  RuleAction,
} from '../../../platform/area/rules';
import { Database } from '../../../platform/database/database';
import { fail } from '../../../platform/errors/api-error';
import { ValidationPipe } from '../../../platform/http/validation-pipe';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { currentWorkspaceId } from '../../../platform/context/current';
import { UpdateTicket } from '../../tickets/ticket.dto';
import { TicketsService } from '../../tickets/tickets.service';
import { AiPrediction, BANDS } from '../predictions/prediction.entity';
import { LEARNT_TASKS, type LearntTask, TRUTH } from '../tasks';

const CONFIDENCES = ['high', 'medium', 'low'] as const;

/** What it takes. */
class ApplyPredictionParameters {
  @EnumArgument(LEARNT_TASKS, { required: true, description: 'What of the ticket is set.' })
  task: LearntTask;

  @EnumArgument(CONFIDENCES, {
    description: 'How sure the prediction must be: from 0.8 (`high`, unless given), from 0.5, or however little.',
  })
  confidence?: (typeof CONFIDENCES)[number];
}

/** What rules are told of it. */
export const applyPrediction: RuleAction = {
  type: 'apply_prediction',
  label: 'Apply a prediction',
  kind: 'field',
  parameters: ApplyPredictionParameters,
};

/** Sets a field of a ticket to what the AI engine predicted, by the rules of any other change. */
@Injectable()
export class ApplyPrediction implements ActionPerformer {
  readonly executors: readonly ActionExecutor[] = [
    {
      type: applyPrediction.type,
      kind: 'direct',
      objects: ['ticket'],
      execute: (action: ActionWith<ApplyPredictionParameters>, context) => this.apply(action, context),
    },
  ];

  constructor(
    private readonly database: Database,
    @InjectStore(AiPrediction) private readonly predictions: Store<AiPrediction>,
    private readonly tickets: TicketsService,
    private readonly pipe: ValidationPipe,
  ) {}

  private async apply(
    { task, confidence = 'high' }: ApplyPredictionParameters,
    { objectId }: ActionContext,
  ): Promise<void> {
    const [newest] = await this.database.query<{ id: number; value: string; confidence: number }>(
      `SELECT id, value, confidence::float AS confidence FROM ai_predictions
       WHERE workspace_id = $1 AND ticket_id = $2 AND task = $3 AND status = 'pending' AND value IS NOT NULL
       ORDER BY created_at DESC, id DESC LIMIT 1`,
      [currentWorkspaceId(), objectId, task],
    );
    if (!newest) fail('validation_error', `There is no prediction of the ${task} to apply.`);
    if (newest.confidence < (confidence === 'low' ? 0 : BANDS[confidence]))
      fail('validation_error', `The prediction of the ${task} is not sure enough.`);
    const value = task === 'priority' ? newest.value : Number(newest.value);
    await this.tickets.update(objectId, this.pipe.validate({ [TRUTH[task]]: value }, UpdateTicket));
    const applied_at = await this.database.moment();
    const applied = { values: { status: 'applied', applied_at }, events: ['ai_prediction.applied'] } as const;
    await this.predictions.apply(await this.predictions.lock(newest.id), applied);
  }
}
