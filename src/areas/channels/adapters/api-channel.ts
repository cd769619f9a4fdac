import { TextSetting, UrlSetting } from '../../../platform/area/settings';
import { parseJsonBody } from '../../../platform/http/json-body';
import { isSignedBy, signatureHeaders } from '../../../platform/outbound/signature';
import type { OutboundRequest } from '../../../platform/outbound/outbound-result';
import { ApiError } from '../../../platform/errors/api-error';
import { isRecord } from '../../../platform/text/json';
import { readArrival } from '../inbound/arrival';
import type { ChannelAdapter, Outgoing, Receipt } from './adapter';

const JSON_TYPE = 'application/json; charset=utf-8';
/** How far a signed moment may be from now. */
const TOLERANCE_MS = 5 * 60_000;
const MAX_ID = 255;

/** Settings of a channel that another program speaks for. */
export class ApiChannelConfig {
  @TextSetting({
    title: 'Secret',
    description: 'Signs requests both ways, as those of webhooks are signed.',
    min: 24,
    max: 256,
    required: true,
    secret: true,
    stays: true,
  })
  secret: string;

  @UrlSetting({
    title: 'URL',
    description: 'What is written goes here; without it the channel only takes messages in.',
  })
  url?: string;
}

/**
 * Whatever program a workspace likes, over signed JSON both ways. The signature is that of Standard Webhooks, and of our own
 * webhooks: a request that is older than five minutes is a replay.
 */
export const apiChannel: ChannelAdapter<ApiChannelConfig> = {
  type: 'api',
  name: 'API',
  config: ApiChannelConfig,
  isOutside: true,
  takesTemplates: true,
  takesFiles: true,

  receive({ headers, body, nowMs }, { secret }) {
    const verdict = isSignedBy(secret, { headers, body, nowMs, toleranceMs: TOLERANCE_MS });
    if (verdict === 'replay')
      return { kind: 'refused', why: 'replay', message: '"webhook-timestamp" is more than five minutes from now.' };
    if (verdict !== 'genuine')
      return { kind: 'refused', why: 'signature', message: '"webhook-signature" is not that of this body and secret.' };
    const parsed = parseJsonBody(body);
    if (parsed instanceof ApiError)
      return { kind: 'refused', why: 'form', message: parsed.message, problem: parsed.extras.details?.[0] };
    const arrival = readArrival(parsed.value);
    if (typeof arrival === 'string') return { kind: 'refused', why: 'form', message: arrival };
    return { kind: 'arrivals', arrivals: [arrival] };
  },

  send: (message, { url, secret }) =>
    url === undefined ? null : signed(url, secret, `msg_${message.id}`, bodyOf(message)),

  receipt({ body }): Receipt {
    const told = parsedReceipt(body ?? '');
    const id = told.external_message_id;
    const isUsable = typeof id === 'string' && id !== '' && id.length <= MAX_ID;
    return { external_message_id: isUsable ? id : null, refusal: null };
  },

  probe: ({ url, secret }) =>
    url === undefined ? null : signed(url, secret, `test_${Date.now()}`, { type: 'channel.test' }),
};

function signed(url: string, secret: string, id: string, content: object): OutboundRequest {
  const body = JSON.stringify(content);
  const timestampSeconds = Math.floor(Date.now() / 1_000);
  const headers = { 'Content-Type': JSON_TYPE, ...signatureHeaders({ id, timestampSeconds, body, secret }) };
  return { method: 'POST', url, headers, body };
}

function bodyOf({ id, channel_id, thread_id, conversation, to, to_name, ...said }: Outgoing): object {
  const { body, files, in_reply_to, author_name, metadata, template, created_at } = said;
  return {
    type: 'message',
    message_id: id,
    channel_id,
    thread_id,
    conversation,
    to: { address: to, name: to_name },
    ...{ body, files, in_reply_to, author_name, metadata, template, created_at },
  };
}

function parsedReceipt(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
