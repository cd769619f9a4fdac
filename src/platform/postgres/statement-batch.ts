import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Connection, Submittable } from 'pg';
import { rowTypes, type TypeId } from './row-types';

/** One statement of a batch. Named statements are planned once per connection. */
export interface Statement {
  text: string;
  values?: readonly unknown[];
  /** Name to prepare it under, when the caller knows it (`statementName`). */
  name?: string;
  /** Send unnamed, so that PostgreSQL plans it for these very values. */
  unnamed?: boolean;
  /** Its names mean other functions than elsewhere (a clock that is ahead): it is prepared apart from the same text elsewhere. */
  apart?: boolean;
  /** Planned once for all values, even where PostgreSQL hopes for better plans of some: its order is laid down, and planning it takes as long as it does. */
  settled?: boolean;
  /** A read of a few rows by index: it may share a connection with others (`ReadLanes`). */
  quick?: boolean;
  /**
   * Of a quick read of one record, whose values are the workspace and an id: the same read of several records at once, with the id in one
   * more column, the last.
   */
  several?: (ids: readonly string[]) => Statement;
}

/** A statement whose rows have this shape: columns by name, values as `Database.query` answers them. */
export interface Query<Row extends object = object> extends Statement {
  /** Type alone. */
  readonly row?: Row;
}

/** A statement that answers such rows. */
export function sql<Row extends object>(text: string, values: readonly unknown[] = []): Query<Row> {
  return { text, values };
}

/** The statement, prepared apart from what the connection has prepared of the same text. */
export function apart(statement: Statement): Statement {
  return { ...statement, apart: true };
}

/** Statements by name. */
export type Queries = Readonly<Record<string, Query>>;

/** The rows of each of them. */
export type Answers<Q extends Queries> = { [Name in keyof Q]: Q[Name] extends Query<infer Row> ? Row[] : never };

/** The part of pg's connection that this class drives (the types of `pg` leave it out). */
export interface Wire {
  stream: { cork(): void; uncork(): void };
  parse(message: { text: string; name: string; types: [] }): void;
  describe(message: { type: 'S'; name: string }): void;
  bind(message: { statement: string; values: unknown[]; binary: false; portal: string }): void;
  execute(message: { portal: string; rows: number }): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
}

/** A row as PostgreSQL sends it. */
export type RawRow = (string | null)[];

/** What a statement answers: names, and how their texts are read. */
type Columns = readonly { name: string; read: (text: string) => unknown }[];

/** Statements that a connection has prepared, with their columns once they were asked for (none before). */
type Prepared = LRUCache<string, { columns: Columns | null }>;

const prepared = new WeakMap<object, Prepared>();
const names = new LRUCache<string, string>({ max: 1_000 });

/** Clients choose fields, filters and page sizes, so the number of texts is theirs: those not used lately make room. */
const MAX_PREPARED = 300;

/**
 * Several statements in one network flush and, because they share one Sync, one implicit transaction: this is how
 * `set_config('app.workspace_id', …, true)` and the query it confines travel together without BEGIN and COMMIT
 * (PostgreSQL documentation, "Extended Query: Pipelining"). Rows come back as texts, by position: the read path asks
 * PostgreSQL for ready JSON; `named` makes objects of them. What a prepared statement answers is asked once per connection,
 * so names and types cost nothing on the wire. Give it to `client.query()`; await `result`.
 */
export class StatementBatch implements Submittable {
  /** Rows per statement, each row an array of texts. */
  readonly result: Promise<RawRow[][]>;
  private readonly rows: RawRow[][] = [[]];
  private readonly introduced: string[] = [];
  private readonly columns: (Columns | undefined)[] = [];
  private connection: object | null = null;
  private failure: Error | null = null;
  private resolve!: (rows: RawRow[][]) => void;
  private reject!: (error: Error) => void;

