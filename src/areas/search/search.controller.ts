import { Controller, Get, Inject, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../platform/context/runtime-config';
import { linkBase } from '../../platform/http/link-base';
import { PREFIX } from '../../platform/http/openapi';
import { SingleResult } from '../../platform/http/results';
import type { RawQuery } from '../../platform/resource/list-query';
import { QueryParameters } from '../../platform/resource/routes';
import { DEFAULT_LIMIT, MAX_LENGTH, MAX_LIMIT, MIN_LENGTH, parseSearch, searchTypes } from './query';
import { searchSchema } from './search.schemas';
import { SearchService } from './search.service';

@ApiTags('Search')
@Controller('search')
export class SearchController {
  constructor(
    private readonly searches: SearchService,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'search',
    summary: 'Search tickets, companies, users and articles',
    description:
      'Every word must be found, in any order, as a word or its beginning; case and accents make no difference, punctuation only separates words. A ticket code (`TCK-000123`, `#123`), an e-mail address or a name comes first, then titles, then texts, newer before older. When nothing is found as written, words of nearly the same spelling are searched.',
  })
  @ApiQuery({
    name: 'q',
    required: true,
    description: 'What to look for.',
    schema: { type: 'string', minLength: MIN_LENGTH, maxLength: MAX_LENGTH },
  })
  @ApiQuery({
    name: 'limit',
    required: false,
    description: 'Hits per group.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
  })
  @ApiQuery({
    name: 'types',
    required: false,
    description: 'Groups to search; all of them unless given.',
    schema: { type: 'array', minItems: 1, items: { type: 'string', enum: [...searchTypes] } },
    explode: false,
  })
  @ApiOkResponse({ description: 'The best hits of each group.', schema: searchSchema })
  async search(@QueryParameters() query: RawQuery, @Req() request: FastifyRequest): Promise<SingleResult> {
    const began = performance.now();
    const wanted = parseSearch(query);
    const base = linkBase(this.config.publicUrl, request, `${this.config.host}:${this.config.port}`) + PREFIX;
    const { data, totals, capped, corrected } = await this.searches.search(wanted, base);
    return new SingleResult(JSON.stringify(data), null, undefined, {
      query: wanted.text,
      took_ms: Math.round((performance.now() - began) * 100) / 100,
      totals,
      ...(capped.length ? { totals_capped: capped } : {}),
      ...(corrected ? { corrected } : {}),
    });
  }
}
