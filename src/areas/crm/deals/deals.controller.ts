import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
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
import { DealHistoryService } from './deal-history.service';
import { CreateDeal, UpdateDeal } from './deal.dto';
import { Deal } from './deal.entity';
import { dealResource } from './deal.resource';
import { DealsService } from './deals.service';
import { stageChangeResource } from './stage-change.resource';

@ApiTags('CRM')
@Controller('crm/deals')
export class DealsController {
  constructor(
    @InjectReader(Deal) private readonly records: Reader<Deal>,
    private readonly deals: DealsService,
    private readonly stays: DealHistoryService,
  ) {}

  @ListRoute(dealResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(dealResource)
  create(@Body() body: CreateDeal): Promise<SingleResult> {
    return this.deals.create(body);
  }

  @ReadRoute(dealResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(dealResource, {
    description:
      'Stage, pipeline and status go together: entering a `won` or `lost` stage closes the deal, closing it moves it there. A closed deal moves only after `status` was set back to `open`.',
  })
  update(@Id() id: number, @Body() body: UpdateDeal, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.deals.update(id, body, expected);
  }

  @DeleteRoute(dealResource, { description: 'Its history goes with it; a lead that became the deal stays converted.' })
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.deals.remove(id, expected);
  }

  @ListRoute(stageChangeResource, {
    path: ':id/history',
    summary: 'The way of a deal through the stages',
    description: 'One entry for each stay in a stage, oldest first.',
  })
  history(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    return this.stays.of(id, params);
  }
}
