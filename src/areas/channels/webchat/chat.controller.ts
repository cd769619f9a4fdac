import { Body, Controller, Get, HttpCode, Post, Query, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Link, OpenedByLink } from '../../../platform/auth/link.guard';
import { Needs } from '../../../platform/auth/permission';
import { invalid } from '../../../platform/errors/api-error';
import type { StreamResult } from '../../../platform/http/results';
import { asksForStream, EVENT_STREAM, streamAnswer } from '../../../platform/http/streams/event-stream';
import { FORM_BYTES } from '../../attachments/intake/upload-reader';
import { Upload } from '../../../platform/http/upload/upload';
import type { LinkTarget } from '../../../platform/secrets/public-links';
import { CHAT_LINK, CHAT_PATH, ChatDoor } from './chat-door';
import { HaveRead, HistoryQuery, SaySomething, StartSession } from './chat.dto';
import { type ChatInfo, ChatInfos } from './chat-info';
import { MAX_FILE, type SentFile, VisitorFiles } from './visitor-files';
import { VisitorStreams } from './visitor-streams';
import { type StartedSession, VisitorSessions } from './visitor-sessions';
import type { VisitorMessage } from './visitor-view';
import { Visits, type VisitorThread } from './visits.service';

const WITHIN_SECONDS = 120;

/** What the widget asks for, and whatever else somebody makes of it: by the link of the channel, and the session of the visitor. */
@OpenedByLink(CHAT_LINK, ['channels.receive'])
@ApiExcludeController()
@Controller(CHAT_PATH)
export class ChatController {
  constructor(
    private readonly door: ChatDoor,
    private readonly infos: ChatInfos,
    private readonly sessions: VisitorSessions,
    private readonly visits: Visits,
    private readonly files: VisitorFiles,
    private readonly streams: VisitorStreams,
  ) {}

  @Needs('channels.receive')
  @Get(':token')
  info(@Link() target: LinkTarget, @Req() request: FastifyRequest): Promise<ChatInfo> {
    return this.door.enter(target, request, (chat) => this.infos.of(chat));
  }

  @Needs('channels.receive')
  @Post(':token/sessions')
  @HttpCode(200)
  start(
    @Link() target: LinkTarget,
    @Req() request: FastifyRequest,
    @Body() body: StartSession,
  ): Promise<StartedSession> {
    return this.door.enter(target, request, (chat) => Promise.resolve(this.sessions.start(chat, body)));
  }

  @Needs('channels.receive')
  @Get(':token/messages')
  history(
    @Link() target: LinkTarget,
    @Req() request: FastifyRequest,
    @Query() query: HistoryQuery,
  ): Promise<VisitorThread> {
    return this.door.admit(target, request, (chat, visitor) => this.visits.history(chat, visitor, query));
  }

  @Needs('channels.receive')
  @Post(':token/messages')
  @HttpCode(200)
  say(@Link() target: LinkTarget, @Req() request: FastifyRequest, @Body() body: SaySomething): Promise<VisitorMessage> {
    return this.door.admit(target, request, (chat, visitor) => this.visits.say(chat, visitor, body));
  }

  /** `message`: one that is new, or has changed. `reset`: what is shown is to be read anew. */
  @Needs('channels.receive')
  @Get(':token/stream')
  stream(@Link() target: LinkTarget, @Req() request: FastifyRequest): Promise<StreamResult> {
    if (!asksForStream(request)) invalid('Accept', 'format', `Ask with "Accept: ${EVENT_STREAM}".`);
    const last = request.headers['last-event-id'];
    const from = typeof last === 'string' && last !== '' ? last : null;
    const { headers } = request;
    const isAdmitted = (): Promise<boolean> => this.door.admits(target, headers);
    return this.door.admit(target, request, async (chat, visitor) =>
      streamAnswer(await this.streams.open(chat, visitor, from, isAdmitted)),
    );
  }

  @Needs('channels.receive')
  @Post(':token/read')
  @HttpCode(200)
  read(@Link() target: LinkTarget, @Req() request: FastifyRequest, @Body() body: HaveRead): Promise<{ read: number }> {
    return this.door.admit(target, request, (chat, visitor) => this.visits.read(chat, visitor, body.position));
  }

  /** The visitor is writing; told to whoever looks at the conversation, and kept nowhere. */
  @Needs('channels.receive')
  @Post(':token/typing')
  @HttpCode(200)
  typing(@Link() target: LinkTarget, @Req() request: FastifyRequest): Promise<{ told: boolean }> {
    return this.door.admit(target, request, (chat, visitor) => this.visits.typing(chat, visitor));
  }

  @Needs('channels.receive')
  @Post(':token/files')
  @HttpCode(200)
  @Upload({
    maxBytes: MAX_FILE + FORM_BYTES,
    withinSeconds: WITHIN_SECONDS,
    types: ['multipart/form-data', '*/*'],
    maxFields: 2,
    maxFieldBytes: 2_048,
  })
  upload(@Link() target: LinkTarget, @Req() request: FastifyRequest): Promise<SentFile> {
    return this.door.admit(target, request, (chat, visitor) => this.files.take(chat, visitor, request));
  }
}
