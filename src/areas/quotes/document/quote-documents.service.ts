import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Brand } from '../../../platform/brand/brand';
import { Brands } from '../../../platform/brand/brands';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { fail } from '../../../platform/errors/api-error';
import { FileResult } from '../../../platform/http/results';
import type { Row } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { threadTask } from '../../../platform/workers/thread-task';
import { Workers } from '../../../platform/workers/workers.service';
import { QuoteIntake } from '../quote-intake';
import { shownStatus } from '../quote-status';
import type { QuoteStatus } from '../quote-values';
import { type QuoteDocument, quoteDocument } from './quote-document';
import { Quote } from '../quote.entity';
import type { quotePdf } from './quote-pdf';

/** Documents kept ready: the one that a customer looks at is asked for again and again. */
const KEPT = { max: 64, maxSize: 33_554_432 };

const drawing = threadTask<typeof quotePdf>('documents', join(__dirname, 'quote-pdf'), 'quotePdf');

/** A quote with its document. */
export interface LoadedQuote {
  row: Row<Quote>;
  /** As it is at this moment. */
  status: QuoteStatus;
  document: QuoteDocument;
  /** Of the workspace, as it is now. */
  brand: Brand;
  /** IANA zone of its days. */
  timezone: string;
  /** Changes with the quote and with whatever the document shows. */
  etag: string;
  /** Changes with what the document shows alone: that the customer looked at the quote changes the quote. */
  digest: string;
}

/** Documents of quotes. A draft shows its parties as they are now, what was sent as they were then. */
@Injectable()
export class QuoteDocuments {
  private readonly ready = new LRUCache<string, Buffer>({ ...KEPT, sizeCalculation: ({ length }) => length || 1 });
  /** Being drawn, by quote: one drawing at a time of each, whoever asks for it. */
  private readonly underway = new Map<string, { digest: string; drawing: Promise<Buffer> }>();

  constructor(
    @InjectStore(Quote) private readonly quotes: Store<Quote>,
    private readonly database: Database,
    private readonly intake: QuoteIntake,
    private readonly workers: Workers,
    private readonly brands: Brands,
  ) {}

  /** The quote of the current workspace; null when there is none. */
  async find(id: number): Promise<LoadedQuote | null> {
    const loaded = await this.database.transaction(async () => {
      const row = await this.quotes.find(id);
      if (!row) return null;
      const parties = row.parties ? await this.intake.shownParties(row.parties) : await this.intake.parties(row);
      const items = await this.intake.items(id);
      return { row, parties, items, brand: await this.brands.current(), now: await this.database.moment() };
    });
    if (loaded === null) return null;
    const { row, now, parties, items, brand } = loaded;
    const document = quoteDocument(row, items, parties, brand);
    const digest = createHash('sha1').update(JSON.stringify(document)).digest('base64url').slice(0, 10);
    return {
      row,
      status: shownStatus(row, now),
      document,
      brand,
      timezone: parties.timezone,
      etag: `"${row.version}-${digest}"`,
      digest,
    };
  }

  /** The PDF of a quote; 404 when there is none. Call it outside a unit of work: drawing takes time. */
  async pdf(id: number): Promise<FileResult> {
    return this.file((await this.find(id)) ?? fail('not_found', `No quote ${id}.`));
  }

  /**
   * The PDF of a loaded quote.
   *
   * @param beforeDrawing may refuse by throwing; not called where the document is ready or being drawn
   */
  async file(
    quote: LoadedQuote,
    { inline = false, beforeDrawing }: { inline?: boolean; beforeDrawing?: () => Promise<void> } = {},
  ): Promise<FileResult> {
    const { document, etag } = quote;
    const content = await this.drawn(quote, beforeDrawing);
    return new FileResult('application/pdf', content, `${document.number}.pdf`, { inline, etag });
  }

  /** Whoever asks for the same document at the same time waits for the same drawing; another state of it comes after. */
  private async drawn(quote: LoadedQuote, beforeDrawing?: () => Promise<void>): Promise<Buffer> {
    const { row, digest } = quote;
    const key = `${currentWorkspaceId()} ${row.id}`;
    const ready = this.ready.get(`${key} ${digest}`) ?? this.shared(key, digest);
    if (ready) return ready;
    for (let other = this.underway.get(key); other; other = this.underway.get(key)) {
      if (other.digest === digest) return other.drawing;
      await other.drawing.catch(() => undefined);
    }
    // Asked within what is shared: whoever waits for this drawing does not count as another one.
    const drawing = this.draw(quote.document, beforeDrawing);
    this.underway.set(key, { digest, drawing });
    try {
      const content = await drawing;
      this.ready.set(`${key} ${digest}`, content);
      return content;
    } finally {
      this.underway.delete(key);
    }
  }

  private shared(key: string, digest: string): Promise<Buffer> | undefined {
    const other = this.underway.get(key);
    return other?.digest === digest ? other.drawing : undefined;
  }

  private async draw(document: QuoteDocument, beforeDrawing?: () => Promise<void>): Promise<Buffer> {
    await beforeDrawing?.();
    const { buffer, byteOffset, byteLength } = await this.workers.run(drawing, document);
    return Buffer.from(buffer, byteOffset, byteLength);
  }
}
