import type { OnModuleInit } from '@nestjs/common';
import { Database } from '../../database/database';
import { PeriodicJobs, RUN_AGAIN } from '../../schedule/periodic-jobs';
import type { Workers } from '../../workers/workers.service';
import { askAgain, learnAsked } from './asked-phrases';
import { ChunkWriter, FOLDING } from './chunk-writer';
import { CHOOSE_KEYS } from './fold-tasks';
import { addBounds, chooseBounds } from './rank-bounds';
import { Setbacks } from './setbacks';
import { isOfValues, valueKeys } from './value-keys';
import { CHUNK, CHUNK_SHIFT, PAIR_KEYS, type WordBits } from './word-bits';

/** The job's name, for who cannot wait for its time. */
export const FOLD_WORDS = 'fold-words';
const EVERY_MS = 5_000;
/** Rows that are deleted at once. */
const MOST_DELETED = 20_000;
/** Notes among which a run looks for the workspace that has most. */
const WINDOW = 100_000;
/** How long a run folds changes before it commits. */
const SPELL_MS = 300;

/** What is worth folding. */
export interface FoldLimits {
  /** The newest number of a workspace from which on it has bits; below, the index of words answers at once. */
  smallest: number;
  /** Share of the records that a common word or value is in, the records these are told by, and the most keys. */
  share: number;
  sample: number;
  sampleOfValues: number;
  mostKeys: number;
  /** Changes that a run waits for. */
  changes: number;
  /** Phrases that have bits because they were asked for. */
  mostLearned: number;
  /** Keys are chosen anew once there are so many times the records. */
  growth: number;
}

export const FOLD_LIMITS: FoldLimits = {
  smallest: 20_000,
  share: 0.01,
  sample: 4_000,
  sampleOfValues: 20_000,
  mostKeys: 6_000,
  changes: 1_500,
  mostLearned: 500,
  growth: 1.5,
};

/** Where the folding of a workspace is. */
interface State {
  ready: boolean;
  chunks: number;
  newest_when_chosen: number | null;
}

/**
 * Makes and keeps the bits of large workspaces, in small transactions that lock nothing that anybody else writes. Whatever is
 * interrupted is as it was: notes of changes go in the transaction that folds what they tell of.
 */
export class WordFolder implements OnModuleInit {
  private readonly setbacks = new Setbacks();

