import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { Id } from '../../platform/http/id';
import type { ListResult, SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { ListParams } from '../../platform/resource/reader';
import { IfMatch, ListQuery, ListRoute, ReadRoute } from '../../platform/routes/routes';
import { DeliveriesService } from './deliveries.service';
import { WebhookDelivery } from './delivery.entity';
import { deliveryResource } from './delivery.resource';

@ApiTags('Webhooks')
@Controller('webhooks/:id/deliveries')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @ListRoute(deliveryResource, { description: 'Kept for 30 days.' })
  list(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    return this.deliveries.listOf(id, params);
  }

  @ReadRoute(deliveryResource, { path: ':did' })
  read(@Id() id: number, @Id('did') deliveryId: number): Promise<SingleResult> {
    return this.deliveries.readOf(id, deliveryId);
  }

  @Post(':did/redeliver')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Make one more attempt',
    description: 'Outside the schedule: the same `webhook-id`, and a failure has no consequences.',
  })
  @ApiExtraModels(WebhookDelivery)
  @ApiResponse({
    status: 202,
    description: 'The delivery before the attempt.',
    schema: { type: 'object', required: ['data'], properties: { data: { $ref: getSchemaPath(WebhookDelivery) } } },
  })
  redeliver(
    @Id() id: number,
    @Id('did') deliveryId: number,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.deliveries.redeliver(id, deliveryId, expected);
  }
}
