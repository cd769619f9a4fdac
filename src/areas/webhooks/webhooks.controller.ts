import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { demandWholeSight } from '../../platform/context/demand';
import { Id } from '../../platform/http/id';
import type { ListResult, SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { ListParams } from '../../platform/resource/reader';
import {
  ActionRoute,
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
import { DeliveriesService, Queued, WebhookStats } from './deliveries.service';
import { EventReplay, Replayed } from './event-replay';
import {
  CreateWebhook,
  RecoverDeliveries,
  ReplayEvents,
  RotateSecret,
  TestWebhook,
  UpdateWebhook,
} from './webhook.dto';
import { Webhook } from './webhook.entity';
import { webhookResource } from './webhook.resource';
import { WebhookTestResult, WebhookTestService } from './webhook-test.service';
import { WebhooksService } from './webhooks.service';
import { AnswerOf } from '../../platform/http/answer-members';

/** Why somebody who sees some tickets only says nothing of where all are told of. */
const WHOLE = 'A webhook is told of every ticket; only those whose ticket scope is "all" may set one up or change it.';

@ApiTags('Webhooks')
@Controller('webhooks')
export class WebhooksController {
  constructor(
    @InjectStore(Webhook) private readonly records: Store<Webhook>,
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly events: EventReplay,
    private readonly tests: WebhookTestService,
  ) {}

  @ListRoute(webhookResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(webhookResource, {
    description: 'The answer has one member more, `secret`, unless you brought your own: it is shown this once.',
  })
  create(@Body() body: CreateWebhook): Promise<SingleResult> {
    demandWholeSight(WHOLE);
    return this.webhooks.create(body);
  }

  @ReadRoute(webhookResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(webhookResource, { description: '`is_active: true` activates again and forgets earlier failures.' })
  update(@Id() id: number, @Body() body: UpdateWebhook, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    demandWholeSight(WHOLE);
    return this.webhooks.update(id, body, expected);
  }

  @DeleteRoute(webhookResource, { description: 'What is still to be delivered is cancelled.' })
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.webhooks.remove(id, expected);
  }

  @ActionRoute(webhookResource, ':id/rotate-secret', {
    summary: 'Replace the signing secret',
    description:
      'The answer has one member more, `secret`, unless you brought your own. Until the grace period ends, deliveries are signed with both.',
  })
  rotateSecret(
    @Id() id: number,
    @Body() body: RotateSecret,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.webhooks.rotateSecret(id, body, expected);
  }

  @Post(':id/test')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Send a signed sample and answer what came back',
    description: 'Sent at once and only once, whatever the subscription and state of the webhook.',
  })
  @AnswerOf(WebhookTestResult, { description: 'The outcome; it is counted nowhere.' })
  async test(
    @Id() id: number,
    @Body() body: TestWebhook,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<WebhookTestResult> {
    await this.records.require(id, expected);
    return this.tests.send(id, body);
  }

  @Get(':id/stats')
  @ApiOperation({
    summary: 'Figures of the last 24 hours',
    description: 'Deliveries by outcome, and how long they took.',
  })
  @AnswerOf(WebhookStats, { description: 'What waits is counted whatever its age.' })
  stats(@Id() id: number): Promise<WebhookStats> {
    return this.deliveries.stats(id);
  }

  @Post(':id/recover')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Deliver again what failed or was cancelled',
    description: 'Queues every delivery since a moment that did not arrive.',
  })
  @AnswerOf(Queued, { status: 202, description: 'How many deliveries were queued.' })
  recover(@Id() id: number, @Body() body: RecoverDeliveries, @IfMatch() expected: ExpectedVersions): Promise<Queued> {
    return this.deliveries.recover(id, body, expected);
  }

  @Post(':id/replay')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Deliver again everything that happened',
    description: 'Also what was delivered before, and what was not because the endpoint was not active.',
  })
  @AnswerOf(Replayed, { status: 202, description: 'How many deliveries were queued.' })
  replay(@Id() id: number, @Body() body: ReplayEvents, @IfMatch() expected: ExpectedVersions): Promise<Replayed> {
    demandWholeSight(WHOLE);
    return this.events.replay(id, body, expected);
  }
}