  /** @param all what there is to fold, once everything is declared */
  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
    private readonly workers: Workers,
    private readonly all: () => readonly WordBits[],
  ) {}

  onModuleInit(): void {
    this.jobs.register(FOLD_WORDS, EVERY_MS, () => this.run(), { forRequests: true });
  }

  /** One step for one workspace; inside `Database.system()`. */
  async run(limits: FoldLimits = FOLD_LIMITS): Promise<typeof RUN_AGAIN | null> {
    for (const bits of this.all()) {
      const workspaceId = await this.next(bits, limits, this.setbacks.waiting());
      if (workspaceId === null) continue;
      try {
        await this.step(bits, workspaceId, limits);
      } catch (error) {
        this.setbacks.failed(workspaceId);
        throw error;
      }
      this.setbacks.succeeded(workspaceId);
      return RUN_AGAIN;
    }
    return null;
  }

  /**
   * A workspace whose bits are being made; the one with most of the notes that are looked at, when it has enough or there are
   * many; or one that asks. None of those that are to wait.
   */
  private async next(
    { folds, unfolded, asked }: WordBits,
    limits: FoldLimits,
    waiting: number[],
  ): Promise<number | null> {
    const [begun] = await this.database.query<{ workspace_id: number }>(
      `SELECT workspace_id FROM ${folds} WHERE NOT ready AND workspace_id <> ALL ($1::bigint[]) ORDER BY random() LIMIT 1`,
      [waiting],
    );
    if (begun) return begun.workspace_id;
    const [most] = await this.database.query<{ workspace_id: number; notes: number; seen: number }>(
      `SELECT workspace_id, count(*) AS notes, (sum(count(*)) OVER ())::bigint AS seen
       FROM (SELECT workspace_id FROM ${unfolded} WHERE workspace_id <> ALL ($1::bigint[]) LIMIT ${WINDOW}) u
       GROUP BY workspace_id ORDER BY notes DESC LIMIT 1`,
      [waiting],
    );
    if (most && (most.notes >= limits.changes || most.seen >= WINDOW)) return most.workspace_id;
    const [asking] = await this.database.query<{ workspace_id: number }>(
      `SELECT a.workspace_id FROM ${asked} a JOIN ${folds} f ON f.workspace_id = a.workspace_id AND f.ready
       WHERE a.workspace_id <> ALL ($1::bigint[]) ORDER BY a.asked_at LIMIT 1`,
      [waiting],
    );
    return asking?.workspace_id ?? null;
  }

  /** What is next for a workspace. */
  async step(bits: WordBits, workspaceId: number, limits: FoldLimits): Promise<void> {
    const { table, folds } = bits;
    // Held until all is committed: a workspace that is deleted meanwhile waits, and then takes with it what is written here.
    const [state] = await this.database.query<State>(
      `SELECT ready, chunks, newest_when_chosen FROM ${folds} WHERE workspace_id = $1 FOR UPDATE`,
      [workspaceId],
    );
    const [last] = await this.database.query<{ number: number }>(
      `SELECT number FROM ${table} WHERE workspace_id = $1 ORDER BY number DESC LIMIT 1`,
      [workspaceId],
    );
    const newest = last?.number ?? 0;
    if (!state) {
      if (newest < limits.smallest) return this.forget(bits, workspaceId, limits);
      await this.database.query(`INSERT INTO ${folds} (workspace_id) VALUES ($1)`, [workspaceId]);
    } else if (!state.ready) {
      if (state.newest_when_chosen === null) await this.choose(bits, workspaceId, newest, limits);
      else await this.make(bits, workspaceId, state.chunks, newest);
    } else if (newest < limits.growth * (state.newest_when_chosen ?? 0) + limits.changes) {
      const held = { workspaceId, chunks: state.chunks, mostLearned: limits.mostLearned };
      if (!(await learnAsked(this.database, bits, held))) await this.foldChanges(bits, workspaceId, limits);
    } else await this.beginAnew(bits, workspaceId);
  }

  private async beginAnew({ folds }: WordBits, workspaceId: number): Promise<void> {
    await this.database.query(
      `UPDATE ${folds} SET ready = false, chunks = 0, newest_when_chosen = NULL WHERE workspace_id = $1`,
      [workspaceId],
    );
  }

  /**
   * Nobody needs to know what changed in a workspace without bits: when it gets some, all of it is read. Other small workspaces are
   * swept along, lest the notes of very many add up.
   */
  private async forget({ table, folds, unfolded }: WordBits, workspaceId: number, limits: FoldLimits): Promise<void> {
    await this.database.query(
      `DELETE FROM ${unfolded} u WHERE u.ctid = ANY (ARRAY(SELECT ctid FROM ${unfolded} WHERE workspace_id = $1 LIMIT ${MOST_DELETED}))`,
      [workspaceId],
    );
    await this.database.query(
      `WITH notes AS MATERIALIZED (SELECT ctid AS place, workspace_id FROM ${unfolded} LIMIT ${MOST_DELETED}),
       small AS MATERIALIZED (
         SELECT n.workspace_id FROM (SELECT DISTINCT workspace_id FROM notes) n
         WHERE NOT EXISTS (SELECT FROM ${folds} f WHERE f.workspace_id = n.workspace_id)
           AND NOT EXISTS (SELECT FROM ${table} t WHERE t.workspace_id = n.workspace_id AND t.number >= $1)
       )
       DELETE FROM ${unfolded} u
       WHERE u.ctid = ANY (ARRAY(SELECT place FROM notes WHERE workspace_id IN (SELECT workspace_id FROM small)))`,
      [limits.smallest],
    );
  }

  /** Chooses the keys of a workspace, from a sample of its records, once no bits of others are left. */
  private async choose(bits: WordBits, workspaceId: number, newest: number, limits: FoldLimits): Promise<void> {
    const left = await this.database.query(
      `DELETE FROM ${bits.bits} b WHERE b.ctid = ANY (ARRAY(SELECT ctid FROM ${bits.bits} WHERE workspace_id = $1 LIMIT ${MOST_DELETED})) RETURNING 1`,
      [workspaceId],
    );
    if (left.length > 0) return;
    await this.database.query(`DELETE FROM ${bits.spans} WHERE workspace_id = $1`, [workspaceId]);
    const every = (count: number): number[] => {
      const pace = Math.max(1, newest / count);
      return Array.from({ length: Math.ceil(newest / pace) }, (_, index) => 1 + Math.floor(index * pace));
    };
    const lines = await this.writer(bits, workspaceId).lines(every(limits.sample));
    const words = await this.workers.run(CHOOSE_KEYS, { lines, share: limits.share, most: limits.mostKeys }, FOLDING);
    const values = await chooseBounds(this.database, bits, workspaceId, every(limits.sampleOfValues), limits.share);
    const keys = [...new Set([...valueKeys(bits), ...values, ...PAIR_KEYS, ...words])];
    await askAgain(this.database, bits, workspaceId);
    await this.database.query(`DELETE FROM ${bits.words} WHERE workspace_id = $1`, [workspaceId]);
    await this.database.query(`INSERT INTO ${bits.words} (workspace_id, word) SELECT $1, unnest($2::text[])`, [
      workspaceId,
      keys,
    ]);
    await this.database.query(`UPDATE ${bits.folds} SET newest_when_chosen = $2 WHERE workspace_id = $1`, [
      workspaceId,
      newest,
    ]);
  }

  /** Makes the bits of the next chunk, or says that there is none left. What came meanwhile is noted. */
  private async make(bits: WordBits, workspaceId: number, chunk: number, newest: number): Promise<void> {
    if (chunk * CHUNK > newest) {
      await this.database.query(`UPDATE ${bits.folds} SET ready = true WHERE workspace_id = $1`, [workspaceId]);
      return;
    }
    const noted = await this.taken(bits, workspaceId, chunk);
    const keys = await this.keys(bits, workspaceId);
    const first = chunk * CHUNK;
    // What has come since is noted, and none of the notes that were just taken is left out.
    const last = noted.numbers.reduce((most, number) => Math.max(most, number), newest);
    const numbers = Array.from({ length: Math.min(CHUNK, last - first + 1) }, (_, index) => first + index);
    await this.writer(bits, workspaceId).fold(chunk, numbers, keys);
  }

  /** Folds what was noted, chunk by chunk, for a while. */
  private async foldChanges(bits: WordBits, workspaceId: number, limits: FoldLimits): Promise<void> {
    const began = performance.now();
    const chunks = await this.database.query<{ chunk: number; notes: number }>(
      `SELECT (number >> ${CHUNK_SHIFT})::integer AS chunk, count(*) AS notes FROM ${bits.unfolded} WHERE workspace_id = $1 GROUP BY 1 ORDER BY 2 DESC`,
      [workspaceId],
    );
    const notes = chunks.reduce((sum, each) => sum + each.notes, 0);
    if (notes >= limits.changes && (await addBounds(this.database, bits, workspaceId)))
      return this.beginAnew(bits, workspaceId);
    const keys = await this.keys(bits, workspaceId);
    const ofValues = keys.filter(isOfValues);
    const writer = this.writer(bits, workspaceId);
    for (const { chunk } of chunks) {
      const { numbers, worded } = await this.taken(bits, workspaceId, chunk);
      await writer.fold(chunk, numbers, worded ? keys : ofValues);
      if (performance.now() - began > SPELL_MS) return;
    }
  }

  private writer(bits: WordBits, workspaceId: number): ChunkWriter {
    return new ChunkWriter(this.database, this.workers, bits, workspaceId);
  }

  private async keys({ words }: WordBits, workspaceId: number): Promise<string[]> {
    const rows = await this.database.query<{ word: string }>(`SELECT word FROM ${words} WHERE workspace_id = $1`, [
      workspaceId,
    ]);
    return rows.map(({ word }) => word);
  }

  /**
   * Takes the notes of a chunk. The records are read after it: what changes in between has a note of its own, which stays, so that
   * searches look at the record until it is folded once more.
   */
  private async taken(
    { unfolded }: WordBits,
    workspaceId: number,
    chunk: number,
  ): Promise<{ numbers: number[]; worded: boolean }> {
    const rows = await this.database.query<{ number: number; worded: boolean }>(
      `DELETE FROM ${unfolded} WHERE workspace_id = $1 AND number >= $2 AND number < $3 RETURNING number, worded`,
      [workspaceId, chunk * CHUNK, (chunk + 1) * CHUNK],
    );
    return { numbers: [...new Set(rows.map(({ number }) => number))], worded: rows.some(({ worded }) => worded) };
  }
}
