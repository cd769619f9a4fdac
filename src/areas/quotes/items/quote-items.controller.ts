import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import type { ListParams } from '../../../platform/resource/reader';
import {
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../../platform/routes/routes';
import { CreateQuoteItem, UpdateQuoteItem } from './quote-item.dto';
import { quoteItemResource } from './quote-item.resource';
import { QuoteItemsService } from './quote-items.service';

const drafts = 'In drafts only; otherwise 422 `immutable`.';

@ApiTags('Quotes')
@Controller('quotes/:id/items')
export class QuoteItemsController {
  constructor(private readonly items: QuoteItemsService) {}

  @ListRoute(quoteItemResource, { description: 'In their order.' })
  list(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    return this.items.listOf(id, params);
  }

  @CreateRoute(quoteItemResource, { summary: 'Add an item to a quote', description: drafts })
  create(@Id() id: number, @Body() body: CreateQuoteItem): Promise<SingleResult> {
    return this.items.add(id, body);
  }

  @ReadRoute(quoteItemResource, { path: ':item_id' })
  read(@Id() id: number, @Id('item_id') itemId: number): Promise<SingleResult> {
    return this.items.readOf(id, itemId);
  }

  @UpdateRoute(quoteItemResource, { path: ':item_id', description: drafts })
  update(
    @Id() id: number,
    @Id('item_id') itemId: number,
    @Body() body: UpdateQuoteItem,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.items.change(id, itemId, body, expected);
  }

  @DeleteRoute(quoteItemResource, { path: ':item_id', description: drafts })
  remove(
    @Id() id: number,
    @Id('item_id') itemId: number,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.items.removeFrom(id, itemId, expected);
  }
}
