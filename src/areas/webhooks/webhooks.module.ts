import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { deliveryResource } from './delivery.resource';
import { OutboundModule } from '../../platform/outbound/outbound.module';
import { DeliveriesController } from './deliveries.controller';
import { DeliveriesService } from './deliveries.service';
import { DeliveryLog } from './delivery-log';
import { DeliveryRetention } from './delivery-retention';
import { DeliveryWork } from './delivery-work';
import { EventFanOut } from './event-fan-out';
import { EventReplay } from './event-replay';
import { PendingWork } from './pending-work';
import { RedeliveryWork } from './redelivery-work';
import { WebhookSender } from './webhook-sender';
import { WebhookTestService } from './webhook-test.service';
import { WebhooksController } from './webhooks.controller';
import { WebhooksService } from './webhooks.service';

@Module({
  imports: [StoreModule.forFeature(deliveryResource), OutboundModule],
  controllers: [WebhooksController, DeliveriesController],
  providers: [
    DeliveriesService,
    DeliveryLog,
    DeliveryRetention,
    DeliveryWork,
    EventFanOut,
    EventReplay,
    PendingWork,
    RedeliveryWork,
    WebhookSender,
    WebhookTestService,
    WebhooksService,
  ],
})
export class WebhooksModule {}
