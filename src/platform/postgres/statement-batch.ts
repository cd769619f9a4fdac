import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Connection, Submittable } from 'pg';

/** One statement of a batch. Named statements are planned once per connection. */
export interface Statement {
  text: string;
  values?: readonly unknown[];
  /** Name to prepare it under, when the caller knows it (`statementName`). */
  name?: string;
  /** Send unnamed, so that PostgreSQL plans it for these very values. */
  unnamed?: boolean;
}

/** The part of pg's connection that this class drives (the types of `pg` leave it out). */
interface Wire {
  stream: { cork(): void; uncork(): void };
  parse(message: { text: string; name: string; types: [] }): void;
  bind(message: { statement: string; values: unknown[]; binary: false; portal: string }): void;
  execute(message: { portal: string; rows: number }): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
}

type Row = (string | null)[];

const prepared = new WeakMap<object, Set<string>>();
const names = new LRUCache<string, string>({ max: 1_000 });

/** Clients choose fields, filters and page sizes, so the number of texts is theirs: those not used lately make room. */
const MAX_PREPARED = 300;

/**
 * Several statements in one network flush and, because they share one Sync, one implicit transaction: this is how
 * `set_config('app.workspace_id', …, true)` and the query it confines travel together without BEGIN and COMMIT
 * (PostgreSQL documentation, "Extended Query: Pipelining"). Rows come back as text, unparsed: the read path asks
 * PostgreSQL for ready JSON. Give it to `client.query()`; await `result`.
 */
export class StatementBatch implements Submittable {
  /** Rows per statement, each row an array of texts. */
  readonly result: Promise<Row[][]>;
  private readonly rows: Row[][] = [[]];
  private readonly introduced: string[] = [];
  private connection!: object;
  private failure: Error | null = null;
  private resolve!: (rows: Row[][]) => void;
  private reject!: (error: Error) => void;

  constructor(private readonly statements: readonly Statement[]) {
    this.result = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  submit(connection: Connection): void {
    const wire = connection as unknown as Wire;
    this.connection = connection;
    let known = prepared.get(connection);
    if (!known) prepared.set(connection, (known = new Set()));
    wire.stream.cork();
    try {
      for (const statement of this.statements) {
        const name = statement.unnamed ? '' : (statement.name ?? statementName(statement.text));
        if (name === '' || !known.has(name)) {
          // A name may be taken when an earlier batch failed after its Parse; closing an unknown name is harmless.
          if (name !== '') wire.close({ type: 'S', name });
          wire.parse({ text: statement.text, name, types: [] });
          if (name !== '') {
            known.add(name);
            this.introduced.push(name);
            makeRoom(known, wire);
          }
        } else {
          // The last in the set is the one used last.
          known.delete(name);
          known.add(name);
        }
        wire.bind({ statement: name, values: (statement.values ?? []).map(toWire), binary: false, portal: '' });
        wire.execute({ portal: '', rows: 0 });
      }
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
  }

  handleDataRow(message: { fields: Row }): void {
    this.rows.at(-1)?.push(message.fields);
  }

  handleCommandComplete(): void {
    this.rows.push([]);
  }

  handleError(error: Error): void {
    const known = prepared.get(this.connection);
    for (const name of this.introduced) known?.delete(name);
    this.failure = error;
    this.reject(error);
  }

  handleReadyForQuery(): void {
    if (this.failure) return;
    this.rows.pop();
    this.resolve(this.rows);
  }

  handleRowDescription(): void {
    // Never asked for: rows are read by position.
  }

  handlePortalSuspended(): void {
    // Cannot happen: every statement is executed without a row limit.
  }

  handleEmptyQuery(): void {
    this.rows.push([]);
  }
}

/** Closes the prepared statement that was used longest ago, of a connection that holds too many. */
function makeRoom(known: Set<string>, wire: Wire): void {
  if (known.size <= MAX_PREPARED) return;
  const [oldest] = known;
  if (oldest === undefined) return;
  known.delete(oldest);
  wire.close({ type: 'S', name: oldest });
}

/** The name that a statement is prepared under: a digest of its text. */
export function statementName(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `s${createHash('sha1').update(text).digest('hex').slice(0, 20)}`;
    names.set(text, name);
  }
  return name;
}

/** PostgreSQL's text form of a value. */
function toWire(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return value;
  if (Array.isArray(value)) return arrayLiteral(value);
  return JSON.stringify(value);
}

function arrayLiteral(values: readonly unknown[]): string {
  const items = values.map((value) => {
    if (value === null || value === undefined) return 'NULL';
    const text = toWire(value);
    if (Array.isArray(value)) return text;
    return `"${String(text).replace(/["\\]/g, '\\$&')}"`;
  });
  return `{${items.join(',')}}`;
}
