import { collected, remembered } from '../area/collected';
import type { Instead, PersonalTable } from '../area/personal';

const declared = collected(({ personal }) => personal);

/** What is held of people, table by table, in the order in which it is erased: records first, then what was made of them. */
export const personalTables = remembered((): readonly PersonalTable[] => {
  const doubled = declared.find(({ table }, index) => declared.findIndex((other) => other.table === table) !== index);
  if (doubled) throw new Error(`What "${doubled.table}" holds of people is declared twice.`);
  const rank = ({ own, copy }: PersonalTable): number => (own ? 0 : copy ? 2 : 1);
  return [...declared].sort((a, b) => rank(a) - rank(b));
});

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
