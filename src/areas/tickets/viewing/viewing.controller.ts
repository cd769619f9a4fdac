import { Controller, Get, Req } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { dataOf } from '../../../platform/http/answer-members';
import { Id } from '../../../platform/http/id';
import { StreamResult } from '../../../platform/http/results';
import { Viewers } from './viewers';
import { MAX_PER_TOKEN, Viewing } from './viewing.service';

const EVENT_STREAM = 'text/event-stream';

/** What stands in between must not wait for more. */
const STREAM_HEADERS = { 'content-type': `${EVENT_STREAM}; charset=utf-8`, vary: 'accept', 'x-accel-buffering': 'no' };

@ApiTags('Tickets')
@Controller('tickets/:id/viewing')
export class ViewingController {
  constructor(private readonly viewing: Viewing) {}

  @Get()
  @ApiOperation({
    summary: 'Get who looks at a ticket',
    description:
      `With \`Accept: ${EVENT_STREAM}\` it goes on for as long as the caller looks, who is one of the viewers meanwhile: an event \`viewers\` now and ` +
      `whenever somebody comes or goes, on whichever process. A stream ends after five minutes, to be opened again; a token has at most ${MAX_PER_TOKEN}.`,
  })
  @ApiExtraModels(Viewers)
  @ApiResponse({
    status: 200,
    description: 'Who looks at it now; of a stream, now and from then on.',
    content: { 'application/json': { schema: dataOf(Viewers) }, [EVENT_STREAM]: { schema: { type: 'string' } } },
  })
  async get(@Id() id: number, @Req() { method, headers }: FastifyRequest): Promise<Viewers | StreamResult> {
    // HEAD asks for no stream: nobody would end it.
    if (method !== 'GET' || !headers.accept?.includes(EVENT_STREAM)) return this.viewing.viewers(id);
    return new StreamResult(200, STREAM_HEADERS, await this.viewing.watch(id));
  }
}
