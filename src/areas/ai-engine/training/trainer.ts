import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { join } from 'node:path';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import type { Job, JobHandler, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import type { Row, Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { threadTask } from '../../../platform/workers/thread-task';
import { Workers } from '../../../platform/workers/workers.service';
import { AiModel } from '../models/ai-model.entity';
import { storeParts } from '../models/model-parts';
import { AiSettingsService } from '../settings/ai-settings.service';
import { breachData } from './breach-data';
import { TRAINING_JOB } from './training-job';
import { sufficient, sufficientTags, trainingData } from './training-data';
import type { trainModel } from './train-model';

const TRAIN = threadTask<typeof trainModel>('models', join(__dirname, 'train-model'), 'trainModel');
/** A model that cannot be made is given up after so many attempts. */
const TRIES = 3;
const AGAIN_MS = 60_000;

/**
 * Makes models, in a thread: of a workspace one at a time. What a process that dies leaves behind is a job whose lease ends,
 * and a model that is made anew.
 */
@Injectable()
export class Trainer implements JobHandler, OnModuleInit {
  readonly kind = TRAINING_JOB;
  readonly perGroup = 1;
  readonly perWorkspace = 1;
  readonly leaseMs = 6 * 60_000;
  private readonly logger = new Logger(Trainer.name);

  constructor(
    @InjectStore(AiModel) private readonly models: Store<AiModel>,
    @InjectWorkspaceRepository(AiModel) private readonly known: WorkspaceRepository<AiModel>,
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly workers: Workers,
    private readonly settings: AiSettingsService,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async perform({ subject_id: id, attempt }: Job): Promise<JobOutcome> {
    const model = await this.begin(id);
    if (!model) return {};
    const { thresholds } = await this.settings.holding();
    const many = model.task === 'tags';
    const isOfTexts = model.task !== 'sla_breach_risk';
    const data = isOfTexts ? await trainingData(this.database, model.task) : await breachData(this.database);
    const { texts, values, keys, classes, reason } = many ? sufficientTags(data) : sufficient(data);
    const facts = { samples: texts.length, classes };
    if (reason !== null) {
      const outcome = { ...facts, status: 'insufficient_data', reason } as const;
      return { settle: () => this.end(id, outcome, 'ai_model.abstained') };
    }
    const names = classes.map(({ value }) => value);
    try {
      const task = { texts, values, ...(keys ? { keys } : {}), classes: names, many, threshold: thresholds.classify };
      const { file, evaluation } = await this.workers.run(TRAIN, task);
      return {
        settle: async () => {
          // One that was given up meanwhile takes no other's place.
          if ((await this.models.lockIfAny(id))?.status !== 'training') return;
          await this.retire(model.task);
          await storeParts(this.database, id, file);
          const trained_at = await this.database.moment();
          const method = `${isOfTexts ? 'tfidf' : 'circumstances'}-svm/${trained_at.slice(0, 10)}`;
          const made = { ...facts, status: 'ready', evaluation, method, trained_at, bytes: file.length } as const;
          await this.end(id, made, 'ai_model.trained');
        },
      };
    } catch (error) {
      if (attempt < TRIES) return { retryInMs: AGAIN_MS };
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      this.logger.error(`Model ${id} of workspace ${currentWorkspaceId()}: ${message}`, stack);
      const failed = {
        ...facts,
        status: 'failed',
        reason: 'It could not be made; the log of the service says why.',
      } as const;
      return { settle: () => this.end(id, failed, 'ai_model.failed') };
    }
  }

  /** The model, in training from now on; null when there is nothing to be made. */
  private begin(id: number): Promise<Row<AiModel> | null> {
    return this.database.transaction(async () => {
      const model = await this.models.lockIfAny(id);
      if (model?.status === 'training') return model;
      if (model?.status !== 'queued') return null;
      const started_at = await this.database.moment();
      await this.models.apply(model, { values: { status: 'training', started_at }, events: [] });
      return model;
    });
  }

  private async end(id: number, values: Values<AiModel>, event: string): Promise<void> {
    const model = await this.models.lockIfAny(id);
    if (model?.status === 'training') await this.models.apply(model, { values, events: [event] });
  }

  /** The model that predictions were made by until now; what it takes to keep is given back. */
  private async retire(task: AiModel['task']): Promise<void> {
    const old = await this.known.findOne({ select: { id: true }, where: { task, status: 'ready' } });
    if (!old) return;
    await storeParts(this.database, old.id, new Uint8Array());
    await this.models.apply(await this.models.lock(old.id), { values: { status: 'retired', bytes: 0 }, events: [] });
  }
}
