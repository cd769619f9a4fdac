import type { About } from '../area/personal';
import type { TableShape } from './table-shape';

/** Rows that are looked at in one statement, and rows of them that are read at a time. */
export const WINDOW = 250;
export const CHUNK = 50;

/** The parameters of `candidates` and `locked`, which are the same in both. */
export const PARAMETERS = { workspace: '$1', erasure: '$2', contact: '$3', emails: '$4', before: '$5', pattern: '$6' };
const NEXT = 7;

/** The last key of the next window; values: the workspace, and the key that the last one ended with. */
export function windowEnd({ table, key, columns }: TableShape, hasStart: boolean): string {
  const keys = key.map((name) => `r."${name}"`).join(', ');
  const from = hasStart
    ? ` AND (${keys}) > (${key.map((name, at) => `$${at + 2}::${typeOf(columns, name)}`).join(', ')})`
    : '';
  return (
    `SELECT json_build_array(${key.map((name) => `w."${name}"`).join(', ')})::text AS key FROM (SELECT ${keys} FROM ${table.table} r ` +
    `WHERE r.workspace_id = $1${from} ORDER BY ${keys} LIMIT ${WINDOW}) w ORDER BY ${key.map((name) => `w."${name}" DESC`).join(', ')} LIMIT 1`
  );
}

/** Keys of rows in a window that have something to do with the person; after the parameters come its two ends. */
export function candidates(shape: TableShape, hasStart: boolean): string {
  const { table, key, columns } = shape;
  const keys = key.map((name) => `r."${name}"`).join(', ');
  const end = (from: number): string =>
    `(${key.map((name, at) => `$${from + at}::${typeOf(columns, name)}`).join(', ')})`;
  const range = hasStart
    ? `(${keys}) <= ${end(NEXT)} AND (${keys}) > ${end(NEXT + key.length)}`
    : `(${keys}) <= ${end(NEXT)}`;
  const conditions = [...flags(shape).map(({ sql }) => sql), named(shape)];
  return (
    `SELECT json_build_array(${keys})::text AS key FROM ${table.table} r WHERE r.workspace_id = $1 AND ${range} ` +
    `AND (${conditions.join(' OR ')}) AND ${bound} ORDER BY ${keys} LIMIT ${CHUNK}`
  );
}

/** Each parameter has its place, whether a table asks for it or not. */
const bound = 'num_nonnulls($2::bigint, $3::bigint, $4::text[], $5::timestamptz, $6::text) >= 0';

/** Rows by their keys (`$7`, a JSON array of arrays), locked, as JSON: the declared columns, and what they have to do with the person. */
export function locked(shape: TableShape): string {
  const { table, key, columns } = shape;
  const shown = [...columns.keys()].map((name) => `r."${name}"`);
  const asked = flags(shape).map(({ name, sql, shown: more }) => `${more ?? sql} AS "${name}"`);
  const wanted = key.map((name, at) => `r."${name}" = (k.value ->> ${at})::${typeOf(columns, name)}`).join(' AND ');
  return (
    `SELECT row_to_json(f)::text AS row FROM (SELECT ${[...shown, ...asked].join(', ')} ` +
    `FROM json_array_elements($7::json) AS k, ${table.table} r WHERE r.workspace_id = $1 AND ${wanted} AND ${bound} ` +
    `ORDER BY ${key.map((name) => `r."${name}"`).join(', ')} FOR NO KEY UPDATE OF r) f`
  );
}

/** What `locked` says of a row besides its columns. */
export const OWN_FLAG = '?own';
export const aboutFlag = (index: number): string => `?about_${index}`;

interface Flag {
  name: string;
  /** SQL of the condition. */
  sql: string;
  /** SQL of what is shown of it, where that is more. */
  shown?: string;
}

