import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { fail, invalid } from '../../../platform/http/errors';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { sameValue } from '../../../platform/resource/column-spec';
import { ResourceKernel } from '../../../platform/resource/resource-kernel';
import { type Change, type ListParams, ResourceService, type Row } from '../../../platform/resource/resource.service';
import type { Values } from '../../../platform/resource/resource.service';
import { QuoteLog } from '../log/quote-log.service';
import { QuoteIntake } from '../quote-intake';
import { type Pricing, reckon } from '../amounts/quote-totals';
import { MAX_ITEMS } from '../quote-values';
import { QuotesService } from '../quotes.service';
import { completed } from './item-rows';
import type { CreateQuoteItem, UpdateQuoteItem } from './quote-item.dto';
import { quoteItemResource } from './quote-item.resource';

const MAX_POSITION = 1_000_000;

/**
 * Items of drafts. Every change locks the quote first and works out all of it anew, as a discount on the quote moves the
 * amounts of every item. Its events are the quote's: `quote.updated`, with the item beside it.
 */
@Injectable()
export class QuoteItemsService extends ResourceService {
  constructor(
    kernel: ResourceKernel,
    private readonly quotes: QuotesService,
    private readonly intake: QuoteIntake,
    private readonly log: QuoteLog,
  ) {
    super(quoteItemResource, kernel);
  }

  async listOf(quoteId: number, params: ListParams): Promise<ListResult> {
    const rows = await this.database.read({
      text: 'SELECT id FROM quotes WHERE workspace_id = $1 AND id = $2',
      values: [currentWorkspaceId(), quoteId],
    });
    if (rows.length === 0) fail('not_found', `No quote ${quoteId}.`);
    return this.list(params, { quote_id: quoteId });
  }

  readOf(quoteId: number, id: number): Promise<SingleResult> {
    return this.read(id, { quote_id: quoteId });
  }

  async add(quoteId: number, body: CreateQuoteItem): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const quote = await this.quotes.lockDraft(quoteId, 'items');
      const items = await this.intake.items(quoteId);
      if (items.length >= MAX_ITEMS)
        invalid('items', 'max', `A quote has at most ${MAX_ITEMS} items.`, { max: MAX_ITEMS });
      const line = completed(body);
      const amounts = reckon([...items, line], pricingOf(quote));
      const { position = Math.min(MAX_POSITION, (items.at(-1)?.position ?? 0) + 1) } = body as Partial<CreateQuoteItem>;
      const written = await this.insert(Object.assign(body, { quote_id: quoteId, position }, amounts.items.at(-1)));
      await this.intake.storeAmounts(items, amounts.items);
      const item = { id: written.id, name: line.name };
      await this.log.add(quoteId, [{ type: 'item_added', data: { item } }]);
      await this.quotes.itemsChanged(quote, amounts.totals, { item });
      return this.answer(written, 201);
    });
  }

  async change(quoteId: number, id: number, body: UpdateQuoteItem, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      await this.quotes.lockDraft(quoteId, 'items');
      return this.update(id, body, expected, { quote_id: quoteId });
    });
  }

  async removeFrom(quoteId: number, id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const quote = await this.quotes.lockDraft(quoteId, 'items');
      const { name } = await this.lock(id, expected, { quote_id: quoteId });
      const shown = await this.remove(id, expected, {}, { quote_id: quoteId });
      const items = await this.intake.items(quoteId);
      const amounts = reckon(items, pricingOf(quote));
      await this.intake.storeAmounts(items, amounts.items);
      await this.log.add(quoteId, [{ type: 'item_removed', data: { item: { id, name } } }]);
      await this.quotes.itemsChanged(quote, amounts.totals, { item: { id, name } });
      return shown;
    });
  }

  protected override async prepareUpdate(before: Row, values: Values): Promise<Change> {
    const changed = Object.keys(values).filter((name) => {
      const column = this.resource.column.get(name);
      return column !== undefined && !sameValue(column, before[name], values[name]);
    });
    if (changed.length === 0) return { values };
    const quote = await this.quotes.lockDraft(before.quote_id as number, 'items');
    const items = await this.intake.items(quote.id);
    const after = items.map((item) => (item.id === before.id ? { ...item, ...values } : item));
    const amounts = reckon(after, pricingOf(quote));
    const own = items.findIndex((item) => item.id === before.id);
    const others = <T>(all: readonly T[]): T[] => all.filter((_, index) => index !== own);
    await this.intake.storeAmounts(others(items), others(amounts.items));
    const changes = Object.fromEntries(changed.map((name) => [name, { from: before[name], to: values[name] }]));
    const item = { id: before.id, name: values.name ?? before.name };
    await this.log.add(quote.id, [{ type: 'item_updated', data: { item, changes } }]);
    await this.quotes.itemsChanged(quote, amounts.totals, { item: { ...item, changes } });
    return { values: { ...values, ...amounts.items[own] } };
  }
}

function pricingOf(quote: Row): Pricing {
  return quote as unknown as Pricing;
}
