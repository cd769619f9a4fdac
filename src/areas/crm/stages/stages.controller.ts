import { Body, Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Needs } from '../../../platform/auth/permission';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import {
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../../platform/routes/routes';
import { InjectReader } from '../../../platform/resource/store.module';
import { CreateStage, RemoveStage, UpdateStage } from './stage.dto';
import { Stage } from './stage.entity';
import { stageResource } from './stage.resource';
import { StagesService } from './stages.service';

@ApiTags('CRM')
@Controller('crm/stages')
export class StagesController {
  constructor(
    @InjectReader(Stage) private readonly records: Reader<Stage>,
    private readonly stages: StagesService,
  ) {}

  @ListRoute(stageResource, { description: 'Of all pipelines; `pipeline_id` names one.' })
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @Needs('crm.configure')
  @CreateRoute(stageResource, { description: 'New stages are open: every pipeline has its won and its lost stage.' })
  create(@Body() body: CreateStage): Promise<SingleResult> {
    return this.stages.create(body);
  }

  @ReadRoute(stageResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @Needs('crm.configure')
  @UpdateRoute(stageResource, {
    description:
      'Deals whose probability follows the stage get its new one. The probability of a `won` stage is 100, of a `lost` stage 0, whatever is sent.',
  })
  update(@Id() id: number, @Body() body: UpdateStage, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.stages.update(id, body, expected);
  }

  @Needs('crm.configure')
  @DeleteRoute(stageResource, {
    description:
      'Refused for the won and the lost stage, for the last open one, and while it has deals that are not moved.',
  })
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions, @Query() query: RemoveStage): Promise<SingleResult> {
    return this.stages.remove(id, expected, query);
  }
}
