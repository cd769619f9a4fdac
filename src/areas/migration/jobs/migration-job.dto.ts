import { OmitType, PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../../platform/columns/bodies';
import { Shaped } from '../../../platform/validation/shapes';
import { type InlineRows, inlineRows } from '../files/inline-rows';
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
export class CreateMigrationJob extends MembersOf(MigrationJob, writable, ['source']) {
  @Shaped(inlineRows, {
    optional: true,
    description:
      'By entity: the records themselves, in place of files, for a migration that is small: at most 1,000 of each, within what a body may have. ' +
      'They are kept as a file of the job, which `files` shows and another one takes the place of.',
    example: { contacts: [{ id: 7, email: 'ada@old.example', name: 'Ada' }] },
  })
  rows?: InlineRows;
}

@BodyOf(MigrationJob, writable.filter((name) => name !== 'source'))
export class UpdateMigrationJob extends PartialType(OmitType(CreateMigrationJob, ['source', 'rows']), {
  skipNullProperties: false,
}) {}
