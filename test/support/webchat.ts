import { createHmac } from 'node:crypto';
import type { Api, Fields } from './api';
import type { TestApp } from './app';

export const SITE = 'https://shop.example';
export const IDENTITY_SECRET = 'the-site-signs-with-this-secret-of-its-own';

/** A chat for the pages of one site. */
export async function webchat(api: Api, config: object = {}, body: object = {}): Promise<Fields> {
  const settings = { allowed_origins: [SITE], ...config };
  return (await api.post('/teams/channels', { type: 'webchat', name: 'Shop', config: settings, ...body })).expect(201)
    .data;
}

/** What the server of a site says of its visitor. */
export function identityOf(claims: object, secret = IDENTITY_SECRET, alg = 'HS256'): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg, typ: 'JWT' })}.${part({ exp: Math.floor(Date.now() / 1_000) + 3_600, ...claims })}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

export interface Told {
  status: number;
  data: Fields & { messages?: Fields[] };
  error: { type: string; message: string; missing?: string[] } | undefined;
  headers: Headers;
}

/** Somebody's browser on a page of the site. */
export class Guest {
  session: string | null = null;

  constructor(
    private readonly server: Pick<TestApp, 'url'>,
    readonly link: string,
    private readonly origin: string | null = SITE,
  ) {}

  static async of(
    server: Pick<TestApp, 'url'>,
    api: Api,
    channel: Fields,
    origin: string | null = SITE,
  ): Promise<Guest> {
    const { channel: link } = (await api.get(`/teams/channels/${channel.id}/widget`)).expect(200).data;
    return new Guest(server, link as string, origin);
  }

  get headers(): Record<string, string> {
    return {
      ...(this.origin === null ? {} : { origin: this.origin }),
      ...(this.session === null ? {} : { 'x-chat-session': this.session }),
    };
  }

  address(path: string): string {
    return `${this.server.url}/v1/chat/${this.link}${path}`;
  }

  async ask(path: string, body?: object | Buffer, headers: Record<string, string> = {}): Promise<Told> {
    const isBytes = Buffer.isBuffer(body);
    const answer = await fetch(this.address(path), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...(isBytes ? {} : { 'content-type': 'application/json' }), ...this.headers, ...headers },
      ...(body === undefined ? {} : { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const told = (await answer.json()) as Pick<Told, 'data' | 'error'>;
    return { status: answer.status, data: told.data, error: told.error, headers: answer.headers };
  }

  async begin(told: object = {}): Promise<Told> {
    const answer = await this.ask('/sessions', told);
    if (answer.status === 200) this.session = answer.data.session as string;
    return answer;
  }

  say(body: string, clientId: string, more: object = {}): Promise<Told> {
    return this.ask('/messages', { client_id: clientId, body, ...more });
  }

  /** What the visitor sees: who said what. */
  async seen(query = ''): Promise<unknown[]> {
    const { data } = await this.ask(`/messages${query}`);
    return (data.messages ?? []).map(({ from, body }) => [from, body]);
  }
}
