import { collected, remembered } from '../area/collected';
import type { Instead, PersonalTable } from '../area/personal';

const declared = collected(({ personal }) => personal);

/** What an area says of columns that it has added to the table of another one. */
const COLUMN_LISTS = ['texts', 'free', 'derived', 'sealed'] as const;

/** What is held of people, table by table, in the order in which it is erased: records first, then what was made of them. */
export const personalTables = remembered((): readonly PersonalTable[] => {
  const tables = new Map<string, PersonalTable>();
  for (const said of declared) {
    const known = tables.get(said.table);
    tables.set(said.table, known ? withColumns(known, said) : said);
  }
  const rank = ({ own, copy }: PersonalTable): number => (own ? 0 : copy ? 2 : 1);
  return [...tables.values()].sort((a, b) => rank(a) - rank(b));
});

/** @throws Error when it says more than what further columns are: that is for the area of the table to say */
function withColumns(known: PersonalTable, { table, ...further }: PersonalTable): PersonalTable {
  const lists: readonly string[] = COLUMN_LISTS;
  if (Object.keys(further).some((name) => !lists.includes(name)))
    throw new Error(`What "${table}" holds of people is declared twice.`);
  const joined = { ...known };
  for (const list of COLUMN_LISTS) joined[list] = [...(known[list] ?? []), ...(further[list] ?? [])];
  return joined;
}

/** What records of a kind lose when they belong to an erased person, or are made anonymous, by member. */
export function lossesOf(object: string, isAnonymous = false): Readonly<Record<string, Instead>> {
  const [kind, related] = object.split('.');
  const own = personalTables().find((table) => table.own?.object === kind)?.own;
  if (related !== undefined) return { ...own?.inRelated?.[related], ...(isAnonymous ? own?.anonymise : {}) };
  return { ...own?.erase, ...own?.inCopies, ...(isAnonymous ? own?.anonymise : {}) };
}

/** Columns that tell the rows of a workspace apart. */
export const keyOf = ({ key, words }: PersonalTable): readonly string[] => key ?? [words ?? 'id'];

/** Columns of a table that an erasure reads. */
export function columnsOf(table: PersonalTable): string[] {
  const { texts = [], own, erase, also = [] } = table;
  return [
    ...new Set([...keyOf(table), ...texts, ...Object.keys(own?.erase ?? {}), ...Object.keys(erase ?? {}), ...also]),
  ];
}
