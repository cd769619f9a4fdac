import type { PersonalTable } from '../area/personal';
import type { Database } from '../database/database';
import { sql } from '../postgres/statement-batch';
import { allResources, type Resource, selectList } from '../resource/resource';
import { wholeSelection } from '../resource/read/selection';
import { personalTables } from './inventory';

/** Records that are read at a time; the longest texts of so many are some megabytes. */
const BATCH = 25;

/** Who is meant: a contact, and the addresses that it is known by. */
export interface Asked {
  workspaceId: number;
  contactId: number;
  /** Lower-case. */
  addresses: readonly string[];
}

/** A record of the person: what kind, and its JSON as its list shows it. */
export interface Belonging {
  kind: string;
  json: string;
}

/**
 * Everything that a workspace holds of a person, kind by kind, in the order of the ids: their records, what belongs to these, and mail.
 * Copies of the same (events, logs) are left out. Some records are read at a time, each time as they are by then.
 *
 * @param visible keys of the custom fields that customers are shown of a kind of record; others are left out
 * @param within runs a reading in the context of the request
 */
export async function* belongingsOf(
  database: Database,
  asked: Asked,
  visible: (object: string) => Promise<readonly string[]>,
  within: <T>(work: () => Promise<T>) => Promise<T>,
): AsyncGenerator<readonly Belonging[]> {
  for (const table of personalTables()) {
    const statement = statementOf(table);
    if (statement === null) continue;
    const keys = await within(() => visible(statement.kind));
    for (let last = 0; ;) {
      const values = [asked.workspaceId, asked.contactId, asked.addresses, last, keys];
      const rows = await within(() => database.read(sql<{ id: number; json: string }>(statement.text, values)));
      if (rows.length > 0) yield rows.map(({ json }) => ({ kind: statement.kind, json }));
      if (rows.length < BATCH) break;
      last = rows.at(-1)?.id ?? last;
    }
  }
}

const PERSON = { contact: '$2::bigint', emails: '$3::text[]' };

/** SQL of the next records of a table that are the person's, or belong to one that is; null for copies, and for what has no ids. */
function statementOf(table: PersonalTable): { kind: string; text: string } | null {
  if ((table.copy && table.export === undefined) || table.key || table.export === false) return null;
  const conditions = [...(table.own ? [table.own.of(PERSON)] : []), ...belonging(table)];
  if (conditions.length === 0) return null;
  const resource = allResources().find((each) => each.table === table.table);
  const shown = resource
    ? columnsOfResource(resource)
    : [...(table.texts ?? []), 'created_at'].map((name) => (name === FIELDS ? VISIBLE : `t."${name}"`)).join(', ');
  const only = table.export === undefined ? '' : ` AND (${table.export})`;
  const ids = `SELECT r.id FROM ${table.table} r WHERE r.workspace_id = $1 AND (${conditions.join(' OR ')})${only}`;
  const text =
    `SELECT t.id, row_to_json(c)::text AS json FROM ${table.table} t CROSS JOIN LATERAL (SELECT ${shown}) c ` +
    `WHERE t.workspace_id = $1 AND t.id > $4::bigint AND num_nonnulls(${PERSON.contact}, ${PERSON.emails}, $5::text[]) >= 0 AND t.id IN (${ids}) ` +
    `ORDER BY t.id LIMIT ${BATCH}`;
  return { kind: resource?.singular ?? table.table.replace(/s$/, ''), text };
}

const FIELDS = 'custom_fields';
const VISIBLE = `(SELECT coalesce(jsonb_object_agg(f.key, f.value), '{}') FROM jsonb_each(t.${FIELDS}) f WHERE f.key = ANY($5::text[])) AS ${FIELDS}`;

const columnsOfResource = (resource: Resource): string =>
  wholeSelection(resource)
    .fields.map((name) => (name === FIELDS ? VISIBLE : selectList(resource, [name], 't')))
    .join(', ');

/** That a record belongs to one of the person's, where the declaration says of which kind. */
function belonging({ about = [] }: PersonalTable): string[] {
  return about.flatMap((one) => {
    if ('members' in one) return [];
    const kind = /^'(\w+)'$/.exec(one.object)?.[1];
    const owner = personalTables().find(({ own }) => own?.object === kind);
    if (!owner?.own) return [];
    return [`${one.id} IN (SELECT r.id FROM ${owner.table} r WHERE r.workspace_id = $1 AND ${owner.own.of(PERSON)})`];
  });
}
