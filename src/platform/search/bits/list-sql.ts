import { anyBits, type AnyOf, restItems } from './any-of';
import { CHUNKS } from './bits-sql';
import { placeItem, type Range, rangeMasks } from './range-sql';
import { bitOf, chunkOf, NONE, numberedRows, numbersOf } from './rows-sql';
import { boundsOf, codeKey, codeOf, codePlaces, EVERY, IS_BOUND, isFirstWith } from './value-keys';
import { CHUNK, MOST_UNFOLDED, type WordBits } from './word-bits';

type Bind = (value: unknown) => string;

/** Records among which the page is looked for, from which on they are divided no further. */
const FEW = 300;
/** Most of them that are sorted; and most that are looked at for ranges. Of more, bits answer nothing. */
const MOST = 20_000;
const HEX = '0123456789abcdef';
/** The chunk of records that are not folded: bits by their place among them. */
const LIVE = -1;

/** What a list is found by. */
export interface ListBits {
  /** Of each, records have any of these, or none. */
  facets: readonly (AnyOf & { not: boolean })[];
  ranges: readonly Range[];
  /** Conditions over `s`: those of the ranges, and all. */
  ofRanges: readonly string[];
  conditions: readonly string[];
}

/** A page of it. */
export interface ListPage {
  /** Columns that it is sorted by, the last one telling all records apart. */
  sorts: readonly { column: string; descending: boolean }[];
  limit: number;
  offset: number;
  /** `FEW`, unless a test says otherwise. */
  few?: number;
  /** Select list and ORDER BY over `s`, of which there are `workspace_id`, `id` and the columns of the sorts. */
  columns: string;
  order: string;
}

/**
 * Items of WITH: what filters leave, by the bits of values. `$1` is the workspace.
 *
 * - `state`: one row, unless the bits cannot answer;
 * - `folded`: `chunk`, `bits` of the records found among those that are folded;
 * - `live`: `id`, `at` (their place among each other, from 0) of the others, and `codes` of the columns that the list is sorted by;
 * - `found`: all of them together.
 */
export function listParts(bits: WordBits, wanted: ListBits, sorts: ListPage['sorts'], bind: Bind): string[] {
  const { facets, ranges, conditions } = wanted;
  const keys = new Set([EVERY, ...facets.flatMap(({ any }) => any)]);
  const columns = [...sorts, ...ranges].map(({ column }) => column);
  for (const column of columns)
    for (const place of codePlaces(bits.ranks[column] ?? 'text')) keys.add(codeKey(column, place));
  const ofFacets = facets.map(({ not }, index) => {
    const some = `coalesce(f${index}.bits, ${NONE})`;
    return not ? `~${some}` : some;
  });
  const masks = (kind: 'certain' | 'maybe'): string =>
    ['e.bits', ...ofFacets, ...ranges.map((_, index) => `r${index}.${kind}`), `~coalesce(u.bits, ${NONE})`].join(' & ');
  const rest = restItems(bits, facets, bind);
  const laterals = [
    `CROSS JOIN LATERAL (${anyBits(bits, [EVERY], [], bind)} OFFSET 0) e`,
    ...facets.map(
      ({ any }, index) =>
        `CROSS JOIN LATERAL (${anyBits(bits, any, rest.names[index] ?? [], bind)} OFFSET 0) f${index}`,
    ),
    ...ranges.map(
      (range, index) => `CROSS JOIN LATERAL (${rangeMasks(bits, `place${index}`, range, bind)} OFFSET 0) r${index}`,
    ),
  ];
  const codes = sorts.map(({ column }) => codeOf(`s.${column}`, bits.ranks[column] ?? 'text', boundsOf(bits, column)));
  const names = [...new Set(['id', ...sorts.map(({ column }) => column)])].map((name) => `s.${name}`).join(', ');
  const live = numberedRows(bits.table, names, '(SELECT number FROM unfolded)', conditions);
  const isChecked = ranges.length > 0;
  return [
    ...rest.items,
    `state AS MATERIALIZED (SELECT f.chunks FROM ${bits.folds} f WHERE f.workspace_id = $1 AND ${['f.ready', ...rest.areFew].join(' AND ')}
      AND (SELECT count(*) FROM ${bits.words} w WHERE w.workspace_id = $1 AND w.word = ANY(${bind([...keys])}::text[])) = ${keys.size}
      AND (SELECT count(*) FROM (SELECT FROM ${bits.unfolded} u WHERE u.workspace_id = $1 LIMIT ${MOST_UNFOLDED + 1}) n) <= ${MOST_UNFOLDED})`,
    `unfolded AS MATERIALIZED (SELECT DISTINCT u.workspace_id, u.number, u.id FROM ${bits.unfolded} u WHERE u.workspace_id = $1 AND EXISTS (SELECT FROM state))`,
    `unsure AS MATERIALIZED (SELECT ${chunkOf('number')} AS chunk, bit_or(${bitOf('number')}) AS bits FROM unfolded GROUP BY 1)`,
    ...ranges.map((range, index) => placeItem(bits, `place${index}`, range, bind)),
    `${isChecked ? 'guessed' : 'folded'} AS MATERIALIZED (SELECT c.chunk, ${masks('maybe')} AS bits${isChecked ? `, ${masks('certain')} AS certain` : ''}
      FROM (${CHUNKS}) c LEFT JOIN unsure u ON u.chunk = c.chunk ${laterals.join(' ')})`,
    ...(isChecked ? lookedAt(bits, wanted.ofRanges) : []),
    `live AS MATERIALIZED (SELECT s.id, row_number() OVER () - 1 AS at, ARRAY[${codes.join(', ')}]::integer[] AS codes
      FROM ${live} s)`,
    `found AS MATERIALIZED (SELECT f.chunk, f.bits FROM folded f WHERE bit_count(f.bits) > 0
      UNION ALL SELECT ${LIVE}, repeat('1', n)::bit(${CHUNK}) FROM (SELECT count(*)::integer AS n FROM live) l WHERE n > 0)`,
    `counted AS MATERIALIZED (SELECT CASE WHEN ${['EXISTS (SELECT FROM state)', ...(isChecked ? ['(SELECT small FROM border)'] : [])].join(' AND ')}
      THEN coalesce(sum(bit_count(f.bits)), 0)::bigint END AS n FROM found f)`,
  ];
}

