import { Injectable } from '@nestjs/common';
import { current, currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { ListResult } from '../../../platform/http/results';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import { InjectReader } from '../../../platform/resource/store.module';
import type { Alongside } from '../../../platform/resource/write-plan';
import type { QuoteStatus } from '../quote-values';
import { Quote } from '../quote.entity';
import type { QuoteEventType } from './quote-event.entity';
import { QuoteEvent } from './quote-event.entity';

/** What is to be noted about a quote. */
export interface QuoteNote {
  type: QuoteEventType;
  from_status?: QuoteStatus | null;
  to_status?: QuoteStatus | null;
  data?: Record<string, unknown>;
}

/** What happened to quotes. Entries are only ever added. */
@Injectable()
export class QuoteLog {
  constructor(
    @InjectReader(QuoteEvent) private readonly records: Reader<QuoteEvent>,
    @InjectReader(Quote) private readonly quotes: Reader<Quote>,
    private readonly database: Database,
  ) {}

  /** The entries of one quote; 404 when there is none. */
  async of(quoteId: number, params: ListParams): Promise<ListResult> {
    await this.quotes.require(quoteId);
    return this.records.list(params, { quote_id: quoteId });
  }

  /** Adds entries inside the current unit of work, in order. */
  async add(quoteId: number, notes: readonly QuoteNote[]): Promise<void> {
    await this.database.query(
      `INSERT INTO quote_events (workspace_id, quote_id, type, from_status, to_status, actor, data)
       SELECT $1, $2, v.type, v.from_status, v.to_status, v.actor, v.data FROM ${ROWS('$3')} ORDER BY v.n`,
      [currentWorkspaceId(), quoteId, rowsOf(notes)],
    );
  }
}

/** The same for a quote that the statement at hand creates. */
export function notedAlongside(notes: readonly QuoteNote[]): Alongside {
  return (bind) =>
    `noted AS (INSERT INTO quote_events (workspace_id, quote_id, type, from_status, to_status, actor, data)
       SELECT $1, t.id, v.type, v.from_status, v.to_status, v.actor, v.data FROM t, ${ROWS(bind(rowsOf(notes)))} ORDER BY v.n)`;
}

const ROWS = (rows: string): string =>
  `jsonb_to_recordset(${rows}::jsonb) AS v(n integer, type text, from_status text, to_status text, actor jsonb, data jsonb)`;

function rowsOf(notes: readonly QuoteNote[]): string {
  const { type, id, name } = current().actor;
  const actor = { type: type === 'requester' ? 'customer' : type, id, name };
  return JSON.stringify(notes.map((note, n) => ({ data: {}, ...note, actor, n })));
}
