import type { Database } from '../../database/database';
import { sql } from '../../postgres/statement-batch';
import type { Workers } from '../../workers/workers.service';
import { MOST_OF_LINE } from './common-keys';
import { BETWEEN_KEYS, FOLD_RECORDS } from './fold-tasks';
import { setBit } from './folding';
import { boundsOf, codeOf, isOfValues } from './value-keys';
import { CHUNK, CHUNK_BYTES, type WordBits } from './word-bits';

/** Records read at once: each text has at most 100,000 characters, and 64 of usual ones are short enough to be collected soon. */
const SLICE = 64;
/** Whose work a thread does. */
export const FOLDING = 'folding';

/** Reads the records of a workspace as they are folded, and writes their bits; inside `Database.system()`. */
export class ChunkWriter {
  constructor(
    private readonly database: Database,
    private readonly workers: Workers,
    private readonly bits: WordBits,
    private readonly workspaceId: number,
  ) {}

  /** Folds records of one chunk, as far as these keys speak of them. */
  async fold(chunk: number, numbers: readonly number[], keys: readonly string[]): Promise<void> {
    const { bits, folds } = this.bits;
    const given = await this.bitsOf(numbers, keys);
    const mask = Buffer.alloc(CHUNK_BYTES);
    for (const number of numbers) setBit(mask, number % CHUNK);
    // Only what changes is written: of a record that was edited, some words; of one that was solved, some values.
    const text = `WITH given AS MATERIALIZED (
         SELECT k.word, ('x' || encode(substr($4::bytea, (k.n - 1)::integer * ${CHUNK_BYTES} + 1, ${CHUNK_BYTES}), 'hex'))::bit(${CHUNK}) AS bits
         FROM unnest($3::text[]) WITH ORDINALITY AS k (word, n)
       ), mask AS MATERIALIZED (SELECT ('x' || encode($5::bytea, 'hex'))::bit(${CHUNK}) AS bits)
       INSERT INTO ${bits} (workspace_id, chunk, word, bits)
       SELECT $1, $2, g.word, coalesce((o.bits & (~m.bits)) | g.bits, g.bits)
       FROM given g CROSS JOIN mask m
         LEFT JOIN LATERAL (SELECT b.bits FROM ${bits} b WHERE b.workspace_id = $1 AND b.chunk = $2 AND b.word = g.word OFFSET 0) o ON true
       WHERE CASE WHEN o.bits IS NULL THEN bit_count(g.bits) > 0 ELSE (o.bits & m.bits) <> g.bits END
       ORDER BY g.word
       ON CONFLICT (workspace_id, chunk, word) DO UPDATE SET bits = excluded.bits`;
    await this.database.run([{ text, values: [this.workspaceId, chunk, keys, given, mask] }]);
    await this.widen(chunk, numbers);
    await this.database.query(`UPDATE ${folds} SET chunks = greatest(chunks, $2) WHERE workspace_id = $1`, [
      this.workspaceId,
      chunk + 1,
    ]);
  }

  /** For each key, in their order, `CHUNK_BYTES`. The thread works out those of some records while the next ones are read. */
  private async bitsOf(numbers: readonly number[], keys: readonly string[]): Promise<Buffer> {
    const { facets, ranks } = this.bits;
    const worded = !keys.every(isOfValues);
    const bits = new SharedArrayBuffer(keys.length * CHUNK_BYTES);
    const given = { keys: keys.join(BETWEEN_KEYS), facets: Object.keys(facets), ranks, bits };
    let folding = Promise.resolve();
    for (let at = 0; at < numbers.length; at += SLICE) {
      const [records] = await Promise.all([this.records(numbers.slice(at, at + SLICE), worded), folding]);
      folding = this.workers.run(FOLD_RECORDS, { ...given, records }, FOLDING);
    }
    await folding;
    return Buffer.from(bits);
  }

  /** Makes the span of a chunk reach as far as the moments of these records. Never narrower: whoever is gone is in no bits. */
  private async widen(chunk: number, numbers: readonly number[]): Promise<void> {
    const { table, spans } = this.bits;
    await this.database.query(
      `INSERT INTO ${spans} AS s (workspace_id, chunk, first, last)
       SELECT $1, $2, min(t.created_at), max(t.created_at)
       FROM (SELECT $1::bigint AS workspace_id, unnest($3::bigint[]) AS number OFFSET 0) n
         CROSS JOIN LATERAL (SELECT t.created_at FROM ${table} t WHERE t.workspace_id = n.workspace_id AND t.number = n.number OFFSET 0) t
       HAVING count(*) > 0
       ON CONFLICT (workspace_id, chunk) DO UPDATE SET first = least(s.first, excluded.first), last = greatest(s.last, excluded.last)
       WHERE excluded.first < s.first OR excluded.last > s.last`,
      [this.workspaceId, chunk, numbers],
    );
  }

  /** The lines of words of some records, as far as keys are chosen by them: JSON texts of some lines each. */
  async lines(numbers: readonly number[]): Promise<string[]> {
    const { table, texts } = this.bits;
    const line = `SELECT left(x.search_text, ${MOST_OF_LINE}) AS line FROM ${table} t
      CROSS JOIN LATERAL (SELECT x.search_text FROM ${texts} x WHERE x.workspace_id = t.workspace_id AND x.id = t.id OFFSET 0) x
      WHERE t.workspace_id = n.workspace_id AND t.number = n.number OFFSET 0`;
    const lines: string[] = [];
    for (let at = 0; at < numbers.length; at += SLICE)
      lines.push(await this.json('r.line', `CROSS JOIN LATERAL (${line}) r`, numbers.slice(at, at + SLICE)));
    return lines;
  }

  /**
   * Records by their numbers, those that are gone, too: JSON of `FoldedRecord[]`.
   *
   * @param worded their words are wanted, not their values alone
   */
  private records(numbers: readonly number[], worded: boolean): Promise<string> {
    const { table, texts, facets, ranks } = this.bits;
    const columns = Object.keys(facets).map((name) => `t.${name}::text`);
    const codes = Object.entries(ranks).map(([name, type]) => codeOf(`t.${name}`, type, boundsOf(this.bits, name)));
    const line = worded
      ? `(SELECT x.search_text FROM ${texts} x WHERE x.workspace_id = t.workspace_id AND x.id = t.id)`
      : `''`;
    const shown = [line, ...columns, ...codes].map((value, index) => `${value} AS v${index}`);
    const row = `SELECT ${shown.join(', ')} FROM ${table} t
      WHERE t.workspace_id = n.workspace_id AND t.number = n.number OFFSET 0`;
    const values = shown.map((_, index) => `r.v${index}`);
    return this.json(
      `json_build_array(n.number, ${values.join(', ')})`,
      `LEFT JOIN LATERAL (${row}) r ON true`,
      numbers,
    );
  }

  /** One text of something of each record `n`. */
  private async json(value: string, joined: string, numbers: readonly number[]): Promise<string> {
    // Prepared: planning it takes as long as it does.
    const { rows } = await this.database.batch({
      rows: sql<{ list: string }>(
        `SELECT coalesce(json_agg(${value}), '[]')::text AS list
         FROM (SELECT $1::bigint AS workspace_id, unnest($2::bigint[]) AS number OFFSET 0) n ${joined}`,
        [this.workspaceId, numbers],
      ),
    });
    return rows[0]?.list ?? '[]';
  }
}
