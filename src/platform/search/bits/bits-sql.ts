import { anyBits, type AnyOf, restItems } from './any-of';
import { lexemeQuery, lineCondition, sequenceConditions } from '../matching';
import type { Term } from '../terms';
import { bitOf, chunkOf, linesOf, NONE, numberedRows, FOLDED_NUMBERS, numbersOf } from './rows-sql';
import { CHUNK, isExact, MOST_UNFOLDED, provingKeys, rareWords, spelledKeys, type WordBits } from './word-bits';

type Bind = (value: unknown) => string;

/** What is searched by bits: terms that are all common, values of facets (of each, any of these), and when the records were made. */
export interface Wanted {
  terms: readonly Term[];
  facets: readonly AnyOf[];
  /** Conditions over `created_at` of `alias`, each with one bound. */
  period?: readonly ((alias: string) => string)[];
  /** `MOST_BORDER`, unless a test says otherwise. */
  mostBorder?: number;
}

/** Records of chunks that reach beyond a period whose rows are looked at; of more, its rows are gone through instead. */
const MOST_BORDER = 20_000;
const ALL = `(~${NONE})`;

/** Where the words are: the view of the lines and their index, and what further is asked of records that are not folded (over `s`). */
export interface Lines {
  view: string;
  conditions: readonly string[];
}

/**
 * Items of WITH: what a search finds by its bits. `$1` is the workspace.
 *
 * - `state`: one row, unless the bits cannot answer: they are being made, other keys were chosen meanwhile, too much is not folded;
 * - `folded`: `chunk`, `bits` of the records found among those that are folded (null for none);
 * - `live`: `workspace_id`, `id`, `number` of those found among the others.
 *
 * The order of the work is laid down, as in `search-plan.ts`: from chunk to chunk by LATERAL, not as the planner sees fit.
 */
