import { CreateMigrationJobs1766500000000 } from '../../../migrations/1766500000000-create-migration-jobs';
import { ReadServices1767300000000 } from '../../../migrations/1767300000000-read-services';
import { UpdateByMigrations1768000000000 } from '../../../migrations/1768000000000-update-by-migrations';
import { WhereRecordsStood1768810000000 } from '../../../migrations/1768810000000-where-records-stood';
import { TakenForTheSame1768811000000 } from '../../../migrations/1768811000000-taken-for-the-same';
import { RecordsOfMigrationsAreSearched1768992020000 } from '../../../migrations/1768992020000-records-of-migrations-are-searched';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { migrationJobResource } from './jobs/migration-job.resource';
import { MigrationModule } from './migration.module';
import { migrationPersonal } from './migration.personal';
import { migrationLogResource } from './records/migration-log.resource';
import { migrationRecordResource } from './records/migration-record.resource';

/** Records of other systems come in. */
export const migrationArea = defineArea({
  name: 'migration',
  module: MigrationModule,
  personal: migrationPersonal,
  resources: [migrationJobResource, migrationRecordResource, migrationLogResource],
  migrations: [
    CreateMigrationJobs1766500000000,
    ReadServices1767300000000,
    UpdateByMigrations1768000000000,
    WhereRecordsStood1768810000000,
    TakenForTheSame1768811000000,
    RecordsOfMigrationsAreSearched1768992020000,
  ],
  permissions: usualPermissions('migration', 'migrations from other systems, with their records', {
    read: 'admin',
    create: 'admin',
    update: 'admin',
    delete: 'admin',
  }),
  events: {
    domain: 'migration',
    label: 'Migrations',
    object: 'migration_job',
    events: {
      'migration.job_created': 'A migration was planned.',
      'migration.job_updated': 'A migration was changed.',
      'migration.job_deleted': 'A migration was deleted; what came in stays.',
      'migration.job_validated': 'Everything was looked at; nothing is written yet.',
      'migration.job_started': 'Records come in.',
      'migration.job_progress': 'Another tenth of the records was done.',
      'migration.job_paused': 'A migration was paused, by somebody or after too many failures.',
      'migration.job_completed': 'Every record was tried; its status tells whether some failed.',
      'migration.job_cancelled': 'A migration was cancelled; what came in stays.',
      'migration.job_failed': 'A migration could not go on.',
      'migration.job_rolled_back': 'What a migration made was taken back.',
    },
  },
  examples: {
    'migration.jobs.update': { id: 2 },
    'migration.jobs.files': { id: 4 },
    'migration.jobs.test': { id: 5 },
    'migration.jobs.validate': { id: 2 },
    'migration.jobs.start': { id: 2 },
    'migration.jobs.pause': { id: 3 },
    'migration.jobs.resume': { id: 3 },
    'migration.jobs.cancel': { id: 2 },
    'migration.jobs.records.retry': { id: 1, rid: 3 },
  },
  tags: [
    {
      name: 'Migration',
      place: 188,
      description: 'Records of other systems, brought in with their moments and authors.',
    },
  ],
});
