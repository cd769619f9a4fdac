import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import { JobQueue } from '../../../platform/queue/job-queue';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { AiModel } from '../models/ai-model.entity';
import { AiSettingsService } from '../settings/ai-settings.service';
import { refuseSwitchedOff } from '../settings/switched-off';
import { LEARNT_TASKS, type LearntTask } from '../tasks';
import { TRAINING_JOB } from './training-job';
import type { StartedTraining } from './training.dto';

/** After so long a training is over, whatever became of it. */
const LONGEST = '6 hours';

/** Begins trainings; who does them is {@link TRAINING_JOB}. */
@Injectable()
export class Training {
  constructor(
    @InjectStore(AiModel) private readonly models: Store<AiModel>,
    @InjectWorkspaceRepository(AiModel) private readonly known: WorkspaceRepository<AiModel>,
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly settings: AiSettingsService,
  ) {}

  /** Enters a training of each task into the queue unless one is under way; answers those that are. */
  async start(asked?: readonly LearntTask[]): Promise<StartedTraining> {
    const { enabled, tasks } = await this.settings.holding();
    refuseSwitchedOff({ enabled }, 'tasks');
    const wanted = LEARNT_TASKS.filter((task) => (asked ? asked.includes(task) : tasks[task]));
    return this.models.holding(async () => {
      await this.giveUpOld();
      const under = await this.underWay();
      for (const task of wanted.filter((each) => !under.some((model) => model.task === each))) {
        const { id } = await this.models.insert({}, (values) => void Object.assign(values, { task, status: 'queued' }));
        await this.queue.add([{ kind: TRAINING_JOB, subject_id: id }]);
      }
      const models = await this.underWay();
      return { models: models.filter(({ task }) => wanted.includes(task)) };
    });
  }

  /** Trainings whose job died with the error that the log of the service tells. */
  private async giveUpOld(): Promise<void> {
    const old = await this.database.query<{ id: number }>(
      `SELECT id FROM ai_models WHERE workspace_id = $1 AND status IN ('queued', 'training') AND updated_at < now() - interval '${LONGEST}' ORDER BY id`,
      [currentWorkspaceId()],
    );
    for (const { id } of old) {
      const values = { status: 'failed', reason: 'It was not made in time.' } as const;
      await this.models.apply(await this.models.lock(id), { values, events: ['ai_model.failed'] });
    }
  }

  private underWay(): Promise<StartedTraining['models']> {
    const status = In(['queued', 'training']);
    return this.known.find({ select: { id: true, task: true, status: true }, where: { status }, order: { id: 'ASC' } });
  }
}
