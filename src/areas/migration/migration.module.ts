import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { AttachmentsModule } from '../attachments/attachments.module';
import { InboxRoom } from './files/inbox-room';
import { MigrationFiles } from './files/migration-files';
import { migrationJobResource } from './jobs/migration-job.resource';
import { JobWatching } from './jobs/job-watching';
import { MigrationJobsController } from './jobs/migration-jobs.controller';
import { MigrationJobsService } from './jobs/migration-jobs.service';
import { MigrationErasure } from './migration-erasure';
import { MigrationUpkeep } from './migration-upkeep';
import { migrationLogResource } from './records/migration-log.resource';
import { migrationRecordResource } from './records/migration-record.resource';
import { MigrationRecordsController } from './records/migration-records.controller';
import { MigrationReports } from './records/report';
import { Checking } from './run/checking';
import { Looking } from './run/looking';
import { ArchivedFiles } from './run/archived-files';
import { ComingFiles } from './run/coming-files';
import { Fetching } from './run/fetching';
import { FileSources } from './run/file-sources';
import { Importing } from './run/importing';
import { JobSteps } from './run/job-steps';
import { MigrationRunner } from './run/migration-runner';
import { PageWriter } from './run/page-writer';
import { Presence } from './run/presence';
import { RecordBook } from './run/record-book';
import { References } from './run/references';
import { Revising } from './run/revising';
import { RollingBack } from './run/rolling-back';
import { Sampling } from './run/sampling';
import { ServicePause } from './run/service-pause';
import { FileFetcher } from './services/file-fetcher';
import { ServiceClient } from './services/service-client';
import { ServiceConnections } from './services/service-connections';
import { ServiceFeeds } from './services/service-feeds';
import { ServicePeople } from './services/service-people';
import { ServiceTests } from './services/service-tests';

@Module({
  imports: [
    AttachmentsModule,
    StoreModule.forFeature(migrationJobResource, migrationRecordResource, migrationLogResource),
  ],
  controllers: [MigrationJobsController, MigrationRecordsController],
  providers: [
    ArchivedFiles,
    Checking,
    ComingFiles,
    Fetching,
    FileFetcher,
    FileSources,
    Importing,
    InboxRoom,
    JobSteps,
    JobWatching,
    Looking,
    MigrationErasure,
    MigrationFiles,
    MigrationJobsService,
    MigrationReports,
    MigrationRunner,
    MigrationUpkeep,
    PageWriter,
    Presence,
    RecordBook,
    References,
    Revising,
    RollingBack,
    Sampling,
    ServiceClient,
    ServiceConnections,
    ServiceFeeds,
    ServicePause,
    ServicePeople,
    ServiceTests,
  ],
})
export class MigrationModule {}
