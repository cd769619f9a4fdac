import { Injectable, Module, type OnModuleInit, type Type } from '@nestjs/common';
import { Database } from '../../src/platform/database/database';
import type { EventConsumer, OutboxEvent } from '../../src/platform/events/event-consumer';
import { EventDispatcher } from '../../src/platform/events/event-dispatcher';
import type { JobHandler, Job, JobOutcome } from '../../src/platform/queue/job-handler';
import { JobQueue } from '../../src/platform/queue/job-queue';
import { patience } from './machine';

/** What a test makes of the jobs of a kind of its own. */
export type Perform = (job: Job) => Promise<JobOutcome | undefined> | JobOutcome | undefined;

/** Limits of the probe's jobs; generous unless given. */
export type ProbeLimits = Partial<Pick<JobHandler, 'perGroup' | 'perWorkspace' | 'leaseMs' | 'heldMs'>>;

/** A module whose handler does jobs of `kind` as the test says. */
export function handlerModule(kind: string, perform: Perform, limits: ProbeLimits = {}): Type {
  @Injectable()
  class ProbeHandler implements JobHandler, OnModuleInit {
    readonly kind = kind;
    readonly perGroup = limits.perGroup ?? 1000;
    readonly perWorkspace = limits.perWorkspace ?? 1000;
    readonly leaseMs = limits.leaseMs ?? patience(30_000);
    readonly heldMs?: number;

    constructor(private readonly queue: JobQueue) {
      if (limits.heldMs !== undefined) this.heldMs = limits.heldMs;
    }

    onModuleInit(): void {
      this.queue.register(this);
    }

    async perform(job: Job): Promise<JobOutcome> {
      return (await perform(job)) ?? {};
    }
  }

  @Module({ providers: [ProbeHandler] })
  class ProbeHandlerModule {}
  return ProbeHandlerModule;
}

/** A module whose consumer gets every event, with the database at hand, inside the dispatcher's transaction. */
export function consumerModule(consume: (events: readonly OutboxEvent[], database: Database) => Promise<void>): Type {
  @Injectable()
  class ProbeConsumer implements EventConsumer, OnModuleInit {
    readonly name = 'probe';

    constructor(
      private readonly dispatcher: EventDispatcher,
      private readonly database: Database,
    ) {}

    onModuleInit(): void {
      this.dispatcher.register(this);
    }

    consume(events: readonly OutboxEvent[]): Promise<void> {
      return consume(events, this.database);
    }
  }

  @Module({ providers: [ProbeConsumer] })
  class ProbeConsumerModule {}
  return ProbeConsumerModule;
}

/** Adds jobs to a workspace, as a rule of an area would. */
export async function addJobs(
  { app }: { app: { get<T>(type: Type<T>): T } },
  workspaceId: number,
  jobs: Parameters<JobQueue['add']>[0],
): Promise<void> {
  const database = app.get(Database);
  await database.inWorkspace(workspaceId, { type: 'system', id: null, name: 'test' }, () =>
    database.transaction(() => app.get(JobQueue).add(jobs)),
  );
}
