import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../platform/database/workspace-repository.module';
import { invalid } from '../../platform/errors/api-error';
import { CUSTOM_FIELDS, type FieldDefinition } from '../../platform/fields/field-definition';
import { fieldFilter } from '../../platform/fields/field-filter';
import { changeMany, countOf } from '../../platform/resource/many-changes';
import { MergeFollowers } from '../../platform/resource/merge-followers';
import { allResources, type Resource } from '../../platform/resource/resource';
import type { Sql } from '../../platform/resource/write-plan';
import { CustomField } from './custom-field.entity';

/** Records of a kind that may name the record that goes in one field: each is changed in the one transaction of the merge. */
const MAX_RECORDS = 5_000;

/** Custom fields that name a record name the one that it is merged into, with a version and an event of each record. */
@Injectable()
export class MergedReferences implements OnModuleInit {
  constructor(
    private readonly followers: MergeFollowers,
    @InjectWorkspaceRepository(CustomField) private readonly fields: WorkspaceRepository<CustomField>,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    for (const { name } of allResources()) this.followers.on(name, (from, into) => this.rename(name, from, into));
  }

  /** Fields that are switched off as well: they come back with what they name. */
  private async rename(target: string, from: number, into: number): Promise<void> {
    for (const field of await this.fields.findBy({ target })) {
      const resource = allResources().find(({ singular }) => singular === field.object);
      if (resource) await this.renameIn(resource, field, from, into);
    }
  }

  /** @throws ApiError 422 where too many records name it */
  private async renameIn(resource: Resource, field: FieldDefinition, from: number, into: number): Promise<void> {
    const condition: Sql = (bind) =>
      fieldFilter(field, resource.fields).sql('m', { values: [from], none: false }, bind);
    if ((await countOf(this.database, resource.name, condition, MAX_RECORDS + 1)) > MAX_RECORDS)
      invalid('id', 'max', `More than ${MAX_RECORDS} ${resource.name} name it in "${field.key}".`, {
        max: MAX_RECORDS,
      });
    const renamed: Sql = (bind) =>
      `jsonb_set(m.${CUSTOM_FIELDS}, ARRAY[${bind(field.key)}::text], to_jsonb(${bind(into)}::bigint))`;
    await changeMany(this.database, {
      resource: resource.name,
      condition,
      expressions: { [CUSTOM_FIELDS]: renamed },
      events: [`${resource.singular}.updated`],
    });
  }
}
