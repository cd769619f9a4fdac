import { type RawRow, type Statement, StatementBatch } from './statement-batch';

interface Reader {
  /** Of the record, as PostgreSQL tells it. */
  id: string;
  resolve: (rows: RawRow[]) => void;
  reject: (error: unknown) => void;
  explain: (error: unknown) => Error;
}

/**
 * Reads of one record each, by the same statement and in the same workspace, that are asked as one: PostgreSQL takes a message, and the
 * process an answer, for all of them (`Statement.several`). Each gets the rows of its own record; where the one fails, all fail.
 */
export class GatheredReads {
  private readonly readers: Reader[] = [];

  /** @param first one of them; it is asked itself where it stays alone */
  constructor(
    readonly workspaceId: number,
    private readonly first: Statement,
  ) {}

  get size(): number {
    return this.readers.length;
  }

  /** Whether a read is one of these. */
  has(workspaceId: number, { text }: Statement): boolean {
    return this.workspaceId === workspaceId && this.first.text === text;
  }

  /**
   * The rows of one of them, once `batch` is answered.
   *
   * @param explain what is thrown where it fails
   */
  add({ values }: Statement, explain: (error: unknown) => Error): Promise<RawRow[]> {
    return new Promise((resolve, reject) => this.readers.push({ id: String(values?.[1]), resolve, reject, explain }));
  }

  /** All of them, to be sent. */
  batch(): StatementBatch {
    const ids = [...new Set(this.readers.map(({ id }) => id))];
    const several = ids.length > 1 ? this.first.several?.(ids) : undefined;
    const batch = new StatementBatch([several ?? this.first]);
    batch.result.then(
      ([rows = []]) => {
        for (const { id, resolve } of this.readers) resolve(several ? rows.filter((row) => row.at(-1) === id) : rows);
      },
      (error: unknown) => {
        for (const { reject, explain } of this.readers) reject(explain(error));
      },
    );
    return batch;
  }
}
