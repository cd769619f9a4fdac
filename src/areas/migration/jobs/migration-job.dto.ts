import { OmitType, PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../../platform/columns/bodies';
import { MigrationJob } from './migration-job.entity';

const writable = [
  'name',
  'source',
  'mode',
  'connection',
  'entities',
  'mapping',
  'options',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(MigrationJob, writable)
export class CreateMigrationJob extends MembersOf(MigrationJob, writable, ['source']) {}

@BodyOf(MigrationJob, writable.filter((name) => name !== 'source'))
export class UpdateMigrationJob extends PartialType(OmitType(CreateMigrationJob, ['source']), {
  skipNullProperties: false,
}) {}
