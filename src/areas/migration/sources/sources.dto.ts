import { AnyMember, EnumMember, FlagMember, ListMember, TextMember } from '../../../platform/http/answer-members';
import { SOURCES } from '../jobs/migration-states';

/** A field that records can have here. */
export class MigrationField {
  @TextMember({ example: 'status' })
  name: string;

  @TextMember({ example: 'enum' })
  kind: string;

  @FlagMember()
  required: boolean;

  @AnyMember(
    { type: 'array', items: { type: 'string' } },
    { nullable: true, description: 'Its values, where they are a closed list.' },
  )
  values: string[] | null;

  @TextMember({ nullable: true, description: 'The resource that it names a record of.' })
  references: string | null;
}

/** What can come in. */
export class MigrationEntity {
  @TextMember({ example: 'tickets' })
  name: string;

  @AnyMember(
    { type: 'array', items: { type: 'string' } },
    { description: 'Fields by which a record is known to be here already, besides `external_id`.' },
  )
  keys: string[];

  @ListMember(() => MigrationField)
  fields: MigrationField[];
}

/** Where records can come from. */
export class MigrationSourceEntry {
  @EnumMember(SOURCES)
  key: (typeof SOURCES)[number];

  @TextMember({ example: 'A table' })
  name: string;

  @TextMember()
  description: string;

  @EnumMember(['file', 'push'])
  kind: 'file' | 'push';
}

export class MigrationSources {
  @ListMember(() => MigrationSourceEntry)
  sources: MigrationSourceEntry[];

  @ListMember(() => MigrationEntity)
  entities: MigrationEntity[];
}
