import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import type { Change } from '../../../platform/resource/change';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import type { Row, Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectReader, InjectStore } from '../../../platform/resource/store.module';
import { changesOf, differing } from '../../../platform/resource/stored-values';
import { QuoteLog } from '../log/quote-log.service';
import { QuoteIntake } from '../quote-intake';
import { reckon } from '../amounts/quote-totals';
import { MAX_ITEMS } from '../quote-values';
import { QuotesService } from '../quotes.service';
import { completed } from './item-rows';
import type { CreateQuoteItem, UpdateQuoteItem } from './quote-item.dto';
import { Quote } from '../quote.entity';
import { QuoteItem } from './quote-item.entity';
import { quoteItemResource } from './quote-item.resource';

const MAX_POSITION = 1_000_000;

/**
 * Items of drafts. Every change locks the quote first and works out all of it anew, as a discount on the quote moves the
 * amounts of every item. Its events are the quote's: `quote.updated`, with the item beside it.
 */
@Injectable()
export class QuoteItemsService {
  constructor(
    @InjectStore(QuoteItem) private readonly items: Store<QuoteItem>,
    @InjectReader(Quote) private readonly records: Reader<Quote>,
    private readonly database: Database,
    private readonly quotes: QuotesService,
    private readonly intake: QuoteIntake,
    private readonly log: QuoteLog,
  ) {}

  async listOf(quoteId: number, params: ListParams): Promise<ListResult> {
    await this.records.require(quoteId);
    return this.items.list(params, { quote_id: quoteId });
  }

  readOf(quoteId: number, id: number): Promise<SingleResult> {
    return this.items.read(id, { quote_id: quoteId });
  }

  async add(quoteId: number, body: CreateQuoteItem): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const quote = await this.quotes.lockDraft(quoteId, 'items');
      const items = await this.intake.items(quoteId);
      if (items.length >= MAX_ITEMS)
        invalid('items', 'max', `A quote has at most ${MAX_ITEMS} items.`, { max: MAX_ITEMS });
      const line = completed(body);
      const amounts = reckon([...items, line], quote);
      const { position = Math.min(MAX_POSITION, (items.at(-1)?.position ?? 0) + 1) } = body;
      const written = await this.items.insert(body, (values) => {
        Object.assign(values, { quote_id: quoteId, position } satisfies Values<QuoteItem>, amounts.items.at(-1));
        return undefined;
      });
      await this.intake.storeAmounts(items, amounts.items);
      const item = { id: written.id, name: line.name };
      await this.log.add(quoteId, [{ type: 'item_added', data: { item } }]);
      await this.quotes.itemsChanged(quote, amounts.totals, { item });
      return this.items.answer(written, 201);
    });
  }

  async change(quoteId: number, id: number, body: UpdateQuoteItem, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const quote = await this.quotes.lockDraft(quoteId, 'items');
      const decide = (before: Row<QuoteItem>, values: Values<QuoteItem>): Promise<Change<QuoteItem>> =>
        this.follow(quote, before, values);
      return this.items.update(id, body, expected, decide, { quote_id: quoteId });
    });
  }

  async removeFrom(quoteId: number, id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const quote = await this.quotes.lockDraft(quoteId, 'items');
      const { name } = await this.items.lock(id, expected, { quote_id: quoteId });
      const shown = await this.items.remove(id, expected, undefined, { quote_id: quoteId });
      const items = await this.intake.items(quoteId);
      const amounts = reckon(items, quote);
      await this.intake.storeAmounts(items, amounts.items);
      await this.log.add(quoteId, [{ type: 'item_removed', data: { item: { id, name } } }]);
      await this.quotes.itemsChanged(quote, amounts.totals, { item: { id, name } });
      return shown;
    });
  }

  private async follow(
    quote: Row<Quote>,
    before: Row<QuoteItem>,
    values: Values<QuoteItem>,
  ): Promise<Change<QuoteItem>> {
    const changes = changesOf(quoteItemResource, before, differing(quoteItemResource, before, values));
    if (Object.keys(changes).length === 0) return { values };
    const items = await this.intake.items(quote.id);
    const after = items.map((item) => (item.id === before.id ? { ...item, ...values } : item));
    const amounts = reckon(after, quote);
    const own = items.findIndex((item) => item.id === before.id);
    const others = <T>(all: readonly T[]): T[] => all.filter((_, index) => index !== own);
    await this.intake.storeAmounts(others(items), others(amounts.items));
    const item = { id: before.id, name: values.name ?? before.name };
    await this.log.add(quote.id, [{ type: 'item_updated', data: { item, changes } }]);
    await this.quotes.itemsChanged(quote, amounts.totals, { item: { ...item, changes } });
    return { values: { ...values, ...amounts.items[own] } };
  }
}
