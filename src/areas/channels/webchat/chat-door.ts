import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Actor } from '../../../platform/context/actor';
import { clockMs } from '../../../platform/context/clock';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/context/runtime-config';
import { Database } from '../../../platform/database/database';
import { ApiError, fail } from '../../../platform/errors/api-error';
import { PREFIX } from '../../../platform/http/openapi';
import { OriginRules } from '../../../platform/http/origin-rules';
import { networkOf } from '../../../platform/limits/page-limit.guard';
import { PageLimits } from '../../../platform/limits/page-limits';
import { type LinkTarget, PublicLinks } from '../../../platform/secrets/public-links';
import { SecretBox } from '../../../platform/secrets/secret-box';
import { WebchatConfig } from '../adapters/webchat-channel';
import { ChannelsService, type OpenChannel } from '../channels.service';
import { allowsOrigin } from './allowed-origin';
import { sessionOf, type Sign, type Visitor, type VisitorSession } from './visitor';

/** Where the requests of visitors go: below the prefix, before the signed part; and what that is signed for. */
export const CHAT_PATH = 'chat';
export const CHAT_LINK = 'webchat';
/** The header that carries the session of a visitor. */
const SESSION_HEADER = 'x-chat-session';

/** Requests in any 60 seconds: of one visitor, to one channel. One address has twice what pages have: many people may share it. */
const PER_VISITOR = 120;
const PER_CHANNEL = 12_000;
/** Preflights are answered by what a channel allowed a moment ago; what they are about, by what it allows now. */
const REMEMBERED = { max: 5_000, ttl: 5_000 };

/** Who visitors are before they are anybody. */
export const SOMEBODY: Actor = { type: 'requester', id: null, name: 'visitor' };

/** A chat that a request came to. */
export interface OpenChat extends OpenChannel {
  settings: WebchatConfig;
  /** For sessions of this channel. */
  sign: (isIdentified: boolean) => Sign;
}

/** The way in for visitors: what they may ask for, how often, from where, and who they are. */
@Injectable()
export class ChatDoor implements OnModuleInit {
  private readonly origins = new LRUCache<string, readonly string[]>(REMEMBERED);

  constructor(
    private readonly database: Database,
    private readonly channels: ChannelsService,
    private readonly limits: PageLimits,
    private readonly links: PublicLinks,
    private readonly box: SecretBox,
    private readonly rules: OriginRules,
    @Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'pageRateLimit'>,
  ) {}

  onModuleInit(): void {
    const prefix = `${PREFIX}/${CHAT_PATH}/`;
    this.rules.register(prefix, ({ url }, origin) => this.mayCall(url.slice(prefix.length), origin));
  }

  /** What the link of a channel is made of. */
  tokenOf(target: LinkTarget): string {
    return this.links.token(CHAT_LINK, target);
  }

  /** Lets a request in, within the workspace of the channel. 403 from a page that it may not stand on, 404, 409 while it is paused, 429. */
  async enter<T>(target: LinkTarget, request: FastifyRequest, work: (chat: OpenChat) => Promise<T>): Promise<T> {
    const { workspaceId, id } = target;
    await this.limits.admit(`chat:${networkOf(request.ip)}`, this.config.pageRateLimit * 2);
    await this.limits.admit(`chat:${workspaceId}:${id}`, PER_CHANNEL);
    return this.database.inWorkspace(workspaceId, SOMEBODY, async () => {
      const chat = await this.chat(target);
      requireOrigin(chat, request.headers);
      return work(chat);
    });
  }

  /** The same for somebody who has a session. 401 without one. */
  async admit<T>(
    target: LinkTarget,
    request: FastifyRequest,
    work: (chat: OpenChat, visitor: Visitor) => Promise<T>,
  ): Promise<T> {
    return this.enter(target, request, async (chat) => {
      const session = this.visitor(chat, request.headers);
      await this.limits.admit(`chat:${chat.channel.id}:${session.key}`, PER_VISITOR);
      const { name, key } = session;
      return this.database.inWorkspace(target.workspaceId, { ...SOMEBODY, name: name ?? key }, () =>
        work(chat, session),
      );
    });
  }

  /** Whether who was let in with these headers would be now; for whoever goes on telling them something. */
  async admits(target: LinkTarget, headers: IncomingHttpHeaders): Promise<boolean> {
    try {
      const chat = await this.database.inWorkspace(target.workspaceId, SOMEBODY, () => this.chat(target));
      requireOrigin(chat, headers);
      this.visitor(chat, headers);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) return false;
      throw error;
    }
  }

  private visitor(chat: OpenChat, headers: IncomingHttpHeaders): VisitorSession {
    const header = headers[SESSION_HEADER];
    const session = typeof header === 'string' ? this.session(chat, header) : null;
    if (session !== null && (session.isIdentified || !chat.settings.identified_only)) return session;
    throw new ApiError('unauthorized', 'The chat session is missing or has ended: start one.');
  }

  /** A session of this channel that has not ended; null for anything else. */
  session({ sign }: OpenChat, text: string): VisitorSession | null {
    const now = clockMs();
    return sessionOf(text, sign(false), now) ?? sessionOf(text, sign(true), now);
  }

  private async chat({ workspaceId, id }: LinkTarget): Promise<OpenChat> {
    const open = await this.channels.openActive(id);
    const { settings } = open;
    if (!(settings instanceof WebchatConfig)) fail('not_found', 'This is no chat.');
    const sign =
      (isIdentified: boolean): Sign =>
      (text) =>
        // Another secret of the site ends the sessions that the old one has opened.
        this.box.mac(
          'webchat sessions',
          `${workspaceId} ${id} ${isIdentified ? `identified ${settings.identity_secret ?? ''}` : 'anonymous'} ${text}`,
        );
    return { ...open, settings, sign };
  }

  /** Asked before a preflight is answered: by whoever knows the link of the channel. */
  private async mayCall(path: string, origin: string): Promise<boolean> {
    const [token = ''] = path.split(/[/?]/);
    const { workspaceId, id } = this.links.open(CHAT_LINK, token);
    const name = `${workspaceId}:${id}`;
    const kept = this.origins.get(name);
    if (kept) return allowsOrigin(kept, origin);
    const { settings } = await this.database.inWorkspace(workspaceId, SOMEBODY, () => this.chat({ workspaceId, id }));
    this.origins.set(name, settings.allowed_origins);
    return allowsOrigin(settings.allowed_origins, origin);
  }
}

/** 403 on pages of sites that the chat is not for; who names none is no page. */
function requireOrigin({ settings }: OpenChat, { origin }: IncomingHttpHeaders): void {
  if (origin === undefined || allowsOrigin(settings.allowed_origins, origin)) return;
  fail(
    'insufficient_scope',
    `Pages of ${origin.slice(0, 255)} may not use this chat; see "allowed_origins" of the channel.`,
  );
}
