import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { deliveryResource } from './delivery.resource';
import { OutboundModule } from '../../platform/outbound/outbound.module';
import { DeliveriesController } from './deliveries.controller';
import { DeliveriesService } from './deliveries.service';
import { DeliveryLog } from './delivery-log';
import { DeliveryRetention } from './delivery-retention';
import { EventDeliverer } from './event-deliverer';
import { EventFanOut } from './event-fan-out';
import { EventReplay } from './event-replay';
import { PendingJobs } from './pending-jobs';
import { webhookResource } from './webhook.resource';
import { ManualDeliverer } from './manual-deliverer';
import { WebhookSender } from './webhook-sender';
import { WebhookTestService } from './webhook-test.service';
import { WebhooksController } from './webhooks.controller';
import { WebhooksService } from './webhooks.service';

@Module({
  imports: [StoreModule.forFeature(webhookResource, deliveryResource), OutboundModule],
  controllers: [WebhooksController, DeliveriesController],
  providers: [
    DeliveriesService,
    DeliveryLog,
    DeliveryRetention,
    EventDeliverer,
    EventFanOut,
    EventReplay,
    PendingJobs,
    ManualDeliverer,
    WebhookSender,
    WebhookTestService,
    WebhooksService,
  ],
})
export class WebhooksModule {}
