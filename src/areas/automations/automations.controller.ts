import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
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
import { CreateAutomation, UpdateAutomation } from './automation.dto';
import { Automation } from './automation.entity';
import { automationResource } from './automation.resource';
import { AutomationsService } from './automations.service';

/** Why somebody who sees some tickets only makes no rules, which act by themselves. */
const WHOLE = 'An automation acts on every ticket; only those whose ticket scope is "all" may make one or change it.';

@ApiTags('Automations')
@Controller('automations')
export class AutomationsController {
  constructor(
    @InjectStore(Automation) private readonly records: Store<Automation>,
    private readonly automations: AutomationsService,
  ) {}

  @ListRoute(automationResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(automationResource)
  create(@Body() body: CreateAutomation): Promise<SingleResult> {
    demandWholeSight(WHOLE);
    return this.automations.create(body);
  }

  @ReadRoute(automationResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(automationResource)
  update(
    @Id() id: number,
    @Body() body: UpdateAutomation,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    demandWholeSight(WHOLE);
    return this.automations.update(id, body, expected);
  }

  @DeleteRoute(automationResource)
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.records.remove(id, expected);
  }
}