/** Items of WITH: `folded`, of what is `guessed`: what is certain, and the records whose rows are in the ranges, where these are not many. */
function lookedAt({ table }: WordBits, conditions: readonly string[]): string[] {
  const guesses = '(SELECT g.chunk, g.bits & ~g.certain AS bits FROM guessed g WHERE (SELECT small FROM border))';
  return [
    `border AS MATERIALIZED (SELECT coalesce(sum(bit_count(bits & ~certain)), 0) <= ${MOST} AS small FROM guessed)`,
    `surely AS MATERIALIZED (SELECT ${chunkOf('r.number')} AS chunk, bit_or(${bitOf('r.number')}) AS bits
      FROM ${numberedRows(table, 's.number', numbersOf(guesses), conditions)} r GROUP BY 1)`,
    `folded AS MATERIALIZED (SELECT g.chunk, g.certain | coalesce((SELECT s.bits FROM surely s WHERE s.chunk = g.chunk), ${NONE}) AS bits FROM guessed g)`,
  ];
}

/**
 * Items of WITH: `live_steps`, a bit of the codes of all that is live for each step. Codes are written as four hexadecimal digits, each digit of
 * all of them as one text, and what a bit is in such a digit is a translation of that: no code is looked at once for each bit.
 */
function liveSteps(
  steps: readonly { sort: number; place: number }[],
  sorts: number,
  bound: (list: readonly unknown[], type: string) => string,
): string[] {
  const columns = Array.from({ length: sorts }, (_, at) => at + 1);
  const digits = columns.flatMap((sort) =>
    [5, 4, 3, 2].map((at) => `string_agg(substr(v.h${sort}, ${at}, 1), '' ORDER BY v.at)`),
  );
  const codes = columns.map((sort) => `to_hex(65536 + v.codes[${sort}]) AS h${sort}`);
  const digitOf = steps.map(({ sort, place }) => (sort - 1) * 4 + (place >> 2) + 1);
  const bitOfDigit = steps.map(({ place }) =>
    HEX.replace(/./g, (digit) => String((parseInt(digit, 16) >> (place & 3)) & 1)),
  );
  return [
    `live_digits AS MATERIALIZED (SELECT ARRAY[${digits.join(', ')}] AS digits FROM (SELECT v.at, ${codes.join(', ')} FROM live v OFFSET 0) v)`,
    `live_steps AS MATERIALIZED (SELECT p.step, translate(d.digits[p.digit], '${HEX}', p.bits)::bit(${CHUNK}) AS bits
      FROM unnest(${bound(digitOf, 'integer')}, ${bound(bitOfDigit, 'text')}) WITH ORDINALITY p (digit, bits, step) CROSS JOIN live_digits d WHERE d.digits[1] IS NOT NULL)`,
  ];
}

