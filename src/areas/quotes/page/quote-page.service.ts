import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import { callingAs } from '../../../platform/context/current';
import type { Principal } from '../../../platform/context/principal';
import { Database } from '../../../platform/database/database';
import { fail } from '../../../platform/errors/api-error';
import type { FileResult } from '../../../platform/http/results';
import { PageLimits } from '../../../platform/limits/page-limits';
import { type LinkTarget, PublicLinks } from '../../../platform/secrets/public-links';
import { formatsOf } from '../document/formats';
import { type LoadedQuote, QuoteDocuments } from '../document/quote-documents.service';
import { QuoteTransitions, type StatusChange } from '../quote-transitions.service';
import { awaitsAnswer, MOMENT_OF } from '../quote-status';
import { QUOTE_PAGE, quoteView } from './quote-view';

/** A sent quote is drawn once and kept; more than that is somebody who wants to keep us busy. */
const DRAWINGS_PER_MINUTE = 6;

/** The page of a quote, for whoever has its link. A quote that was never sent has no page. */
@Injectable()
export class QuotePageService {
  constructor(
    private readonly links: PublicLinks,
    private readonly database: Database,
    private readonly documents: QuoteDocuments,
    private readonly transitions: QuoteTransitions,
    private readonly limits: PageLimits,
  ) {}

  /** Shows the quote, which makes it `viewed` the first time that somebody sees it. */
  async show(target: LinkTarget, isSeen: boolean): Promise<FileResult> {
    let quote = await this.load(target);
    if (isSeen && quote.status === 'sent') {
      await this.asCustomer(target, quote, null, () => this.transitions.view(target.id));
      quote = await this.load(target);
    }
    return this.page(target, quote);
  }

  /** Takes the customer's answer and shows what became of the quote; what is decided already stays as it is. */
  async answer(target: LinkTarget, asked: StatusChange): Promise<FileResult> {
    const quote = await this.load(target);
    const name = asked.accepted_by?.name ?? null;
    await this.asCustomer(target, quote, name, () => this.transitions.answer(target.id, asked));
    return this.page(target, await this.load(target));
  }

  async pdf(target: LinkTarget): Promise<FileResult> {
    const quote = await this.load(target);
    const beforeDrawing = () => this.limits.admit(`drawing:${target.workspaceId}-${target.id}`, DRAWINGS_PER_MINUTE);
    return this.asCustomer(target, quote, null, () => this.documents.file(quote, { inline: true, beforeDrawing }));
  }

  private async load({ workspaceId, id }: LinkTarget): Promise<LoadedQuote> {
    const quote = await this.database.inWorkspace(workspaceId, customer(null, null), () => this.documents.find(id));
    if (!quote || quote.row.sent_at === null) fail('not_found', 'There is no such quote any more.');
    return quote;
  }

  private asCustomer<T>(
    { workspaceId }: LinkTarget,
    { row }: LoadedQuote,
    name: string | null,
    work: () => Promise<T>,
  ): Promise<T> {
    const known = name ?? row.recipient_email;
    return this.database.inWorkspace(workspaceId, customer(row.contact_id, known), work);
  }

  private page({ workspaceId, id }: LinkTarget, quote: LoadedQuote): FileResult {
    const path = new URL(this.links.url(QUOTE_PAGE, { workspaceId, id })).pathname;
    return quoteView({ document: quote.document, status: quote.status, day: dayOf(quote), path, brand: quote.brand });
  }
}

/** Whoever has the link, as the quote knows them. */
function customer(id: number | null, name: string | null): Principal {
  return callingAs({ type: 'requester', id, name: name ?? 'customer' });
}

/** The day on which the quote got its status. Of an expired one it is the last day on which it was good. */
function dayOf({ row, status, document, timezone }: LoadedQuote): string | null {
  if (status === 'draft' || awaitsAnswer(status)) return null;
  const moment = DateTime.fromISO(row[MOMENT_OF[status]] ?? '', { zone: timezone }).toISODate() ?? '';
  const day = status === 'expired' ? row.valid_until : moment;
  return formatsOf(document.locale, row.currency).day(day);
}
