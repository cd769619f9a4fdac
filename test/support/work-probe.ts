import { Injectable, Module, type OnModuleInit, type Type } from '@nestjs/common';
import { Database } from '../../src/platform/database/database';
import type { EventConsumer, OutboxEvent } from '../../src/platform/events/event-consumer';
import { EventDispatcher } from '../../src/platform/events/event-dispatcher';
import type { WorkHandler, WorkItem, WorkOutcome } from '../../src/platform/queue/work-handler';
import { WorkQueue } from '../../src/platform/queue/work-queue';
import { patience } from './machine';

/** What a test makes of the work of a kind of its own. */
export type Perform = (item: WorkItem) => Promise<WorkOutcome | undefined> | WorkOutcome | undefined;

/** Limits of the probe's work; generous unless given. */
export type ProbeLimits = Partial<Pick<WorkHandler, 'perLane' | 'perWorkspace' | 'leaseMs'>>;

/** A module whose handler does work of `kind` as the test says. */
export function handlerModule(kind: string, perform: Perform, limits: ProbeLimits = {}): Type {
  @Injectable()
  class ProbeHandler implements WorkHandler, OnModuleInit {
    readonly kind = kind;
    readonly perLane = limits.perLane ?? 1000;
    readonly perWorkspace = limits.perWorkspace ?? 1000;
    readonly leaseMs = limits.leaseMs ?? patience(30_000);

    constructor(private readonly queue: WorkQueue) {}

    onModuleInit(): void {
      this.queue.register(this);
    }

    async perform(item: WorkItem): Promise<WorkOutcome> {
      return (await perform(item)) ?? {};
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

/** Adds work to a workspace, as a rule of an area would. */
export async function addWork(
  { app }: { app: { get<T>(type: Type<T>): T } },
  workspaceId: number,
  items: Parameters<WorkQueue['add']>[0],
): Promise<void> {
  const database = app.get(Database);
  await database.inWorkspace(workspaceId, { type: 'system', id: null, name: 'test' }, () =>
    database.transaction(() => app.get(WorkQueue).add(items)),
  );
}