function flags({ table: { own, about = [] }, hasCreatedAt }: TableShape): Flag[] {
  const contact = `${PARAMETERS.contact}::bigint`;
  const all = `${PARAMETERS.emails}::text[]`;
  // What names the contact is theirs whenever it was written; an address may be somebody else's by then.
  const emails = hasCreatedAt
    ? `CASE WHEN r.created_at <= ${PARAMETERS.before}::timestamptz THEN ${all} ELSE '{}' END`
    : all;
  const found = own && `coalesce(${own.of({ contact, emails })}, false)`;
  const isOwn = own && { name: OWN_FLAG, sql: `(${found ?? ''} OR ${isKnown(`'${own.object}'`, 'r.id')})` };
  return [...(isOwn ? [isOwn] : []), ...about.map((one, index) => aboutFlagOf(one, index))];
}

function aboutFlagOf(about: About, index: number): Flag {
  const name = aboutFlag(index);
  if (!('members' in about)) return { name, sql: isKnown(about.object, about.id) };
  const id = `CASE json_typeof(m.value -> 'id') WHEN 'number' THEN (m.value ->> 'id')::bigint END`;
  const those = `FROM json_each(${about.members}) AS m WHERE json_typeof(m.value) = 'object' AND ${isKnown('m.key', id)}`;
  return { name, sql: `EXISTS (SELECT ${those})`, shown: `ARRAY(SELECT m.key ${those})` };
}

function isKnown(object: string, id: string): string {
  return (
    `EXISTS (SELECT FROM erased_records x WHERE x.workspace_id = $1 AND x.erasure_id = ${PARAMETERS.erasure}::bigint ` +
    `AND x.object = ${object} AND x.record_id = ${id})`
  );
}

/** That a text of the row may have the person in it. Rows of later are somebody else's: of whoever comes back. */
function named({ table: { texts = [] }, columns, hasCreatedAt }: TableShape): string {
  const parts = texts.map((name) =>
    typeOf(columns, name) === 'text[]' ? `array_to_string(r."${name}", E'\\n')` : `r."${name}"::text`,
  );
  if (parts.length === 0) return 'false';
  const before = hasCreatedAt ? `r.created_at <= ${PARAMETERS.before}::timestamptz AND ` : '';
  return `${before}concat_ws(E'\\n', ${parts.join(', ')}) ~* ${PARAMETERS.pattern}::text`;
}

/** Writes rows (`$2`, JSON array of objects), all declared columns but the key. */
export function rewritten({ table, key, columns, hasVersions }: TableShape): string {
  const written = [...columns.keys()].filter((name) => !key.includes(name));
  const sets = [
    ...written.map((name) => `"${name}" = v."${name}"`),
    ...Object.entries(table.made ?? {}).map(([name, expression]) => `"${name}" = ${expression}`),
    ...(hasVersions ? ['version = r.version + 1', 'updated_at = now()'] : []),
  ];
  const shape = [...key, ...written].map((name) => `"${name}" ${typeOf(columns, name)}`).join(', ');
  const same = key.map((name) => `r."${name}" = v."${name}"`).join(' AND ');
  return `UPDATE ${table.table} r SET ${sets.join(', ')} FROM json_to_recordset($2::json) AS v(${shape}) WHERE r.workspace_id = $1 AND ${same}`;
}

/** Deletes rows by their keys (`$2`, a JSON array of arrays). */
export function deleted({ table, key, columns }: TableShape): string {
  const same = key.map((name, at) => `r."${name}" = (k.value ->> ${at})::${typeOf(columns, name)}`).join(' AND ');
  return `DELETE FROM ${table.table} r USING json_array_elements($2::json) AS k WHERE r.workspace_id = $1 AND ${same}`;
}

/** Remembers records as the person's: `$3` kind, `$4` ids. */
export const REMEMBER = `
  INSERT INTO erased_records (workspace_id, erasure_id, object, record_id)
  SELECT $1::bigint, $2::bigint, $3::text, unnest($4::bigint[]) ON CONFLICT DO NOTHING`;

const typeOf = (columns: TableShape['columns'], name: string): string => columns.get(name)?.type ?? 'bigint';
