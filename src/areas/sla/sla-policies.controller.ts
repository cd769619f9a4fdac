import { Body, Controller, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/auth/permission';
import { demandWholeSight } from '../../platform/context/demand';
import { Id } from '../../platform/http/id';
import type { ListResult, SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { ListParams } from '../../platform/resource/reader';
import {
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../platform/routes/routes';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { Simulation } from './sla-answer';
import { SimulateSla } from './simulate.dto';
import { SlaDetailService } from './sla-detail.service';
import { SlaPoliciesService } from './sla-policies.service';
import { CreateSlaPolicy, RemoveSlaPolicy, UpdateSlaPolicy } from './sla-policy.dto';
import { SlaPolicy } from './sla-policy.entity';
import { slaPolicyResource } from './sla-policy.resource';
import { AnswerOf } from '../../platform/http/answer-members';

/** Why somebody who sees some tickets only says nothing of the times of all, and of what is done when they pass. */
const WHOLE = 'An SLA policy is about every ticket; only those whose ticket scope is "all" may make one or change it.';

@ApiTags('SLA')
@Controller('sla')
export class SlaPoliciesController {
  constructor(
    @InjectStore(SlaPolicy) private readonly records: Store<SlaPolicy>,
    private readonly policies: SlaPoliciesService,
    private readonly details: SlaDetailService,
  ) {}

  @ListRoute(slaPolicyResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(slaPolicyResource)
  create(@Body() body: CreateSlaPolicy): Promise<SingleResult> {
    demandWholeSight(WHOLE);
    return this.policies.create(body);
  }

  @ReadRoute(slaPolicyResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(slaPolicyResource, {
    description: 'Open tickets follow in the background; `meta.recalculation_job_id` then names the job.',
  })
  update(
    @Id() id: number,
    @Body() body: UpdateSlaPolicy,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    demandWholeSight(WHOLE);
    return this.policies.update(id, body, expected);
  }

  @DeleteRoute(slaPolicyResource, {
    description: 'Its open tickets get the next policy that applies, in the background. The default cannot be deleted.',
  })
  remove(
    @Id() id: number,
    @IfMatch() expected: ExpectedVersions,
    @Query() query: RemoveSlaPolicy,
  ): Promise<SingleResult> {
    return this.policies.remove(id, expected, query);
  }

  @Needs('sla.simulate')
  @Post(':id/simulate')
  @HttpCode(200)
  @ApiOperation({ summary: 'Try a policy on a ticket that never was', description: 'Nothing is stored.' })
  @AnswerOf(Simulation, { description: 'Its clocks, due moments and history.' })
  async simulate(
    @Id() id: number,
    @Body() body: SimulateSla,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<Simulation> {
    await this.records.require(id, expected);
    return this.details.simulate(id, body);
  }
}
