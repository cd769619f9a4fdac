import { Body, Controller, Get } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { etag } from '../../platform/http/openapi-components';
import { Id } from '../../platform/http/id';
import type { FileResult, ListResult, SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { type ListParams, Reader } from '../../platform/resource/reader';
import {
  ActionRoute,
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../platform/routes/routes';
import { InjectReader } from '../../platform/resource/store.module';
import { QuoteDocuments } from './document/quote-documents.service';
import { QuoteLog } from './log/quote-log.service';
import { quoteEventResource } from './log/quote-event.resource';
import { QuoteTransitions } from './quote-transitions.service';
import { QuoteDiscount } from './amounts/quote-discount';
import { ChangeQuoteStatus, CreateQuote, UpdateQuote } from './quote.dto';
import { Quote } from './quote.entity';
import { quoteResource } from './quote.resource';
import { QuotesService } from './quotes.service';

@ApiTags('Quotes')
@ApiExtraModels(QuoteDiscount)
@Controller('quotes')
export class QuotesController {
  constructor(
    @InjectReader(Quote) private readonly records: Reader<Quote>,
    private readonly quotes: QuotesService,
    private readonly transitions: QuoteTransitions,
    private readonly documents: QuoteDocuments,
    private readonly log: QuoteLog,
  ) {}

  @ListRoute(quoteResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(quoteResource, { description: 'A draft; amounts are worked out by the service.' })
  create(@Body() body: CreateQuote): Promise<SingleResult> {
    return this.quotes.create(body);
  }

  @ReadRoute(quoteResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
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

  @ActionRoute(quoteResource, ':id/status', {
    summary: 'Change the status of a quote',
    description:
      'draft → sent, cancelled; sent → viewed; sent, viewed → accepted, rejected, expired, cancelled. Sending needs an item, a ' +
      'recipient or contact, and a `valid_until` that has not passed; it fixes the document and makes `public_url`.',
  })
  changeStatus(
    @Id() id: number,
    @Body() body: ChangeQuoteStatus,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.transitions.change(id, body, expected);
  }

  @CreateRoute(quoteResource, {
    path: ':id/revise',
    summary: 'Replace a quote by a new revision',
    description:
      'Answers a draft with the same items, a number of its own, `revision` + 1 and `revision_of_id`. From sent, viewed, ' +
      'rejected and expired; a quote that is still open is cancelled. Once per quote.',
  })
  revise(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.quotes.revise(id, expected);
  }

  @ListRoute(quoteEventResource, {
    path: ':id/events',
    summary: 'List what happened to a quote',
    description: 'Newest first.',
  })
  events(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    return this.log.of(id, params);
  }

  @Get(':id/pdf')
  @ApiOperation({
    summary: 'Get the document of a quote',
    description: 'A PDF in the language and writing of the workspace; a draft is marked as one.',
  })
  @ApiResponse({
    status: 200,
    description: 'The document.',
    headers: etag,
    content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
  })
  pdf(@Id() id: number): Promise<FileResult> {
    return this.documents.pdf(id);
  }
}
