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
import { APPLICABLE_TASKS, type ApplicableTask, FIELDS, INTENT_TAG } from '../tasks';

const CONFIDENCES = ['high', 'medium', 'low'] as const;

/** What it takes. */
class ApplyPredictionParameters {
  @EnumArgument(APPLICABLE_TASKS, {
    required: true,
    description: 'What of the ticket is set; `tags` are added, and `intent` is added as the tag `intent__…`.',
  })
  task: ApplicableTask;

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
    await this.set(objectId, task, newest.value);
    const applied_at = await this.database.moment();
    const applied = { values: { status: 'applied', applied_at }, events: ['ai_prediction.applied'] } as const;
    await this.predictions.apply(await this.predictions.lock(newest.id), applied);
  }

  private async set(id: number, task: ApplicableTask, value: string): Promise<void> {
    if (task === 'tags') await this.tickets.changeTags(id, value.split(','), [], null);
    else if (task === 'intent') {
      const { tags } = await this.tickets.held(id);
      const others = tags.split(',').filter((tag) => tag.startsWith(INTENT_TAG));
      await this.tickets.changeTags(id, [`${INTENT_TAG}${value}`], others, null);
    } else {
      const given = task === 'priority' ? value : Number(value);
      await this.tickets.update(id, this.pipe.validate({ [FIELDS[task]]: given }, UpdateTicket));
    }
  }
}
