import { Controller, Get, Query, Req } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Needs } from '../../../platform/auth/permission';
import { dataOf } from '../../../platform/http/answer-members';
import { StreamResult } from '../../../platform/http/results';
import { LiveEvents } from './live-events';
import { LivePlace, LiveQuery } from './live.dto';
import { LiveFeed, MAX_PER_TOKEN } from './live-feed';

const EVENT_STREAM = 'text/event-stream';

/** What stands in between must not wait for more. */
const STREAM_HEADERS = { 'content-type': `${EVENT_STREAM}; charset=utf-8`, vary: 'accept', 'x-accel-buffering': 'no' };

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
    @Req() { method, headers }: FastifyRequest,
  ): Promise<LivePlace | StreamResult> {
    // HEAD asks for no stream: nobody would end it.
    if (method !== 'GET' || !headers.accept?.includes(EVENT_STREAM)) return { last_event_id: await this.events.last() };
    const last = headers['last-event-id'];
    const about = { channel_id: channel_id ?? null, thread_id: thread_id ?? null };
    const stream = await this.feed.open(about, typeof last === 'string' && last !== '' ? last : null);
    return new StreamResult(200, STREAM_HEADERS, stream);
  }
}
