import { signatureHeaders } from '../../src/platform/outbound/signature';
import type { Answer, Api, Fields } from './api';

export const CHANNEL_SECRET = 'a-secret-of-24-characters-or-more';

/** A channel that another program speaks for; what is written goes to `url`, where there is one. */
export async function apiChannel(api: Api, url: string | null, body: Record<string, unknown> = {}): Promise<Fields> {
  const config = { secret: CHANNEL_SECRET, ...(url === null ? {} : { url }) };
  return (await api.post('/teams/channels', { type: 'api', name: 'Shop', config, ...body })).expect(201).data;
}

/** A message from outside, as a program with a token hands it in. */
export async function handIn(api: Api, channel: Fields, told: Record<string, unknown>): Promise<Answer> {
  return api.post(`/teams/channels/${channel.id}/inbound`, told);
}

/** Where the other side of a channel posts to. */
export async function inboundAddress(api: Api, channel: Fields): Promise<string> {
  return (await api.get(`/teams/channels/${channel.id}/inbound-address`)).expect(200).data.url as string;
}

export interface Signing {
  secret?: string;
  atMs?: number;
}

/** Posts what the other side tells, signed. */
export function tell(url: string, told: object | string, { secret = CHANNEL_SECRET, atMs = Date.now() }: Signing = {}) {
  const body = typeof told === 'string' ? told : JSON.stringify(told);
  const timestampSeconds = Math.floor(atMs / 1_000);
  const headers = signatureHeaders({ id: 'msg_test', timestampSeconds, body, secret });
  return fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
}

/** Somebody outside. */
export const ADA = { email: 'ada@example.com', name: 'Ada' };

/** What became of a message that a program with a token handed in. */
export async function handedIn(
  api: Api,
  channel: Fields,
  told: Record<string, unknown>,
): Promise<Record<string, Fields>> {
  return (await handIn(api, channel, told)).expect(200).data as unknown as Record<string, Fields>;
}

/** What stands on a ticket: who wrote what. */
export async function commentsOf(api: Api, ticket: Fields | undefined): Promise<unknown[]> {
  const { rows } = await api.get(`/tickets/${ticket?.id ?? 0}/comments`);
  return rows.map(({ body, author_type, author_name }) => [author_type, author_name, body]);
}