export function bitParts(
  bits: WordBits,
  { view, conditions }: Lines,
  { terms, facets, period = [], mostBorder = MOST_BORDER }: Wanted,
  common: ReadonlySet<string>,
  workspaceId: number,
  bind: Bind,
): string[] {
  const keys = new Set(facets.flatMap(({ any }) => any));
  const rest = restItems(bits, facets, bind);
  const parts: string[] = [];
  const masks: string[] = facets.map(({ any }, index) => anyBits(bits, any, rest.names[index] ?? [], bind));
  const ofWords: string[] = [];
  // What the bits tell nearly is looked for in lines.
  const nearly = terms.filter((term) => !isExact([term], common));
  for (const term of terms) {
    const own: (readonly string[])[] = [];
    const rare: string[] = [];
    for (const spelling of term.spellings) {
      const found = spelledKeys(spelling, common);
      if (found) own.push(found.all);
      else {
        // Spellings that are rare are looked up by the index of words, those of several words in the lines it leads to.
        const led = { text: '', spellings: [rareWords(spelling, common)], run: false };
        const follow = sequenceConditions([{ ...led, spellings: [spelling] }], bind, 's.search_text');
        const asked = [`s.lexemes @@ ${bind(lexemeQuery([led], workspaceId))}::tsquery`, ...follow];
        const name = `rare${parts.length}`;
        rare.push(name);
        parts.push(
          `${name} AS MATERIALIZED (SELECT ${chunkOf('r.number')} AS chunk, bit_or(${bitOf('r.number')}) AS bits
          FROM (SELECT s.workspace_id, s.id FROM ${view} s WHERE s.workspace_id + 0 = $1 AND ${asked.join(' AND ')} OFFSET 0) w
          CROSS JOIN LATERAL (SELECT r.number FROM ${bits.table} r WHERE r.workspace_id = w.workspace_id AND r.id = w.id OFFSET 0) r GROUP BY 1)`,
        );
      }
    }
    for (const key of own.flat()) keys.add(key);
    ofWords.push(`m${masks.length}.bits`);
    masks.push(mask(bits, own, rare, bind));
  }
  const proofs = nearly.map(({ spellings }) => provingKeys(spellings, common));
  for (const key of proofs.flat()) keys.add(key);
  const proof = proofs.every(({ length }) => length > 0)
    ? proofs.map((some) => `coalesce((${anyBits(bits, some, [], bind)}), ${NONE})`).join(' & ')
    : NONE;
  const isPeriod = period.length > 0;
  const isChecked = nearly.length > 0 || isPeriod;
  const whole = isPeriod ? `CASE WHEN c.whole THEN ${nearly.length === 0 ? ALL : proof} ELSE ${NONE} END` : proof;
  const certain = isChecked ? `, ${whole} AS certain` : '';
  const all = [...keys];
  const has = terms.map((term) => lineCondition(term, bind, 'w.search_text'));
  // What changed but in its words is found by them as before: without filters by them alone, otherwise it leads to its row.
  const isByWords = facets.length === 0 && !isPeriod;
  const isKept = !isByWords && !isChecked;
  const kept = isKept
    ? `, ${ofWords.join(' & ')} & (SELECT u.plain FROM unsure u WHERE u.chunk = c.chunk) AS kept`
    : '';
  const keptRows = numberedRows(
    bits.table,
    's.workspace_id, s.id, s.number',
    numbersOf('(SELECT f.chunk, f.kept AS bits FROM folded f WHERE f.kept IS NOT NULL)'),
    conditions,
  );
  const noted = `${bits.unfolded} u WHERE u.workspace_id = $1${isByWords ? ' AND u.worded' : ''}`;
  const row = `(SELECT s.* FROM ${bits.table} s WHERE s.workspace_id = u.workspace_id AND s.id = u.id${conditions.map((condition) => ` AND ${condition}`).join('')} OFFSET 0)`;
  return [
    ...rest.items,
    `state AS MATERIALIZED (SELECT f.chunks FROM ${bits.folds} f WHERE f.workspace_id = $1 AND ${['f.ready', ...rest.areFew].join(' AND ')}
      AND (SELECT count(*) FROM ${bits.words} w WHERE w.workspace_id = $1 AND w.word = ANY(${bind(all)}::text[])) = ${all.length}
      AND (SELECT count(*) FROM (SELECT FROM ${noted} LIMIT ${MOST_UNFOLDED + 1}) n) <= ${MOST_UNFOLDED})`,
    `unfolded AS MATERIALIZED (SELECT u.workspace_id, u.number, u.id, bool_or(u.worded) AS worded FROM ${noted} AND EXISTS (SELECT FROM state) GROUP BY 1, 2, 3)`,
    `unsure AS MATERIALIZED (SELECT chunk, bit_or(bits) AS bits, bit_or(bits) FILTER (WHERE NOT worded) AS plain
      FROM (SELECT ${chunkOf('number')} AS chunk, ${bitOf('number')} AS bits, worded FROM unfolded OFFSET 0) u GROUP BY 1)`,
    ...parts,
    ...(isPeriod ? [spans(bits, period)] : []),
    `${isChecked ? 'guessed' : 'folded'} AS MATERIALIZED (
      SELECT c.chunk, ${masks.map((_, index) => `m${index}.bits`).join(' & ')} & (~coalesce((SELECT u.bits FROM unsure u WHERE u.chunk = c.chunk), ${NONE})) AS bits${certain}${kept}
      FROM (${isPeriod ? CHUNKS_WITHIN : CHUNKS}) c
      ${masks.map((sql, index) => `CROSS JOIN LATERAL (${sql}) m${index}`).join(' ')})`,
    ...(isChecked
      ? checked(
          bits,
          view,
          nearly.map((term) => lineCondition(term, bind, 'w.search_text')),
          period.map((condition) => condition('s')),
          mostBorder,
        )
      : []),
    `live AS MATERIALIZED (SELECT u.workspace_id, u.id, u.number FROM unfolded u
      CROSS JOIN LATERAL (SELECT x.search_text FROM ${view} x WHERE x.workspace_id = u.workspace_id AND x.id = u.id OFFSET 0) w
      ${conditions.length > 0 ? `CROSS JOIN LATERAL ${row} s` : ''} WHERE ${[...(isKept ? ['u.worded'] : []), ...has].join(' AND ')}${isKept ? ` UNION ALL SELECT r.workspace_id, r.id, r.number FROM ${keptRows} r` : ''})`,
  ];
}

