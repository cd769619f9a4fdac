import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { clockMs } from '../../../platform/context/clock';
import { ApiError, fail, invalid } from '../../../platform/errors/api-error';
import { cleanAddress } from '../../../platform/mail/mail-address';
import { shortText } from '../adapters/telling';
import { ChatDoor, type OpenChat } from './chat-door';
import type { StartSession } from './chat.dto';
import { readIdentity } from './site-identity';
import { sessionText, type Visitor } from './visitor';
import { shortDigest } from './visitor-view';

/** An anonymous visitor is known so long from when they were last here; who the site identifies, until the next day. */
const ANONYMOUS_SECONDS = 30 * 86_400;
const IDENTIFIED_SECONDS = 86_400;

/** Answer of `POST /chat/{token}/sessions`. */
export interface StartedSession {
  session: string;
  /** The same for the same visitor, and says nothing of them. */
  visitor: string;
  expires_at: string;
  is_identified: boolean;
  name: string | null;
  email: string | null;
}

/** Makes visitors known to their browsers: nothing is stored until they say something. */
@Injectable()
export class VisitorSessions {
  constructor(private readonly door: ChatDoor) {}

  /** 401 for an identity that is not genuine, or where only those who are identified get in; 422 for what is asked and not told. */
  start(chat: OpenChat, told: StartSession): StartedSession {
    const visitor = told.identity === undefined ? this.anonymous(chat, told) : identified(chat, told.identity);
    const life = visitor.isIdentified ? IDENTIFIED_SECONDS : ANONYMOUS_SECONDS;
    const expiresAt = Math.floor(clockMs() / 1_000) + life;
    const { isIdentified: is_identified, name, email } = visitor;
    return {
      session: sessionText({ ...visitor, expiresAt }, chat.sign(visitor.isIdentified)),
      visitor: shortDigest(visitor.key),
      expires_at: new Date(expiresAt * 1_000).toISOString(),
      ...{ is_identified, name, email },
    };
  }

  private anonymous(chat: OpenChat, told: StartSession): Visitor {
    const { identified_only, ask_name, ask_email } = chat.settings;
    if (identified_only) throw new ApiError('unauthorized', 'This chat is for visitors whom their site identifies.');
    const known = told.session === undefined ? null : this.door.session(chat, told.session);
    // Whoever was identified and is no more (they have logged out) is somebody else.
    const before = known?.isIdentified === false ? known : null;
    const name = ask_name === 'off' ? null : (shortText(told.name ?? null, 120) ?? before?.name ?? null);
    const email = ask_email === 'off' ? null : (cleanAddress(told.email ?? '') ?? before?.email ?? null);
    if (name === null && ask_name === 'required') missing('name');
    if (email === null && ask_email === 'required') missing('email');
    return { key: before?.key ?? `v-${randomUUID()}`, name, email, isIdentified: false };
  }
}

function identified({ settings: { identity_secret: secret } }: OpenChat, token: string): Visitor {
  if (secret === undefined) invalid('identity', 'not_allowed', 'The channel has no identity secret.');
  // What the site signs is of its clock.
  const identity = readIdentity(token, secret, Date.now());
  if (typeof identity === 'string') throw new ApiError('unauthorized', identity);
  const { id, email, name } = identity;
  return { key: email ?? `id:${id ?? ''}`, name, email, isIdentified: true };
}

function missing(field: string): never {
  const message = `"${field}" is required.`;
  fail('validation_error', message, { missing: [field], details: [{ field, code: 'required', message }] });
}
