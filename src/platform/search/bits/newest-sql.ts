import { linesOf, numberedRows, numbersOf } from './rows-sql';
import { CHUNK, type WordBits } from './word-bits';

/** Records that are looked at as the newest of those found: at least so many, by whole chunks. */
const NEWEST = 300;
/** With more than these the newest are looked at before all are. */
const MANY = 600;
/** Share of the records below which the newest of all have too few of what is found, and above which a chunk has too many. */
const SPARSE = 0.05;
const DENSE = 0.2;
const isBelow = (share: number): string => `(SELECT n FROM total) < (SELECT chunks FROM state) * ${share * CHUNK}`;

/** Condition that bits have counted what is found (`total`), and that it is little beside all records. */
export const IS_SPARSE = `coalesce(${isBelow(SPARSE)}, false)`;

/** Item of WITH: chunks of `folded`, how many of those found are in chunks that end later (`before`), and when each ends (`last`). */
function dated({ spans }: WordBits, condition: string): string {
  const last = `coalesce((SELECT p.last FROM ${spans} p WHERE p.workspace_id = $1 AND p.chunk = f.chunk), 'infinity')`;
  const chunks = `SELECT f.chunk, f.bits, ${last} AS last FROM folded f WHERE bit_count(f.bits) > 0 AND ${condition} OFFSET 0`;
  return `dated AS MATERIALIZED (SELECT d.chunk, d.bits, d.last, sum(bit_count(d.bits)) OVER (ORDER BY d.last DESC, d.chunk ROWS UNBOUNDED PRECEDING) - bit_count(d.bits) AS before FROM (${chunks}) d)`;
}

/** FROM item: numbers of those found in the chunks that end last, with which there are at least so many. */
const numbersOfLast = (wanted: number | string): string =>
  numbersOf(`(SELECT d.chunk, d.bits FROM dated d WHERE d.before < ${wanted})`);
/** SQL of the moment when the last of the other chunks ends: what is newer is in none of them. */
const endOfOthers = (wanted: number | string): string =>
  `coalesce((SELECT max(d.last) FROM dated d WHERE d.before >= ${wanted}), '-infinity')`;

/**
 * Items of WITH, of which `newest` has the lines of the newest records found (`folded`, `live`): all that were created after some moment,
 * in no order. By the spans of their chunks, so an import in any order of dates leaves few. Empty where bits do not know, or too many have it.
 *
 * @param columns of a line `s`
 * @param condition for them to be looked at
 */
export function newestFolded(bits: WordBits, view: string, columns: string, condition: string): string[] {
  return [
    dated(bits, `(SELECT n FROM total) > ${MANY} AND ${isBelow(DENSE)} AND ${condition}`),
    `newest AS MATERIALIZED (SELECT ${columns}
      FROM ${linesOf(
        view,
        `SELECT r.id FROM ${numberedRows(bits.table, 's.id', numbersOfLast(NEWEST))} r
         UNION ALL SELECT l.id FROM live l WHERE EXISTS (SELECT FROM dated)`,
      )} s
      WHERE s.created_at > ${endOfOthers(NEWEST)})`,
  ];
}

/** Share of the records from which on the newest that are found are sooner met by going through the newest of all. */
const OFTEN = 0.03;
/** Records of overlapping chunks that are looked at besides. */
const SPARE = 50;
/** Chunks that may be gone through for a page. */
const GONE_THROUGH = 2;

/** SELECT of the bits of the chunks of `folded` that end last. */
const lastBits = ({ spans }: WordBits): string =>
  `SELECT f.bits FROM folded f ORDER BY coalesce((SELECT p.last FROM ${spans} p WHERE p.workspace_id = $1 AND p.chunk = f.chunk), 'infinity') DESC LIMIT ${GONE_THROUGH}`;

/**
 * Items of WITH: `newest` has the numbers of the newest records found (`folded`), all that were created after some moment; and the
 * condition that they are as many as wanted. To be joined by `live`. And the condition that as many are among the newest records, of all or of a period.
 *
 * @param wanted SQL of how many: bound, as each page would be a statement of its own otherwise
 */
export function newestNumbers(bits: WordBits, wanted: string): { items: string[]; areEnough: string; areSoon: string } {
  const most = `${wanted} + ${SPARE}`;
  const rows = numberedRows(bits.table, 's.number, s.created_at', numbersOfLast(most));
  return {
    items: [
      dated(bits, isBelow(OFTEN)),
      `newest AS MATERIALIZED (SELECT r.number FROM ${rows} r WHERE r.created_at > ${endOfOthers(most)})`,
    ],
    areEnough: `(SELECT count(*) FROM newest) >= ${wanted}`,
    areSoon: `(SELECT coalesce(sum(bit_count(l.bits)), 0) FROM (${lastBits(bits)}) l) >= ${most}`,
  };
}
