import { Global, Module } from '@nestjs/common';
import { PeriodicJobs } from './periodic-jobs';
import { PruneIdempotencyKeys } from './prune-idempotency-keys';

/** Periodic work; areas inject PeriodicJobs and register their own. */
@Global()
@Module({ providers: [PeriodicJobs, PruneIdempotencyKeys], exports: [PeriodicJobs] })
export class ScheduleModule {}
