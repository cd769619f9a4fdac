import { Controller, Get, Req } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { dataOf } from '../../../platform/http/answer-members';
import { Id } from '../../../platform/http/id';
import type { StreamResult } from '../../../platform/http/results';
import { asksForStream, EVENT_STREAM, streamAnswer } from '../../../platform/http/streams/event-stream';
import { Viewers } from './viewers';
import { MAX_PER_TOKEN, Viewing } from './viewing.service';

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
  async get(@Id() id: number, @Req() request: FastifyRequest): Promise<Viewers | StreamResult> {
    return asksForStream(request) ? streamAnswer(await this.viewing.watch(id)) : this.viewing.viewers(id);
  }
}
