import type { Readable } from 'node:stream';
import { ownJson } from '../text/json';
import type { KeptText } from './kept-text';
import type { Table } from './table/table';

/** The page links of a list, as paths with query (`/v1/tickets?page=2`); the envelope makes them absolute. */
export interface PageLinks {
  first: string;
  next: string | null;
  prev: string | null;
  last: string;
}

/** Extra members of `meta`; they must be JSON values. */
export type Meta = Readonly<Record<string, unknown>>;

/**
 * One record as an answer. `json` is the record's ready JSON text, sent as it is; `etag` is the complete header value
 * with its quotes (`"3"`), null when the answer has none; `status` overrides the route's own (200, or 201 for POST).
 */
export class SingleResult {
  constructor(
    readonly json: string,
    readonly etag: string | null,
    readonly status?: number,
    readonly meta?: Meta,
    /** More response headers, e.g. `Location`. */
    readonly headers?: Readonly<Record<string, string>>,
  ) {}
}

/** One page of a list as an answer. `text` is the ready JSON text of the array of records, sent as it is. */
export class ListResult {
  constructor(
    readonly text: string | KeptText,
    /** Records that match the filters, on all pages. */
    readonly total: number,
    readonly limit: number,
    readonly offset: number,
    readonly links: PageLinks,
    readonly meta?: Meta,
    /** How to answer it as a table, where the client prefers one. */
    readonly table?: Table,
  ) {}

  /** The text of the array. */
  get json(): string {
    return String(this.text);
  }

  /** The same list with every record changed, those of a table behind this page, too. */
  withRecords(change: (record: Record<string, unknown>) => object): ListResult {
    const { rest } = this.table ?? {};
    const changed = async function* (): AsyncGenerator<object[]> {
      for await (const some of rest?.() ?? []) yield some.map((record) => change({ ...record }));
    };
    const json = JSON.stringify(ownJson<Record<string, unknown>[]>(this.json).map(change));
    const table = this.table && { ...this.table, rest: rest ? changed : null };
    return new ListResult(json, this.total, this.limit, this.offset, this.links, this.meta, table);
  }
}

/** An object as an answer, of which clients may have the rows as a table. */
export class TabularResult {
  constructor(
    readonly value: object,
    readonly rows: readonly object[],
    /** Where the client prefers one. */
    readonly table: Table | null,
  ) {}
}

/** An answer outside the envelope: `value` is the whole body. For `/health` and `/ready`. */
export class UnwrappedResult {
  constructor(readonly value: object) {}
}

/** A document as an answer, outside the envelope: a PDF, a calendar, a page. Sent as UTF-8 where it is text. */
export class FileResult {
  constructor(
    /** Media type with its parameters, e.g. `text/html; charset=utf-8`. */
    readonly type: string,
    readonly content: Buffer | string,
    /** Name to save it under; makes browsers offer to save, unless `inline`. ASCII. */
    readonly filename: string | null = null,
    readonly options: {
      inline?: boolean;
      etag?: string;
      status?: number;
      headers?: Readonly<Record<string, string>>;
    } = {},
  ) {}
}

/** What is sent as it comes, outside the envelope and as it is: never compressed. `body` is null where headers say it all. */
export class StreamResult {
  constructor(
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    readonly body: Readable | null,
  ) {}
}
