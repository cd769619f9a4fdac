import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
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
import { CreateIntegration, UpdateIntegration } from './integration.dto';
import { integrationLogResource } from './integration-log.resource';
import { IntegrationLogsService } from './integration-logs.service';
import { TestResult } from '../../platform/outbound/test-result';
import { IntegrationTests } from './integration-tests.service';
import { Integration } from './integration.entity';
import { integrationResource } from './integration.resource';
import { IntegrationsService } from './integrations.service';
import { AnswerOf } from '../../platform/http/answer-members';

/** Why somebody who sees some tickets only says nothing of where all are told of, and reads nothing of what was told. */
const WHOLE =
  'An integration is told of every ticket; only those whose ticket scope is "all" may set one up, or read its log.';

@ApiTags('Integrations')
@Controller('integrations')
export class IntegrationsController {
  constructor(
    @InjectStore(Integration) private readonly records: Store<Integration>,
    private readonly integrations: IntegrationsService,
    private readonly logs: IntegrationLogsService,
    private readonly tests: IntegrationTests,
  ) {}

  @ListRoute(integrationResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(integrationResource, { summary: 'Install an integration' })
  create(@Body() body: CreateIntegration): Promise<SingleResult> {
    demandWholeSight(WHOLE);
    return this.integrations.create(body);
  }

  @ReadRoute(integrationResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(integrationResource)
  update(
    @Id() id: number,
    @Body() body: UpdateIntegration,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    demandWholeSight(WHOLE);
    return this.integrations.update(id, body, expected);
  }

  @DeleteRoute(integrationResource, { summary: 'Remove an integration' })
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.records.remove(id, expected);
  }

  @Post(':id/test')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Try an integration',
    description:
      'Sends a sample (chat, webhook, mail with recipients) or logs in (mail servers), now, whatever its status. Counts neither as success nor as failure; the log has it as `integration.test`.',
  })
  @AnswerOf(TestResult, { description: 'How it went.' })
  async test(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<TestResult> {
    await this.records.require(id, expected);
    return this.tests.run(id);
  }

  @ListRoute(integrationLogResource, { path: ':id/logs', summary: 'List what an integration sent and received' })
  listLogs(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    demandWholeSight(WHOLE);
    return this.logs.listOf(id, params);
  }
}
