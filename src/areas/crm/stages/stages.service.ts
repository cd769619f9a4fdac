import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import { invalid } from '../../../platform/errors/api-error';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { Change } from '../../../platform/resource/change';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { changeMany } from '../../../platform/resource/many-changes';
import type { ListParams } from '../../../platform/resource/reader';
import type { Row, Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { moveDeals } from '../deals/deal-stays';
import { readBoard, stageOf } from '../pipelines/board';
import { Deal } from '../deals/deal.entity';
import { Pipeline } from '../pipelines/pipeline.entity';
import { arrangeStages, stagePlaces } from './stage-order';
import { forcedProbability, MAX_STAGES, placed, type PlannedStage } from './stage-plan';
import type { CreateStage, CreateStageOfPipeline, RemoveStage, UpdateStage } from './stage.dto';
import { Stage } from './stage.entity';

/** Stages of pipelines; every change of one holds the pipelines of the workspace. */
@Injectable()
export class StagesService {
  constructor(
    @InjectStore(Stage) private readonly stages: Store<Stage>,
    @InjectStore(Pipeline) private readonly pipelines: Store<Pipeline>,
    @InjectWorkspaceRepository(Deal) private readonly deals: WorkspaceRepository<Deal>,
    private readonly database: Database,
  ) {}

  /** The stages of one pipeline; 404 when there is no such pipeline. */
  async listOf(pipelineId: number, params: ListParams): Promise<ListResult> {
    const page = await this.stages.list(params, { pipeline_id: pipelineId });
    if (page.total === 0) await this.pipelines.require(pipelineId);
    return page;
  }

  create(body: CreateStage): Promise<SingleResult> {
    return this.pipelines.holding(() => this.stages.create(body, (values) => this.complete(values, body.pipeline_id)));
  }

  /** Adds a stage to the pipeline of the path. */
  async createIn(pipelineId: number, body: CreateStageOfPipeline): Promise<SingleResult> {
    return this.pipelines.holding(async () => {
      await this.pipelines.require(pipelineId);
      const whole = Object.assign(body, { pipeline_id: pipelineId });
      return this.stages.create(whole, (values) => this.complete(values, pipelineId));
    });
  }

  /** Writes the stages of a new pipeline, before the pipeline itself. */
  async createAll(pipelineId: number, planned: readonly PlannedStage[]): Promise<void> {
    for (const stage of planned) await this.stages.insert({ ...stage, pipeline_id: pipelineId });
  }

  update(id: number, body: UpdateStage, expected: ExpectedVersions): Promise<SingleResult> {
    return this.pipelines.holding(() =>
      this.stages.update(id, body, expected, (before, values) => this.follow(before, values)),
    );
  }

  remove(id: number, expected: ExpectedVersions, { move_deals_to: heir }: RemoveStage): Promise<SingleResult> {
    return this.pipelines.holding(() =>
      this.stages.remove(id, expected, (stage) => this.makeRoom(stage, heir ?? null)),
    );
  }

  private async complete(values: Values<Stage>, pipelineId: number): Promise<undefined> {
    const present = await stagePlaces(this.database, pipelineId);
    if (present.length === 0)
      invalid('pipeline_id', 'not_found', '"pipeline_id" names a pipeline that does not exist.');
    if (present.length >= MAX_STAGES) invalid('pipeline_id', 'max', `A pipeline has at most ${MAX_STAGES} stages.`);
    if (values.type !== 'open') {
      invalid('type', 'duplicate', `The pipeline has a stage for ${String(values.type)} deals already.`);
    }
    const ids: (number | null)[] = present.map(({ id }) => id);
    const behindOpen = present.findLastIndex(({ type }) => type === 'open') + 2;
    const order = placed(ids, null, values.position ?? behindOpen);
    const position = order.indexOf(null) + 1;
    values.position = position;
    values.probability ??=
      present.findLast((stage) => stage.type === 'open' && stage.position < position)?.probability ?? 0;
    await arrangeStages(this.database, present, order);
  }

  /** The other stages make room; deals that follow the stage get its new probability and its new limit. */
  private async follow(before: Row<Stage>, values: Values<Stage>): Promise<Change<Stage>> {
    const { type } = before;
    if (values.probability !== undefined) values.probability = forcedProbability(type) ?? values.probability;
    if (type !== 'open' && values.rotten_days) {
      invalid('rotten_days', 'invalid', 'Only open stages have "rotten_days".');
    }
    if (values.position !== undefined && values.position !== before.position) {
      const present = await stagePlaces(this.database, before.pipeline_id);
      const order = placed(
        present.map(({ id }) => id),
        before.id,
        values.position,
      );
      values.position = order.indexOf(before.id) + 1;
      const others = present.filter(({ id }) => id !== before.id);
      await arrangeStages(this.database, others, order);
    }
    await this.leadDeals(before, { ...before, ...values });
    return { values };
  }

  private async makeRoom(stage: Row<Stage>, heirId: number | null): Promise<void> {
    if (stage.type !== 'open') {
      invalid('id', 'last_stage', `A pipeline needs its stage for ${stage.type} deals; delete the pipeline instead.`);
    }
    const present = await stagePlaces(this.database, stage.pipeline_id);
    if (present.filter(({ type }) => type === 'open').length === 1) {
      invalid('id', 'last_stage', 'A pipeline needs at least one open stage; add another one first.');
    }
    await this.handOver(stage, heirId);
    const rest = present.filter(({ id }) => id !== stage.id);
    await arrangeStages(
      this.database,
      rest,
      rest.map(({ id }) => id),
    );
  }

  private async handOver(stage: Row<Stage>, heirId: number | null): Promise<void> {
    const { board, now } = await readBoard(this.database, {
      pipelines: [stage.pipeline_id],
      stages: [heirId ?? undefined],
    });
    const from = stageOf(board, stage.id);
    if (!from) throw new Error(`Stage ${stage.id} is not in its pipeline.`);
    if (heirId !== null) {
      const to = stageOf(board, heirId);
      if (!to) invalid('move_deals_to', 'not_found', '"move_deals_to" names a stage that does not exist.');
      if (to.id === from.id || to.pipeline_id !== from.pipeline_id || to.type !== 'open') {
        invalid('move_deals_to', 'invalid', '"move_deals_to" must name another open stage of the same pipeline.');
      }
      await moveDeals(this.database, from, to, now);
      return;
    }
    const deals = await this.deals.countBy({ stage_id: stage.id });
    if (deals === 0) return;
    const message = `The stage has ${deals} deals; DELETE /crm/stages/${stage.id}?move_deals_to=<stage id> moves them.`;
    invalid('id', 'in_use', message, { deals });
  }

  private async leadDeals(before: Row<Stage>, after: Row<Stage>): Promise<void> {
    if (after.probability !== before.probability) {
      await changeMany(this.database, {
        resource: 'deals',
        condition: (bind) =>
          `m.stage_id = ${bind(before.id)} AND m.own_probability IS NULL AND m.probability = ${bind(before.probability)}::integer`,
        values: { probability: after.probability },
        events: ['deal.updated'],
        changes: { probability: { from: before.probability, to: after.probability } },
      });
    }
    if (after.rotten_days !== before.rotten_days) {
      // Nothing stored is shown of it: `is_rotten` is computed, turns by the clock too, and is in the digest of the ETag.
      await this.database.query(
        `UPDATE deals SET rots_at = stage_changed_at + make_interval(days => $3) WHERE workspace_id = $1 AND stage_id = $2`,
        [currentWorkspaceId(), before.id, after.rotten_days],
      );
    }
  }
}
