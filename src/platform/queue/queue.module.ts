import { BullModule } from '@nestjs/bull';
import { Global, Module } from '@nestjs/common';
import { EventDispatcher } from '../events/event-dispatcher';
import { EventRedaction } from '../events/event-redaction';
import { BullClients } from './bull-clients';
import { BullTransport } from './bull-transport';
import { PruneDeadWork } from './prune-dead-work';
import { EVENTS_QUEUE, WORK_QUEUE } from './queue-names';
import { QueueRunner } from './queue-runner';
import { WorkClaims } from './work-claims';
import { WorkExecutor } from './work-executor';
import { WorkHandOut } from './work-hand-out';
import { WorkHandlers } from './work-handlers';
import { WorkQueue } from './work-queue';
import { WorkSweeper } from './work-sweeper';

/** Bull's connections, which its queues are set up with. */
@Module({ providers: [BullClients], exports: [BullClients] })
class BullClientsModule {}

/** Durable work and the dispatch of events; areas inject WorkQueue and EventDispatcher and register their own. */
@Global()
@Module({
  imports: [
    BullClientsModule,
    BullModule.forRootAsync({
      imports: [BullClientsModule],
      inject: [BullClients],
      useFactory: (clients: BullClients) => clients.options(),
    }),
    BullModule.registerQueue({ name: EVENTS_QUEUE }, { name: WORK_QUEUE }),
  ],
  providers: [
    WorkHandlers,
    WorkQueue,
    WorkClaims,
    WorkExecutor,
    WorkHandOut,
    WorkSweeper,
    PruneDeadWork,
    EventDispatcher,
    EventRedaction,
    BullTransport,
    QueueRunner,
  ],
  exports: [WorkQueue, EventDispatcher, EventRedaction, BullTransport],
})
export class QueueModule {}