/**
 * Items of WITH, behind `listParts`: `listed` has the rows of the page, and `told` its total, null where bits do not tell.
 *
 * From bit to bit of the codes of the sort columns, the records found are divided into those that come first and the others, and those
 * are kept that have the first record of the page among them (`s`); from where the last one is among others, these as well (`e`), and
 * all that are between (`m`). What is left in the end is sorted by its rows.
 */
export function pageParts(bits: WordBits, page: ListPage, bind: Bind): string[] {
  const { sorts, limit, offset, columns, order, few = FEW } = page;
  const steps = sorts.flatMap(({ column, descending }, sort) =>
    codePlaces(bits.ranks[column] ?? 'text').map((place) => ({
      key: codeKey(column, place),
      sort: sort + 1,
      place,
      isFirst: isFirstWith(place, descending),
    })),
  );
  const bound = (list: readonly unknown[], type: string): string => `(${bind(list)}::${type}[])`;
  const stepOf = (of: readonly unknown[], type: string): string => `${bound(of, type)}[w.step + 1]`;
  const key = stepOf(
    steps.map((each) => each.key),
    'text',
  );
  const isFirst = stepOf(
    steps.map((each) => each.isFirst),
    'boolean',
  );
  const isBound = stepOf(
    steps.map(({ place }) => place === IS_BOUND),
    'boolean',
  );
  // Bits of what the list is sorted by are read all at once; of the last column, which tells apart what the others do not, as they are needed.
  const ahead = steps.filter(({ sort }) => sort < sorts.length).map((each) => each.key);
  const plane = `CASE WHEN w.chunk = ${LIVE} THEN (SELECT l.bits FROM live_steps l WHERE l.step = w.step + 1)
    WHEN w.step < ${ahead.length} THEN a.bits
    ELSE (SELECT b.bits FROM ${bits.bits} b WHERE b.workspace_id = $1 AND b.chunk = w.chunk AND b.word = ${key}) END`;
  const found = bind(offset);
  const numbers = numbersOf(`(SELECT l.chunk, l.bits FROM left_over l WHERE l.chunk <> ${LIVE})`);
  const names = [...new Set(['workspace_id', 'id', ...sorts.map(({ column }) => column)])]
    .map((name) => `s.${name}`)
    .join(', ');
  const rows = numberedRows(bits.table, names, numbers);
  const ofLive = `SELECT $1::bigint AS workspace_id, v.id FROM live v JOIN left_over l ON l.chunk = ${LIVE} WHERE get_bit(l.bits, v.at::integer) = 1 OFFSET 0`;
  const liveRows = `SELECT ${names} FROM (${ofLive}) v CROSS JOIN LATERAL (SELECT s.* FROM ${bits.table} s WHERE s.workspace_id = v.workspace_id AND s.id = v.id OFFSET 0) s`;
  return [
    ...liveSteps(steps, sorts.length, bound),
    `planes AS MATERIALIZED (SELECT f.chunk, (p.step - 1)::integer AS step, b.bits
      FROM found f CROSS JOIN LATERAL (SELECT b.word, b.bits FROM ${bits.bits} b WHERE b.workspace_id = $1 AND b.chunk = f.chunk AND b.word = ANY(${bound(ahead, 'text')}) OFFSET 0) b
        JOIN unnest(${bound(ahead, 'text')}) WITH ORDINALITY p (word, step) ON p.word = b.word)`,
    `walk AS (
      SELECT 0 AS step, f.chunk, f.bits AS s, NULL::"bit" AS e, NULL::"bit" AS m, ${found}::bigint AS skip,
        least(${found}::bigint + ${limit}, c.n) - 1 AS until, c.n <= ${few} AS s_done, c.n <= ${few} AS e_done
      FROM found f CROSS JOIN counted c WHERE ${found}::bigint < c.n
      UNION ALL
      SELECT w.step + 1, w.chunk, w.s_next, w.e_next, w.m_next,
        CASE WHEN w.s_done OR w.s_first THEN w.skip ELSE w.skip - w.s_count END,
        CASE WHEN w.is_one THEN CASE WHEN w.e_first THEN w.until ELSE w.until - w.s_count END
          WHEN w.e_done OR w.e_first THEN w.until ELSE w.until - w.e_count END,
        w.s_done OR (w.is_bound AND w.s_first <> w.is_first) OR sum(bit_count(w.s_next)) OVER () <= ${few},
        (w.e_done AND NOT w.is_one) OR (w.is_bound AND w.e_first <> w.is_first) OR coalesce(sum(bit_count(w.e_next)) OVER (), 0) <= ${few}
      FROM (SELECT w.*,
          CASE WHEN w.s_done THEN w.s WHEN w.s_first THEN w.s1 ELSE w.s & ~w.s1 END AS s_next,
          CASE WHEN w.is_one THEN CASE WHEN w.s_first AND NOT w.e_first THEN w.s & ~w.s1 END
            WHEN w.e_done THEN w.e WHEN w.e_first THEN w.e1 ELSE w.e & ~w.e1 END AS e_next,
          CASE WHEN NOT w.is_one THEN coalesce(w.m, ${NONE}) | CASE WHEN NOT w.s_done AND w.s_first THEN w.s & ~w.s1 ELSE ${NONE} END
            | CASE WHEN NOT w.e_done AND NOT w.e_first THEN w.e1 ELSE ${NONE} END END AS m_next
        FROM (SELECT w.*, w.skip < w.s_count AS s_first, CASE WHEN w.is_one THEN w.until < w.s_count ELSE w.until < w.e_count END AS e_first
          FROM (SELECT w.*, w.e IS NULL AS is_one, (sum(bit_count(w.s1)) OVER ())::bigint AS s_count, (sum(bit_count(w.e1)) OVER ())::bigint AS e_count
            FROM (SELECT w.*, w.s & d.first AS s1, w.e & d.first AS e1, ${isFirst} AS is_first, ${isBound} AS is_bound
              FROM walk w LEFT JOIN planes a ON a.chunk = w.chunk AND a.step = w.step CROSS JOIN LATERAL (SELECT CASE WHEN ${isFirst} THEN p.bits ELSE ~p.bits END AS first
                FROM (SELECT coalesce(${plane}, ${NONE}) AS bits OFFSET 0) p OFFSET 0) d
              WHERE w.step < ${steps.length} AND NOT (w.s_done AND (w.e IS NULL OR w.e_done)) OFFSET 0) w OFFSET 0) w OFFSET 0) w OFFSET 0) w
      WHERE bit_count(w.s_next) + coalesce(bit_count(w.e_next), 0) + coalesce(bit_count(w.m_next), 0) > 0
    )`,
    `last_step AS MATERIALIZED (SELECT w.* FROM walk w WHERE w.step = (SELECT max(step) FROM walk))`,
    `narrowed AS MATERIALIZED (SELECT l.chunk, l.s | coalesce(l.e, ${NONE}) | coalesce(l.m, ${NONE}) AS bits FROM last_step l)`,
    `told AS MATERIALIZED (SELECT CASE WHEN (SELECT coalesce(sum(bit_count(bits)), 0) FROM narrowed) <= ${MOST} THEN c.n END AS n FROM counted c)`,
    `left_over AS MATERIALIZED (SELECT n.chunk, n.bits FROM narrowed n WHERE (SELECT n FROM told) IS NOT NULL)`,
    `listed AS MATERIALIZED (SELECT ${columns} FROM (SELECT r.* FROM ${rows} r UNION ALL ${liveRows}) s
      ORDER BY ${order} LIMIT ${limit} OFFSET (SELECT max(skip) FROM last_step))`,
  ];
}
