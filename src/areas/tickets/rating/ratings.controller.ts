import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import type { ListParams } from '../../../platform/resource/reader';
import { ActionRoute, IfMatch, ListQuery, ListRoute } from '../../../platform/routes/routes';
import { ticketResource } from '../ticket.resource';
import { RateTicket } from './rating.dto';
import { ratingResource } from './rating.resource';
import { RatingLink, RatingsService } from './ratings.service';
import { AnswerOf } from '../../../platform/http/answer-members';

@ApiTags('Tickets')
@Controller('tickets/:id')
export class RatingsController {
  constructor(private readonly ratings: RatingsService) {}

  @ActionRoute(ticketResource, 'rate', {
    summary: 'Rate how a ticket was resolved',
    description:
      'Allowed while the ticket is resolved or closed. Another rating of the same resolution replaces the first; after a reopening the next resolution is rated anew.',
  })
  rate(@Id() id: number, @Body() body: RateTicket, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.ratings.rate(id, body, expected);
  }

  @ListRoute(ratingResource, {
    path: 'ratings',
    summary: 'List the ratings of a ticket',
    description: 'One for each resolution that was rated, newest first.',
  })
  list(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    return this.ratings.listOf(id, params);
  }

  @Post('rating-link')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Get a link for rating a ticket',
    description:
      'Leads the requester to a page without a token; ends after 30 days. Every call answers a link of its own.',
  })
  @AnswerOf(RatingLink, { description: 'The link.' })
  link(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<RatingLink> {
    return this.ratings.linkOf(id, expected);
  }
}
