import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { fail } from '../../../platform/http/errors';
import { FileResult } from '../../../platform/http/results';
import type { Row } from '../../../platform/resource/resource.service';
import { QuoteIntake } from '../quote-intake';
import { shownStatus } from '../quote-status';
import type { QuoteStatus } from '../quote-values';
import { type QuoteDocument, quoteDocument, type QuoteSource } from './quote-document';
import type { Parties } from './parties';
import { quotePdf } from './quote-pdf';

/** Documents kept ready: the one that a customer looks at is asked for again and again. */
const KEPT = 32;

/** A quote with its document. */
export interface LoadedQuote {
  row: Row;
  /** As it is at this moment. */
  status: QuoteStatus;
  document: QuoteDocument;
  /** IANA zone of its days. */
  timezone: string;
  /** Changes with whatever the document shows. */
  etag: string;
}

/** Documents of quotes. A draft shows its parties as they are now, what was sent as they were then. */
@Injectable()
export class QuoteDocuments {
  private readonly ready = new Map<string, Promise<Buffer>>();

  constructor(
    private readonly database: Database,
    private readonly intake: QuoteIntake,
  ) {}

  /** The quote of the current workspace; null when there is none. */
  async find(id: number): Promise<LoadedQuote | null> {
    const loaded = await this.database.transaction(async () => {
      const [found] = await this.database.query<{ row: Row; now: Date }>(
        `SELECT row_to_json(q) AS row, clock_timestamp() AS now FROM quotes q WHERE workspace_id = $1 AND id = $2`,
        [currentWorkspaceId(), id],
      );
      if (!found) return null;
      const parties = (found.row.parties as Parties | null) ?? (await this.intake.parties(found.row));
      return { ...found, parties, items: await this.intake.items(id) };
    });
    if (loaded === null) return null;
    const { row, now, parties, items } = loaded;
    const document = quoteDocument(row as unknown as QuoteSource, items, parties);
    const digest = createHash('sha1').update(JSON.stringify(document)).digest('base64url').slice(0, 10);
    return {
      row,
      status: shownStatus(row, now),
      document,
      timezone: parties.timezone,
      etag: `"${row.version}-${digest}"`,
    };
  }

  /** The PDF of a quote; 404 when there is none. Call it outside a unit of work: drawing takes time. */
  async pdf(id: number): Promise<FileResult> {
    return this.file((await this.find(id)) ?? fail('not_found', `No quote ${id}.`));
  }

  /** The PDF of a loaded quote. */
  async file({ row, document, etag }: LoadedQuote, inline = false): Promise<FileResult> {
    const content = await this.drawn(`${currentWorkspaceId()} ${row.id} ${etag}`, document);
    return new FileResult('application/pdf', content, `${document.number}.pdf`, { inline, etag });
  }

  /** Whoever asks for the same document at the same time waits for the same drawing. */
  private drawn(key: string, document: QuoteDocument): Promise<Buffer> {
    const known = this.ready.get(key);
    if (known) return known;
    const drawing = quotePdf(document);
    this.ready.set(key, drawing);
    drawing.catch(() => this.ready.delete(key));
    for (const oldest of [...this.ready.keys()].slice(0, -KEPT)) this.ready.delete(oldest);
    return drawing;
  }
}
