import { Global, Module } from '@nestjs/common';
import { ResourceHooks } from './hooks';
import { MergeFollowers } from './merge-followers';
import { ResourceKernel } from './resource-kernel';
import { CounterFolder } from '../counters/counter-folder';
import { CustomFields } from '../fields/custom-fields';
import { CustomerFields } from './customer-fields';
import { SavedLists } from './read/saved-lists';
import { Takeovers } from './takeover';
import { Database } from '../database/database';
import { PeriodicJobs } from '../schedule/periodic-jobs';
import { Workers } from '../workers/workers.service';
import { PendingWords } from '../search/pending-words';
import { WordFolder } from '../search/bits/word-folder';
import { allResources } from './resource';

/** What is folded of the words of all resources. */
const wordFolder = {
  provide: WordFolder,
  inject: [PeriodicJobs, Database, Workers],
  useFactory: (jobs: PeriodicJobs, database: Database, workers: Workers): WordFolder =>
    new WordFolder(jobs, database, workers, () => allResources().flatMap(({ search }) => search?.texts?.bits ?? [])),
};

/** The resource kernel, for every area. */
@Global()
@Module({
  providers: [
    ResourceHooks,
    MergeFollowers,
    ResourceKernel,
    CounterFolder,
    wordFolder,
    PendingWords,
    SavedLists,
    CustomFields,
    CustomerFields,
    Takeovers,
  ],
  exports: [ResourceHooks, MergeFollowers, ResourceKernel, SavedLists, CustomFields, CustomerFields, Takeovers],
})
export class ResourceModule {}
