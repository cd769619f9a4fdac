import { Controller, Get, Query, Req } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Needs } from '../../../platform/auth/permission';
import { dataOf } from '../../../platform/http/answer-members';
import type { StreamResult } from '../../../platform/http/results';
import { asksForStream, EVENT_STREAM, streamAnswer } from '../../../platform/http/streams/event-stream';
import { LiveEvents } from './live-events';
import { LivePlace, LiveQuery } from './live.dto';
import { LiveFeed, MAX_PER_TOKEN } from './live-feed';

@ApiTags('Channels')
@Controller('teams/stream')
export class LiveController {
  constructor(
    private readonly feed: LiveFeed,
    private readonly events: LiveEvents,
  ) {}

  @Needs('channels.read')
  @Get()
  @ApiOperation({
    summary: 'Hear what happens in channels while it happens',
    description:
      `With \`Accept: ${EVENT_STREAM}\` it goes on: each event of channels and conversations that the caller sees, as webhooks deliver it, with its id and ` +
      'type, in the order of commits. It ends after five minutes, to be opened again: `Last-Event-ID` goes on behind the last one. `reset` says that too much was ' +
      `missed to tell it; what is shown is then to be read anew. A token has at most ${MAX_PER_TOKEN} streams. Otherwise it answers the last event, to go on from.`,
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    schema: { type: 'string' },
    description: 'Id of the last event that was seen.',
  })
  @ApiExtraModels(LivePlace)
  @ApiResponse({
    status: 200,
    description: 'The last event; of a stream, what happens from now on.',
    content: { 'application/json': { schema: dataOf(LivePlace) }, [EVENT_STREAM]: { schema: { type: 'string' } } },
  })
  async get(
    @Query() { channel_id, thread_id }: LiveQuery,
    @Req() request: FastifyRequest,
  ): Promise<LivePlace | StreamResult> {
    if (!asksForStream(request)) return { last_event_id: await this.events.last() };
    const last = request.headers['last-event-id'];
    const about = { channel_id: channel_id ?? null, thread_id: thread_id ?? null };
    return streamAnswer(await this.feed.open(about, typeof last === 'string' && last !== '' ? last : null));
  }
}
