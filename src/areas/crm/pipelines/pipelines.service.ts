import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import { invalid } from '../../../platform/errors/api-error';
import type { SingleResult } from '../../../platform/http/results';
import { requireCurrency } from '../../../platform/money/currency';
import type { Change } from '../../../platform/resource/change';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { LAST_PLACE } from '../../../platform/resource/last-place';
import { changeMany } from '../../../platform/resource/many-changes';
import type { Row, Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { moveDeals } from '../deals/deal-stays';
import { firstStage, readBoard } from './board';
import { Stage } from '../stages/stage.entity';
import type { CreatePipeline, RemovePipeline, UpdatePipeline } from './pipeline.dto';
import { Pipeline } from './pipeline.entity';
import { arrangeStages, stagePlaces } from '../stages/stage-order';
import { planStages, requirePermutation } from '../stages/stage-plan';
import { Deal } from '../deals/deal.entity';
import { StagesService } from '../stages/stages.service';

/** Pipelines of a workspace at most: the answer of each embeds its stages. */
const MAX_PIPELINES = 200;

/** Pipelines. Changes take one lock per workspace, because exactly one pipeline is the default. */
@Injectable()
export class PipelinesService {
  constructor(
    @InjectStore(Pipeline) private readonly pipelines: Store<Pipeline>,
    @InjectStore(Stage) private readonly stageStore: Store<Stage>,
    @InjectWorkspaceRepository(Deal) private readonly deals: WorkspaceRepository<Deal>,
    private readonly stages: StagesService,
    private readonly database: Database,
  ) {}

  create(body: CreatePipeline): Promise<SingleResult> {
    return this.pipelines.holding(() => this.pipelines.create(body, (values) => this.complete(values, body)));
  }

  update(id: number, body: UpdatePipeline, expected: ExpectedVersions): Promise<SingleResult> {
    return this.pipelines.holding(() =>
      this.pipelines.update(id, body, expected, (before, values) => this.follow(before, values)),
    );
  }

  /** The default stays, and so there always is one; deals go where `move_to_pipeline` says. */
  remove(id: number, expected: ExpectedVersions, { move_to_pipeline: heirId }: RemovePipeline): Promise<SingleResult> {
    return this.pipelines.holding(() =>
      this.pipelines.remove(id, expected, async (pipeline) => {
        if (pipeline.is_default) {
          invalid('id', 'is_default', 'The default pipeline cannot be deleted; make another one the default first.');
        }
        await (heirId === undefined ? this.requireNoDeals(id) : this.handOver(id, heirId));
        await this.tellStages(id);
      }),
    );
  }

  /** Puts the stages into the given order; a new version of the pipeline, with its event, when it differs from the present one. */
  async reorder(id: number, stageIds: readonly number[], expected: ExpectedVersions): Promise<SingleResult> {
    return this.pipelines.holding(() =>
      this.pipelines.mutate(id, expected, async () => {
        const present = await stagePlaces(this.database, id);
        requirePermutation(
          'stage_ids',
          present.map((stage) => stage.id),
          stageIds,
        );
        const moved = await arrangeStages(this.database, present, stageIds);
        return { values: {}, always: moved > 0 };
      }),
    );
  }

  /** The stages come first, so that the pipeline's own statement shows them. */
  private async complete(values: Values<Pipeline>, body: CreatePipeline): Promise<undefined> {
    const [found] = await this.database.query<{ id: number; pipelines: number; last: number }>(
      `SELECT nextval(pg_get_serial_sequence('pipelines', 'id')) AS id, count(*) AS pipelines, coalesce(max(position), 0) AS last
       FROM pipelines WHERE workspace_id = $1`,
      [currentWorkspaceId()],
    );
    if (!found) throw new Error('A count answers one row.');
    if (found.pipelines >= MAX_PIPELINES) {
      invalid('name', 'max', `A workspace has at most ${MAX_PIPELINES} pipelines.`);
    }
    requireSense(values);
    const planned = planStages(body.stages);
    values.id = found.id;
    values.position ??= Math.min(found.last + 1, LAST_PLACE);
    if (values.is_default) await this.takeDefault(0);
    await this.stages.createAll(found.id, planned);
  }

  private async follow(before: Row<Pipeline>, values: Values<Pipeline>): Promise<Change<Pipeline>> {
    if (before.is_default && values.is_default === false) {
      invalid('is_default', 'is_default', 'Exactly one pipeline is the default; make another one the default instead.');
    }
    requireSense({ ...before, ...values });
    if (values.is_default && !before.is_default) await this.takeDefault(before.id);
    return { values };
  }

  private async requireNoDeals(id: number): Promise<void> {
    const deals = await this.deals.countBy({ pipeline_id: id });
    if (deals === 0) return;
    const message = `The pipeline has ${deals} deals; DELETE /crm/pipelines/${id}?move_to_pipeline=<id> moves them.`;
    invalid('id', 'in_use', message, { deals });
  }

  /** The stages go with their pipeline, each with an event of its own. */
  private async tellStages(id: number): Promise<void> {
    const stages = (await stagePlaces(this.database, id)).map((stage) => stage.id);
    await this.stageStore.announceEach(
      stages.toSorted((one, other) => one - other),
      ['stage.deleted'],
    );
  }

  /** Open deals come into the first open stage, won and lost ones stay won and lost. */
  private async handOver(id: number, heirId: number): Promise<void> {
    if (heirId === id) invalid('move_to_pipeline', 'invalid', '"move_to_pipeline" must name another pipeline.');
    const { board, now } = await readBoard(this.database, { pipelines: [id, heirId], stages: [] });
    const heir = board.find((pipeline) => pipeline.id === heirId);
    if (!heir) invalid('move_to_pipeline', 'not_found', '"move_to_pipeline" names a pipeline that does not exist.');
    if (!heir.is_active) invalid('move_to_pipeline', 'inactive', `Pipeline ${heirId} is not active.`);
    for (const stage of board.find((pipeline) => pipeline.id === id)?.stages ?? []) {
      await moveDeals(this.database, stage, firstStage(heir, stage.type), now);
    }
  }

  private async takeDefault(id: number): Promise<void> {
    await changeMany(this.database, {
      resource: 'pipelines',
      condition: (bind) => `m.is_default AND m.id <> ${bind(id)}`,
      values: { is_default: false },
      events: ['pipeline.updated'],
      changes: { is_default: { from: true, to: false } },
    });
  }
}

/** Refuses a default that is not active, and a currency that is none. */
function requireSense(pipeline: Values<Pipeline>): void {
  if (pipeline.is_default && pipeline.is_active === false) {
    invalid('is_active', 'is_default', 'The default pipeline must be active.');
  }
  if (typeof pipeline.currency === 'string') requireCurrency('currency', pipeline.currency);
}
