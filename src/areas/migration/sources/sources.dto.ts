import { AnyMember, EnumMember, FlagMember, ListMember, TextMember } from '../../../platform/http/answer-members';
import type { ConfigSchema } from '../../../platform/openapi/config-schema';
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

  @EnumMember(['file', 'push', 'service'])
  kind: 'file' | 'push' | 'service';

  @AnyMember(
    { type: 'object', additionalProperties: true },
    { nullable: true, description: 'JSON Schema of `connection`, of services; `writeOnly` marks secrets.' },
  )
  config_schema: ConfigSchema | null;

  @AnyMember(
    { type: 'array', items: { type: 'string' } },
    { nullable: true, description: 'What is read of a service.' },
  )
  entities: string[] | null;

  @TextMember({ format: 'uri', nullable: true, description: 'Documentation of the API that is read.' })
  docs_url: string | null;
}

export class MigrationSources {
  @ListMember(() => MigrationSourceEntry)
  sources: MigrationSourceEntry[];

  @ListMember(() => MigrationEntity)
  entities: MigrationEntity[];
}
