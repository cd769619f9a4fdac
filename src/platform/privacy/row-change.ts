import type { PersonalRow } from '../area/personal';
import { lossesOf } from './inventory';
import type { Person } from './person';
import { TAGS } from './scrubber';
import { aboutFlag, OWN_FLAG } from './sweep-sql';
import type { TableShape } from './table-shape';

type Cells = Record<string, unknown>;

/** What becomes of a row. */
export interface RowChange {
  /** The key and the columns as they are to be. */
  values: Cells;
  isOwn: boolean;
  /** Whether anything is other than before. */
  differs: boolean;
  /** The row goes: the rule says so, or the person is part of its key. */
  goes: boolean;
  /** What the person was called in it. */
  names: string[];
}

/** Pure. @param row what `locked` answered */
export function rowChange({ table, key, columns }: TableShape, row: Cells, person: Person): RowChange {
  const { scrubber, isAnonymous = false } = person;
  const values: Cells = Object.fromEntries([...columns.keys()].map((name) => [name, row[name]]));
  const before = JSON.stringify(values);
  const isOwn = row[OWN_FLAG] === true;
  const flags = (table.about ?? []).map((_, index) => row[aboutFlag(index)]);
  const members = flags.flatMap((flag) => (Array.isArray(flag) ? flag.map(String) : []));
  const about = flags.map((flag) => (Array.isArray(flag) ? flag.length > 0 : flag === true));
  const there = isOwn || about.some(Boolean);
  const names = isOwn ? (table.own?.names ?? []).flatMap((name) => textOf(values[name])) : [];
  const tagged = table.tagged?.(values) ?? [];
  const fate = { goes: false };
  const seen: PersonalRow = {
    values,
    about,
    members,
    isAnonymous,
    mentions: (text) => scrubber.mentions(text, there),
    drop: () => void (fate.goes = true),
    losses: (object) => lossesOf(object, isAnonymous),
  };
  table.rule?.(seen);
  if (isOwn) lose(values, table.own?.erase);
  if (about[0]) lose(values, table.erase);
  for (const name of table.texts ?? []) {
    const column = columns.get(name);
    const value = values[name];
    if (!column || value === null || value === undefined) continue;
    if (key.includes(name)) fate.goes ||= scrubber.mentions(value, there);
    else values[name] = scrubbed(value, column.type, name === TAGS || tagged.includes(name));
    if (column.is_unique && values[name] !== value)
      values[name] = column.is_nullable ? null : `${String(values[name])} ${String(values.id)}`;
  }
  return {
    values,
    isOwn: isOwn || (fate.goes && table.own !== undefined),
    differs: JSON.stringify(values) !== before,
    goes: fate.goes,
    names,
  };

  function scrubbed(value: unknown, type: string, isOfTags: boolean): unknown {
    if (type === 'text[]') return Array.isArray(value) ? scrubber.list(value.map(String), there) : value;
    if (type !== 'text') return scrubber.json(value, there, isOfTags);
    return isOfTags ? scrubber.tags(String(value), there) : scrubber.text(String(value), there);
  }
}

/** A value that is not there stays away; what would be one text instead of another of its length is written once. */
function lose(values: Cells, losses: Cells | undefined): void {
  for (const [name, instead] of Object.entries(losses ?? {})) if (values[name] !== null) values[name] = instead;
}

function textOf(value: unknown): string[] {
  return typeof value === 'string' && value.trim() !== '' ? [value] : [];
}
