import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { PeriodicJobs } from '../../../platform/schedule/periodic-jobs';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { ENGINE } from '../conversations/engine-actor';
import { AiModel } from '../models/ai-model.entity';
import type { LearntTask } from '../tasks';
import { hasDrifted, LEAST_JUDGED, MOST_JUDGED, type Seen } from './drift';
import { Training } from './training.service';

const EVERY_MS = 3_600_000;

interface SeenModel extends Seen {
  workspace_id: number;
  id: number;
  task: LearntTask;
  /** Whether the engine works by itself there. */
  is_by_itself: boolean;
}

/** Models that predictions are made by, with what became of their newest ones. */
const SEEN = `
  SELECT m.workspace_id, m.id, m.task, s.enabled AND s.mode <> 'off' AS is_by_itself, p.n, p.right_ones AS right,
    coalesce(m.evaluation #>> '{answered,accuracy}', m.evaluation ->> 'accuracy')::float AS told
  FROM ai_models m JOIN ai_settings s ON s.workspace_id = m.workspace_id
  CROSS JOIN LATERAL (SELECT count(*)::integer AS n, (count(*) FILTER (WHERE j.was_correct))::integer AS right_ones FROM (
    SELECT p.was_correct FROM ai_predictions p WHERE p.workspace_id = m.workspace_id AND p.model_id = m.id AND p.was_correct IS NOT NULL
    ORDER BY p.id DESC LIMIT ${MOST_JUDGED}) j) p
  WHERE m.status = 'ready' AND m.drifted_at IS NULL AND p.n >= ${LEAST_JUDGED}
    AND coalesce(m.evaluation #>> '{answered,accuracy}', m.evaluation ->> 'accuracy') IS NOT NULL`;

/** Notices models that have become worse than they said, tells so, and has them made again where the engine works by itself. */
@Injectable()
export class DriftedModels implements OnModuleInit {
  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
    @InjectStore(AiModel) private readonly models: Store<AiModel>,
    private readonly training: Training,
  ) {}

  onModuleInit(): void {
    this.jobs.register('drift-of-ai-models', EVERY_MS, () => this.run());
  }

  /** Inside `Database.system()`. */
  async run(): Promise<void> {
    for (const seen of (await this.database.query<SeenModel>(SEEN)).filter(hasDrifted)) await this.notice(seen);
  }

  private notice({ workspace_id, id, task, is_by_itself }: SeenModel): Promise<void> {
    return this.database.inWorkspace(workspace_id, ENGINE, () =>
      this.database.transaction(async () => {
        const model = await this.models.lockIfAny(id);
        if (model?.status !== 'ready' || model.drifted_at !== null) return;
        const values = { drifted_at: await this.database.moment() };
        await this.models.apply(model, { values, events: ['ai_model.drifted'] });
        if (is_by_itself) await this.training.start([task]);
      }),
    );
  }
}
