import { BullModule } from '@nestjs/bull';
import { Global, Module } from '@nestjs/common';
import { EventDispatcher } from '../events/event-dispatcher';
import { EventRedaction } from '../events/event-redaction';
import { BullClients } from './bull-clients';
import { BullTransport } from './bull-transport';
import { PruneDeadJobs } from './prune-dead-jobs';
import { DELIVERY_QUEUE, EVENTS_QUEUE, JOB_QUEUE } from './queue-names';
import { QueueRunner } from './queue-runner';
import { JobClaims } from './job-claims';
import { JobExecutor } from './job-executor';
import { JobScheduler } from './job-scheduler';
import { JobHandlers } from './job-handlers';
import { JobQueue } from './job-queue';
import { JobSweeper } from './job-sweeper';

/** Bull's connections, which its queues are set up with. */
@Module({ providers: [BullClients], exports: [BullClients] })
class BullClientsModule {}

/** Durable jobs and the dispatch of events; areas inject JobQueue and EventDispatcher and register their own. */
@Global()
@Module({
  imports: [
    BullClientsModule,
    BullModule.forRootAsync({
      imports: [BullClientsModule],
      inject: [BullClients],
      useFactory: (clients: BullClients) => clients.options(),
    }),
    BullModule.registerQueue({ name: EVENTS_QUEUE }, { name: JOB_QUEUE }, { name: DELIVERY_QUEUE }),
  ],
  providers: [
    JobHandlers,
    JobQueue,
    JobClaims,
    JobExecutor,
    JobScheduler,
    JobSweeper,
    PruneDeadJobs,
    EventDispatcher,
    EventRedaction,
    BullTransport,
    QueueRunner,
  ],
  exports: [JobQueue, EventDispatcher, EventRedaction, BullTransport],
})
export class QueueModule {}