/** SELECT of all chunks. */
export const CHUNKS = 'SELECT generate_series(0, chunks - 1) AS chunk FROM state OFFSET 0';
/** Those that may have records of the period; `whole`: no others. */
const CHUNKS_WITHIN = `SELECT n.chunk, coalesce(p.whole, false) AS whole FROM (${CHUNKS}) n LEFT JOIN spans p ON p.chunk = n.chunk WHERE p.meets IS NOT FALSE OFFSET 0`;

/** Item of WITH: how the moments of each chunk lie to a period, by the first and the last of them. */
function spans(bits: WordBits, period: readonly ((alias: string) => string)[]): string {
  const within = period.map((condition) => [condition('f'), condition('l')] as const);
  const whole = within.map(([first, last]) => `${first} AND ${last}`).join(' AND ');
  const meets = within.map(([first, last]) => `(${first} OR ${last})`).join(' AND ');
  return `spans AS MATERIALIZED (SELECT p.chunk, ${whole} AS whole, ${meets} AS meets FROM ${bits.spans} p
    CROSS JOIN LATERAL (SELECT p.first AS created_at) f CROSS JOIN LATERAL (SELECT p.last AS created_at) l WHERE p.workspace_id = $1)`;
}

/** Whether few records of a period are in chunks that reach beyond it, so that `folded` is right; otherwise it has too few. */
export const IS_BORDER_SMALL = '(SELECT small FROM border)';

/** Items of WITH, behind those of a search without a period: `everyone` has the bits of all who were found, `folded` and `live`. */
export const BITS_OF_ALL = `tail AS MATERIALIZED (SELECT ${chunkOf('l.number')} AS chunk, bit_or(${bitOf('l.number')}) AS bits FROM live l GROUP BY 1),
    everyone AS MATERIALIZED (SELECT f.chunk, coalesce(f.bits, ${NONE}) | coalesce((SELECT t.bits FROM tail t WHERE t.chunk = f.chunk), ${NONE}) AS bits FROM folded f)`;

/** How many lines were looked at for what bits told nearly. */
export const GUESSES = '(SELECT coalesce(sum(bit_count(bits & ~certain)), 0)::integer FROM guessed)';

/** The number of records in `folded`. */
export const FOLDED_TOTAL = `(SELECT coalesce(sum(bit_count(bits)), 0)::bigint FROM folded)`;

/** How many records `folded` and `live` are; null where the bits cannot answer. */
export const BIT_TOTAL = `CASE WHEN EXISTS (SELECT FROM state) THEN ${FOLDED_TOTAL} + (SELECT count(*) FROM live) END`;

/**
 * `folded`, of what is `guessed`: what is `certain`, and the records whose lines have what the bits tell nearly, and whose rows are of
 * the period. Rows of a period alone are looked at only where they are few (`border`).
 */
