import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Id } from '../../platform/http/id';
import type { ListResult, SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { ListParams } from '../../platform/resource/resource.service';
import {
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../platform/resource/routes';
import { QuoteLog } from './log/quote-log.service';
import { quoteEventResource } from './log/quote-event.resource';
import { CreateQuote, UpdateQuote } from './quote.dto';
import { quoteResource } from './quote.resource';
import { QuotesService } from './quotes.service';

@ApiTags('Quotes')
@Controller('quotes')
export class QuotesController {
  constructor(
    private readonly quotes: QuotesService,
    private readonly log: QuoteLog,
  ) {}

  @ListRoute(quoteResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.quotes.list(params);
  }

  @CreateRoute(quoteResource, { description: 'A draft; amounts are worked out by the service.' })
  create(@Body() body: CreateQuote): Promise<SingleResult> {
    return this.quotes.create(body);
  }

  @ReadRoute(quoteResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.quotes.read(id);
  }

  @UpdateRoute(quoteResource, {
    description:
      'Once it was sent only `owner_id`, `deal_id`, `ticket_id`, `external_id` and `custom_fields` may change.',
  })
  update(@Id() id: number, @Body() body: UpdateQuote, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.quotes.update(id, body, expected);
  }

  @DeleteRoute(quoteResource, { description: 'Drafts only; otherwise 422 `immutable`.' })
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.quotes.remove(id, expected);
  }

  @ListRoute(quoteEventResource, {
    path: ':id/events',
    summary: 'List what happened to a quote',
    description: 'Newest first.',
  })
  events(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    return this.log.of(id, params);
  }
}
