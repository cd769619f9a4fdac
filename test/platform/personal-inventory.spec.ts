import { personalTables } from '../../src/platform/privacy/inventory';
import { useApp } from '../support/app';
import { useSql } from '../support/sql';

useApp();
const sql = useSql();

/** Columns that can hold a text, but for those that PostgreSQL works out of others of the row. */
const COLUMNS = `
  SELECT c.table_name AS table, c.column_name AS column, c.udt_name AS type FROM information_schema.columns c
  JOIN information_schema.tables t USING (table_schema, table_name)
  WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
    AND c.udt_name IN ('text', '_text', 'varchar', '_varchar', 'bpchar', 'name', 'citext', 'json', 'jsonb', '_json', '_jsonb', 'bytea', 'tsvector', 'xml', 'inet', 'hstore')
    AND c.table_name <> 'schema_migrations' ORDER BY 1, 2`;

interface Column {
  table: string;
  column: string;
  type: string;
}

const said = ({ table, column }: Pick<Column, 'table' | 'column'>): string => `${table}.${column}`;

const ADVICE = `
Say in \`personal\` of the area that makes the table (src/areas/<area>/<area>.personal.ts, type PersonalTable, docs/privacy.md) what each is:
  texts    people write it, so it may name or quote somebody; names and addresses of an erased person are taken out of it
           (custom_fields and external_id of resources are ...RESOURCE_TEXTS)
  free     the program writes it: statuses, kinds, codes, digests, keys of files
  sealed   encrypted, or bytes that only the program reads: a keeper erases it (src/platform/privacy/keepers.ts) if it can name somebody
  derived  PostgreSQL makes it of other columns
  words    single words, a row each
Besides: own: { object, of, erase } where rows belong to a contact (they asked, wrote or are it) and lose these columns;
about: [{ object: \`'ticket'\`, id: 'r.ticket_id' }] with erase: {…} where rows are parts or copies of such records; copy: true for logs.`;

it('every column that can hold a text is declared: to hold something of people, or not to', async () => {
  const columns = await sql.rows<Column>(COLUMNS);
  const undeclared = columns.filter(({ table, column }) => placesOf(table, column).length === 0);
  const list = undeclared.map((each) => `  ${said(each)} (${each.type})`).join('\n');
  if (list !== '') throw new Error(`Nobody says what these columns hold of people:\n${list}\n${ADVICE}`);
});

it('no column is declared twice, and none that is not there', async () => {
  const columns = new Set((await sql.rows<Column>(COLUMNS)).map(said));
  const every = new Set((await sql.rows<Column>(COLUMNS.replace(/AND c\.udt_name IN \([^)]*\)/, ''))).map(said));
  for (const { table, texts = [], free = [], derived = [], sealed = [], words, own, erase } of personalTables()) {
    const named = [...texts, ...free, ...derived, ...sealed, ...(words === undefined ? [] : [words])];
    expect(named.filter((name, index) => named.indexOf(name) !== index)).toEqual([]);
    const among = (set: ReadonlySet<string>, names: readonly string[]): string[] =>
      names.map((column) => said({ table, column })).filter((name) => !set.has(name));
    expect(among(columns, [...named, ...(own?.names ?? [])])).toEqual([]);
    expect(among(every, [...Object.keys(own?.erase ?? {}), ...Object.keys(erase ?? {})])).toEqual([]);
  }
});

/** Where a column is named: once, where it is right. */
function placesOf(name: string, column: string): string[] {
  const table = personalTables().find((each) => each.table === name);
  const lists = { ...table, words: table?.words === undefined ? [] : [table.words] };
  return (['texts', 'free', 'derived', 'sealed', 'words'] as const).filter((list) => lists[list]?.includes(column));
}