function checked(
  { table }: WordBits,
  view: string,
  lines: readonly string[],
  rows: readonly string[],
  mostBorder: number,
): string[] {
  const isBounded = lines.length === 0;
  const guesses = `(SELECT g.chunk, g.bits & ~g.certain AS bits FROM guessed g${isBounded ? ` WHERE ${IS_BORDER_SMALL}` : ''})`;
  // Where every guess has a row, whose moment nobody asks for.
  const isMostly =
    isBounded || rows.length > 0
      ? 'false'
      : `(SELECT count(*) FROM rows) = ${GUESSES} AND (SELECT count(*) FROM confirmed) * 2 > (SELECT count(*) FROM rows)`;
  const small = isBounded
    ? `SELECT coalesce(sum(bit_count(bits & ~certain)), 0) <= ${mostBorder} AS small FROM guessed`
    : 'SELECT true AS small';
  return [
    `border AS MATERIALIZED (${small})`,
    `rows AS MATERIALIZED (SELECT r.id, r.number FROM ${numberedRows(table, 's.id, s.number', numbersOf(guesses), rows)} r)`,
    ...(isBounded
      ? []
      : [
          `confirmed AS MATERIALIZED (SELECT w.id FROM ${linesOf(view, 'SELECT id FROM rows')} w WHERE ${lines.join(' AND ')})`,
        ]),
    // Bits of single records are dear: those of the fewer are made, of who was found or of who was not.
    `mostly AS MATERIALIZED (SELECT ${isMostly} AS found)`,
    // Within FILTER, IN is looked up in a hash, which no planner takes for a join of a few rows.
    `few AS MATERIALIZED (SELECT ${chunkOf('r.number')} AS chunk, bit_or(${bitOf('r.number')})${isBounded ? '' : ' FILTER (WHERE (r.id IN (SELECT id FROM confirmed)) <> (SELECT found FROM mostly))'} AS bits
      FROM rows r GROUP BY 1)`,
    `folded AS MATERIALIZED (SELECT g.chunk, CASE WHEN (SELECT found FROM mostly) THEN g.bits & ~f.bits ELSE (g.bits & g.certain) | f.bits END AS bits
      FROM guessed g CROSS JOIN LATERAL (SELECT coalesce((SELECT w.bits FROM few w WHERE w.chunk = g.chunk), ${NONE}) AS bits OFFSET 0) f)`,
  ];
}

/** SELECT of `workspace_id`, `id` of the records in `folded`; for few. */
export function foldedIds({ table }: WordBits): string {
  return `SELECT r.workspace_id, r.id FROM ${numberedRows(table, 's.workspace_id, s.id', FOLDED_NUMBERS)} r`;
}

/** Condition that a number is in `folded`, or in what is `guessed`; for many. As bytes, PostgreSQL counts the bits of each from the right. */
export function isFolded(number: string, source: 'folded' | 'guessed' = 'folded'): string {
  const bytes = `(SELECT string_agg(substr(bit_send(coalesce(f.bits, ${NONE})), 5), ''::bytea ORDER BY c.chunk) FROM (${CHUNKS}) c LEFT JOIN ${source} f ON f.chunk = c.chunk)`;
  return `CASE WHEN ${number} < (SELECT chunks FROM state) * ${CHUNK}::bigint THEN get_bit(${bytes}, ${number} # 7) = 1 ELSE false END`;
}

/** The bits of one chunk `c` that have all keys of one of the ways, or a rare spelling. */
function mask({ bits }: WordBits, ways: readonly (readonly string[])[], rare: readonly string[], bind: Bind): string {
  const of = (condition: string): string =>
    `SELECT b.bits FROM ${bits} b WHERE b.workspace_id = $1 AND b.chunk = c.chunk AND b.word = ${condition}`;
  const single = ways.filter(({ length }) => length === 1).flat();
  const sources = [
    ...(single.length > 0 || ways.length === 0 ? [of(`ANY(${bind(single)}::text[])`)] : []),
    ...ways
      .filter(({ length }) => length > 1)
      .map((keys) => `SELECT ${keys.map((key) => `(${of(`${bind(key)}::text`)})`).join(' & ')} AS bits`),
    ...rare.map((name) => `SELECT r.bits FROM ${name} r WHERE r.chunk = c.chunk`),
  ];
  return `SELECT bit_or(o.bits) AS bits FROM (${sources.join(' UNION ALL ')}) o`;
}