  /** @param described index of the first statement whose rows are wanted as objects, and of the first one behind them */
  constructor(
    private readonly statements: readonly Statement[],
    private readonly described: readonly [from: number, to: number] = [0, 0],
  ) {
    this.result = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** Of a batch that failed: how many statements stand before the one at fault. */
  get done(): number {
    return this.rows.length - 1;
  }

  submit(connection: Connection): void {
    const wire = connection as unknown as Wire;
    this.connection = connection;
    let known = prepared.get(connection);
    // One more than there may be: what makes room must be closed, too.
    if (!known) prepared.set(connection, (known = new LRUCache({ max: MAX_PREPARED + 1 })));
    wire.stream.cork();
    try {
      for (const [index, statement] of this.statements.entries()) {
        const name = nameOf(statement);
        const familiar = name === '' ? undefined : known.get(name);
        if (!familiar) {
          // A name may be taken when an earlier batch failed after its Parse; closing an unknown name is harmless.
          if (name !== '') wire.close({ type: 'S', name });
          wire.parse({ text: statement.text, name, types: [] });
          if (name !== '') {
            known.set(name, { columns: null });
            this.introduced.push(name);
            makeRoom(known, wire);
          }
        }
        if (this.isDescribed(index)) {
          if (familiar?.columns) this.columns[index] = familiar.columns;
          else wire.describe({ type: 'S', name });
        }
        wire.bind({ statement: name, values: (statement.values ?? []).map(toWire), binary: false, portal: '' });
        wire.execute({ portal: '', rows: 0 });
      }
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
  }

  handleDataRow(message: { fields: RawRow }): void {
    this.rows.at(-1)?.push(message.fields);
  }

  handleCommandComplete(): void {
    this.rows.push([]);
  }

  handleError(error: Error): void {
    const known = this.connection && prepared.get(this.connection);
    for (const name of this.introduced) known?.delete(name);
    this.failure = error;
    this.reject(error);
  }

  handleReadyForQuery(): void {
    if (this.failure) return;
    this.rows.pop();
    this.resolve(this.rows);
  }

  /** Comes for a statement that was described, before its rows; one that answers none has no such message. */
  handleRowDescription(message: { fields: readonly { name: string; dataTypeID: TypeId }[] }): void {
    const index = this.rows.length - 1;
    const columns = message.fields.map(({ name, dataTypeID }) => ({ name, read: rowTypes.getTypeParser(dataTypeID) }));
    this.columns[index] = columns;
    const name = nameOf(this.statements[index]);
    const known = this.connection && prepared.get(this.connection);
    if (known?.has(name)) known.set(name, { columns });
  }

  /** Rows of a described statement as objects, typed as `rowTypes` reads them. */
  named(index: number, rows: readonly RawRow[]): object[] {
    const columns = this.columns[index] ?? [];
    return rows.map((row) => {
      const object: Record<string, unknown> = {};
      for (let place = 0; place < columns.length; place++) {
        const column = columns[place];
        const text = row[place];
        if (column) object[column.name] = typeof text === 'string' ? column.read(text) : null;
      }
      return object;
    });
  }

  private isDescribed(index: number): boolean {
    return index >= this.described[0] && index < this.described[1];
  }

  handlePortalSuspended(): void {
    // Cannot happen: every statement is executed without a row limit.
  }

  handleEmptyQuery(): void {
    this.rows.push([]);
  }
}

/** Closes the prepared statement that was used longest ago, of a connection that holds too many. */
function makeRoom(known: Prepared, wire: Wire): void {
  if (known.size <= MAX_PREPARED) return;
  const [oldest] = known.rkeys();
  if (oldest === undefined) return;
  known.delete(oldest);
  wire.close({ type: 'S', name: oldest });
}

/** The name that a statement is prepared under; none when it is not. */
function nameOf(statement: Statement | undefined): string {
  if (!statement || statement.unnamed) return '';
  const name = statement.name ?? statementName(statement.text);
  return statement.apart ? `a${name}` : name;
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
