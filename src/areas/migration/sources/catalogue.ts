import type { Takeovers } from '../../../platform/resource/takeover';
import { configSchemaOf } from '../../../platform/openapi/config-schema';
import { SERVICE_NAMES } from '../jobs/migration-states';
import { SERVICES } from '../services/services';
import { asideOf, targetsOf } from '../mapping/targets';
import type { MigrationSourceEntry, MigrationSources } from './sources.dto';

const SENT: readonly Pick<MigrationSourceEntry, 'key' | 'name' | 'description' | 'kind'>[] = [
  {
    key: 'csv',
    name: 'A table',
    description:
      'CSV, a file for each entity: comma, semicolon, tab or bar; UTF-8, UTF-16 or Windows-1252; as it is or as .gz. The first line names the columns.',
    kind: 'file',
  },
  {
    key: 'xlsx',
    name: 'A workbook',
    description: 'XLSX: sheets that are called like an entity, or the first one.',
    kind: 'file',
  },
  {
    key: 'ndjson',
    name: 'Records, one a line',
    description: 'NDJSON, a file for each entity, as it is or as .gz.',
    kind: 'file',
  },
  {
    key: 'json',
    name: 'A JSON document',
    description: 'The first list of objects in it, or NDJSON; a file for each entity, as it is or as .gz.',
    kind: 'file',
  },
  {
    key: 'archive',
    name: 'An export',
    description: 'What `POST /exports` makes (.tar.gz): one file with everything.',
    kind: 'file',
  },
  {
    key: 'api',
    name: 'Pushed records',
    description: 'Records come with `POST /migration/jobs/{id}/records`.',
    kind: 'push',
  },
];

/** What a record may say besides. */
const asideField = (name: string) =>
  ({ name, kind: 'string', required: false, values: null, references: null }) as const;

const NO_SERVICE = { config_schema: null, entities: null, docs_url: null };

function serviceEntries(): MigrationSourceEntry[] {
  return SERVICE_NAMES.map((key) => {
    const { name, config, docs_url, entities } = SERVICES[key];
    const description = `${name}: read from its API with the \`connection\` of the job.`;
    const kind = 'service';
    return {
      key,
      name,
      description,
      kind,
      config_schema: configSchemaOf(config),
      entities: Object.keys(entities),
      docs_url,
    };
  });
}

/** Where records can come from, and what they can become. */
export function catalogueOf(takeovers: Takeovers): MigrationSources {
  return {
    sources: [...SENT.map((entry) => ({ ...entry, ...NO_SERVICE })), ...serviceEntries()],
    entities: takeovers.all().map((takeover) => ({
      name: takeover.resource.name,
      keys: [...takeover.keys],
      fields: [...targetsOf(takeover).values(), ...asideOf(takeover).map(asideField)].map(
        ({ name, kind, required, values, references }) => ({
          name,
          kind,
          required,
          values: values ? [...values] : null,
          references: references ?? null,
        }),
      ),
    })),
  };
}
