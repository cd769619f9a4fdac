import type { Database } from '../../database/database';
import { ChunkFold, type FoldedRecord } from './folding';
import { boundsOf, codeOf, EVERY, facetKey, KeysOfCodes } from './value-keys';
import { CHUNK, CHUNK_BYTES, type WordBits } from './word-bits';

/** Records read at once: each text has at most 100,000 characters. */
const SLICE = 512;
/** Before the names of columns that have codes. */
const CODE = 'code_';

/** Reads the records of a workspace as they are folded, and writes their bits; inside `Database.system()`. */
export class ChunkWriter {
  private readonly codes: KeysOfCodes;

  constructor(
    private readonly database: Database,
    private readonly bits: WordBits,
    private readonly workspaceId: number,
  ) {
    this.codes = new KeysOfCodes(bits.ranks);
  }

  /** Folds records of one chunk, as far as these keys speak of them. */
  async fold(chunk: number, numbers: readonly number[], keys: readonly string[]): Promise<void> {
    const { bits, folds } = this.bits;
    const fold = new ChunkFold(keys);
    for await (const records of this.read(numbers)) await fold.add(records);
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
    await this.database.run([{ text, values: [this.workspaceId, chunk, keys, fold.bits, fold.mask] }]);
    await this.widen(chunk, numbers);
    await this.database.query(`UPDATE ${folds} SET chunks = greatest(chunks, $2) WHERE workspace_id = $1`, [
      this.workspaceId,
      chunk + 1,
    ]);
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

  /** The lines of words of some records. */
  async lines(numbers: readonly number[]): Promise<string[]> {
    const lines: string[] = [];
    for await (const records of this.read(numbers)) for (const { line } of records) if (line !== null) lines.push(line);
    return lines;
  }

  /** Records by their numbers, some at a time; those that are gone, too. */
  private async *read(numbers: readonly number[]): AsyncGenerator<FoldedRecord[], void> {
    const { table, texts, facets, ranks } = this.bits;
    const columns = Object.keys(facets);
    const codes = Object.entries(ranks).map(
      ([column, type]) => `${codeOf(`t.${column}`, type, boundsOf(this.bits, column))} AS ${CODE}${column}`,
    );
    const shown = ['x.search_text AS line', ...columns.map((name) => `t.${name}`), ...codes];
    const row = `SELECT ${shown.join(', ')} FROM ${table} t
      CROSS JOIN LATERAL (SELECT x.search_text FROM ${texts} x WHERE x.workspace_id = t.workspace_id AND x.id = t.id OFFSET 0) x
      WHERE t.workspace_id = n.workspace_id AND t.number = n.number OFFSET 0`;
    for (let at = 0; at < numbers.length; at += SLICE) {
      const rows = await this.database.query<{ number: number; line: string | null; [value: string]: unknown }>(
        `SELECT n.number, r.* FROM (SELECT $1::bigint AS workspace_id, unnest($2::bigint[]) AS number OFFSET 0) n LEFT JOIN LATERAL (${row}) r ON true`,
        [this.workspaceId, numbers.slice(at, at + SLICE)],
      );
      yield rows.map(({ number, line, ...values }) => ({ number, line, values: this.keysOf(columns, values) }));
    }
  }

  private keysOf(columns: readonly string[], row: Readonly<Record<string, unknown>>): string[] {
    const keys = [EVERY, ...columns.map((name) => facetKey(name, row[name]))];
    for (const column of Object.keys(this.bits.ranks))
      keys.push(...this.codes.of(column, Number(row[`${CODE}${column}`])));
    return keys;
  }
}
