import { Body, Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Needs } from '../../../platform/auth/permission';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import {
  ActionRoute,
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../../platform/routes/routes';
import { InjectReader } from '../../../platform/resource/store.module';
import { CreatePipeline, RemovePipeline, UpdatePipeline } from './pipeline.dto';
import { Pipeline } from './pipeline.entity';
import { pipelineResource } from './pipeline.resource';
import { PipelinesService } from './pipelines.service';
import { CreateStageOfPipeline, ReorderStages } from '../stages/stage.dto';
import { stageResource } from '../stages/stage.resource';
import { StagesService } from '../stages/stages.service';

@ApiTags('CRM')
@Controller('crm/pipelines')
export class PipelinesController {
  constructor(
    @InjectReader(Pipeline) private readonly records: Reader<Pipeline>,
    private readonly pipelines: PipelinesService,
    private readonly stages: StagesService,
  ) {}

  @ListRoute(pipelineResource, { description: 'Each with its stages, in order.' })
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @Needs('crm.configure')
  @CreateRoute(pipelineResource)
  create(@Body() body: CreatePipeline): Promise<SingleResult> {
    return this.pipelines.create(body);
  }

  @ReadRoute(pipelineResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @Needs('crm.configure')
  @UpdateRoute(pipelineResource)
  update(@Id() id: number, @Body() body: UpdatePipeline, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.pipelines.update(id, body, expected);
  }

  @Needs('crm.configure')
  @DeleteRoute(pipelineResource, {
    description: 'Its stages go with it. Refused for the default pipeline, and while it has deals that are not moved.',
  })
  remove(
    @Id() id: number,
    @IfMatch() expected: ExpectedVersions,
    @Query() query: RemovePipeline,
  ): Promise<SingleResult> {
    return this.pipelines.remove(id, expected, query);
  }

  @ListRoute(stageResource, { path: ':id/stages', summary: 'List the stages of a pipeline' })
  listStages(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    return this.stages.listOf(id, params);
  }

  @Needs('crm.configure')
  @CreateRoute(stageResource, { path: ':id/stages', summary: 'Add a stage to a pipeline' })
  createStage(@Id() id: number, @Body() body: CreateStageOfPipeline): Promise<SingleResult> {
    return this.stages.createIn(id, body);
  }

  @Needs('crm.configure')
  @ActionRoute(pipelineResource, ':id/stages/reorder', { summary: 'Put the stages of a pipeline into another order' })
  reorder(@Id() id: number, @Body() body: ReorderStages, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.pipelines.reorder(id, body.stage_ids, expected);
  }
}
