import { Controller, Get, Inject, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../platform/context/runtime-config';
import { linkBase } from '../../platform/http/link-base';
import { PREFIX } from '../../platform/http/openapi';
import { SingleResult } from '../../platform/http/results';
import { Reads } from '../../platform/routes/routes';
import { DEFAULT_LIMIT, SearchQuery, searchTypes } from './query';
import { SearchResults } from './search-answer';
import { SearchService } from './search.service';

@ApiTags('Search')
@Controller('search')
export class SearchController {
  constructor(
    private readonly searches: SearchService,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  @Get()
  @Reads()
  @ApiOperation({
    operationId: 'search',
    summary: 'Search tickets, companies, users and articles',
    description:
      'Every word must be found, in any order, as a word or its beginning; case and accents make no difference, punctuation only separates words. A ticket code (`TCK-000123`, `#123`), an e-mail address or a name comes first, then titles, then texts, newer before older. When nothing is found as written, words of nearly the same spelling are searched.',
  })
  @ApiOkResponse({ description: 'The best hits of each group.', type: SearchResults })
  async search(@Query() query: SearchQuery, @Req() request: FastifyRequest): Promise<SingleResult> {
    const began = performance.now();
    const { q: text, limit = DEFAULT_LIMIT, types = searchTypes } = query;
    const base = linkBase(this.config.publicUrl, request, `${this.config.host}:${this.config.port}`) + PREFIX;
    const { data, totals, capped, corrected } = await this.searches.search({ text, limit, types }, base);
    return new SingleResult(JSON.stringify(data), null, undefined, {
      query: text,
      took_ms: Math.round((performance.now() - began) * 100) / 100,
      totals,
      ...(capped.length ? { totals_capped: capped } : {}),
      ...(corrected ? { corrected } : {}),
    });
  }
}
