import { Injectable } from '@nestjs/common';
import { current } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { Related } from '../../platform/events/event-rows';
import { invalid } from '../../platform/errors/api-error';
import { asTheyAre } from '../../platform/fields/settle-fields';
import type { SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { Change, Creation } from '../../platform/resource/change';
import type { Row, Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { changesOf, differing } from '../../platform/resource/stored-values';
import { Attaching } from '../attachments/holders/attaching';
import { completed, itemsAlongside, requireWhole } from './items/item-rows';
import type { NewQuoteItem } from './items/quote-item.dto';
import { notedAlongside, QuoteLog } from './log/quote-log.service';
import { type Opening, QuoteIntake } from './quote-intake';
import { quoteNumber } from './quote-number';
import { awaitsAnswer, QUOTE_TRANSITIONS, requireDraft, REVISABLE, shownStatus } from './quote-status';
import { daysBetween, daysLater, requireTerms } from './amounts/quote-terms';
import { type Pricing, type QuoteTotals, reckon } from './amounts/quote-totals';
import type { QuoteStatus } from './quote-values';
import type { CreateQuote, UpdateQuote } from './quote.dto';
import { Quote } from './quote.entity';
import { quoteResource } from './quote.resource';

/** What may change when the customer has the quote: nothing that the document shows. */
const INTERNAL: ReadonlySet<string> = new Set<keyof Quote>([
  'owner_id',
  'deal_id',
  'ticket_id',
  'external_id',
  'custom_fields',
]);

/** Quotes: numbers, terms, totals; drafts may change, what was sent may not. */
@Injectable()
export class QuotesService {
  constructor(
    @InjectStore(Quote) private readonly quotes: Store<Quote>,
    private readonly database: Database,
    private readonly intake: QuoteIntake,
    private readonly log: QuoteLog,
    private readonly attaching: Attaching,
  ) {}

  async create(body: CreateQuote): Promise<SingleResult> {
    return (await this.createKnown(body)).result;
  }

  /** The same, with the id, which the answer need not show. */
  createKnown(body: CreateQuote): Promise<{ id: number; result: SingleResult }> {
    return this.quotes.createKnown(body, async (values) => {
      if (body.owner_id === undefined) values.owner_id = current().principal?.userId ?? null;
      const creation = this.complete(values, body.items ?? [], await this.intake.opening());
      return this.attaching.toNew('quote_id', body, creation);
    });
  }

  update(id: number, body: UpdateQuote, expected: ExpectedVersions): Promise<SingleResult> {
    return this.quotes.update(id, body, expected, async (before, values) => {
      if (body.attachment_ids?.length) requireDraft(before, 'attachment_ids');
      return this.attaching.toChanged('quote_id', body, await this.follow(before, values), 'quote.updated');
    });
  }

  /** What a customer has seen stays. */
  remove(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.quotes.remove(id, expected, (quote) => {
      requireDraft(quote, 'status');
      return Promise.resolve();
    });
  }

  /** The quote, locked; 422 `immutable` unless it is a draft. */
  async lockDraft(id: number, field: string): Promise<Row<Quote>> {
    const quote = await this.quotes.lock(id);
    requireDraft(quote, field);
    return quote;
  }

  /** Stores new totals of a locked quote whose items changed, and says so. */
  async itemsChanged(quote: Row<Quote>, totals: QuoteTotals, related: Related): Promise<void> {
    await this.quotes.apply(quote, {
      values: { ...totals },
      events: [{ type: 'quote.updated', related }],
      always: true,
    });
  }

  /**
   * Replaces a quote by a draft with the same items, valid for as many days from today. An open quote ends with it. Of two
   * at once one wins: the first one holds the quote.
   */
  async revise(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const old = await this.quotes.lock(id, expected);
      const { now, today } = await this.intake.today(old.valid_until);
      requireRevisable(shownStatus(old, now));
      const known = await this.intake.revisionOf(id);
      if (known) invalid('id', 'already_revised', `${old.number} was revised already: ${known.number}.`, known);
      const items = await this.intake.items(id);
      const opening = await this.intake.opening();
      const copy: Values<Quote> = {
        ...copied(old),
        issue_date: today,
        valid_until: daysLater(today, daysBetween(old.issue_date, old.valid_until)),
        revision: old.revision + 1,
        revision_of_id: id,
      };
      const written = await this.quotes.insert(copy, (values) => this.complete(values, items, opening));
      await this.retire(old, now, { id: written.id, number: quoteNumber(opening.serial) });
      return this.quotes.answer(written, 201);
    });
  }

  /** What becomes of a quote when another one replaces it. */
  private async retire(old: Row<Quote>, now: string, revision: { id: number; number: string }): Promise<void> {
    const ends = awaitsAnswer(old.status);
    const end: Values<Quote> & { status: 'expired' | 'cancelled' } =
      shownStatus(old, now) === 'expired'
        ? { status: 'expired', expired_at: old.expires_at }
        : { status: 'cancelled', cancelled_at: now };
    await this.log.add(old.id, [
      ...(ends ? [{ type: end.status, from_status: old.status, to_status: end.status }] : []),
      { type: 'revised', data: { revision } },
    ]);
    const events = [...(ends ? ['quote.updated', `quote.${end.status}`] : []), 'quote.revised'];
    await this.quotes.apply(old, {
      values: ends ? end : {},
      events: events.map((type) => ({ type, related: { revision } })),
      always: true,
    });
  }

  private complete(values: Values<Quote>, asked: readonly NewQuoteItem[], { serial, today }: Opening): Creation {
    const { currency = '', discount = null, tax_mode = 'exclusive', issue_date = today } = values;
    const { valid_until = daysLater(issue_date) } = values;
    const number = quoteNumber(serial);
    Object.assign(values, { serial, number, issue_date, valid_until } satisfies Values<Quote>);
    requireTerms({ currency, discount, issue_date, valid_until });
    requireWhole(asked);
    const items = asked.map(completed);
    const { items: amounts, totals } = reckon(items, { currency, discount, tax_mode });
    Object.assign(values, totals);
    const noted = notedAlongside([{ type: 'created', to_status: 'draft', data: { number, items: items.length } }]);
    if (items.length === 0) return { rows: noted };
    const written = itemsAlongside(items, amounts);
    return { rows: (bind) => `${written(bind)}, ${noted(bind)}` };
  }

  private async follow(before: Row<Quote>, values: Values<Quote>): Promise<Change<Quote>> {
    const differs = differing(quoteResource, before, values);
    const changes = changesOf(quoteResource, before, differs);
    const changed = Object.keys(changes);
    if (changed.length === 0) return { values };
    const locked = changed.find((name) => !INTERNAL.has(name));
    if (locked !== undefined) requireDraft(before, locked);
    const after = { ...before, ...values };
    requireTerms(after);
    const { currency, discount, tax_mode } = differs;
    const reprices = currency !== undefined || discount !== undefined || tax_mode !== undefined;
    const totals = reprices ? await this.repriced(before.id, after) : {};
    await this.log.add(before.id, [{ type: 'updated', data: { changes } }]);
    return { values: { ...values, ...totals } };
  }

  /** Works the items out anew under other terms, and answers the totals. */
  private async repriced(id: number, pricing: Pricing): Promise<QuoteTotals> {
    const items = await this.intake.items(id);
    const { items: amounts, totals } = reckon(items, pricing);
    await this.intake.storeAmounts(items, amounts);
    return totals;
  }
}

/** What a revision takes over from the quote that it replaces. */
function copied(old: Row<Quote>): Values<Quote> {
  const { title, company_id, contact_id, deal_id, ticket_id, owner_id, recipient_email, custom_fields } = old;
  const { currency, tax_mode, discount, terms, notes, header, footer } = old;
  const parties = { company_id, contact_id, deal_id, ticket_id, owner_id, recipient_email };
  return {
    title,
    ...parties,
    custom_fields: asTheyAre(custom_fields),
    currency,
    tax_mode,
    discount,
    terms,
    notes,
    header,
    footer,
  };
}

function requireRevisable(status: QuoteStatus): void {
  if (REVISABLE.includes(status)) return;
  const message = `A quote that is ${status} cannot be revised; only one that is ${REVISABLE.join(', ')}.`;
  invalid('status', 'invalid_transition', message, { from: status, to: 'draft', allowed: QUOTE_TRANSITIONS[status] });
}
