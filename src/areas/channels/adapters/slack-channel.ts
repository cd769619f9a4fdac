import { TextSetting, UrlSetting } from '../../../platform/area/settings';
import type { OutboundResult } from '../../../platform/outbound/outbound-result';
import type { Arrival, ChannelAdapter, Peer, Receipt } from './adapter';
import {
  at,
  forged,
  hmac,
  isSame,
  jsonOf,
  pairName,
  replayed,
  saidText,
  secondsAt,
  shortText,
  textAt,
  UNREADABLE,
} from './telling';

const JSON_TYPE = 'application/json; charset=utf-8';
const TOLERANCE_MS = 5 * 60_000;
/** Longer texts are cut by Slack: https://docs.slack.dev/reference/methods/chat.postMessage */
const MAX_TEXT = 40_000;
/** Errors after which the same would be refused again. */
const PASSING = ['ratelimited', 'internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'];

/** Settings of an app of Slack. */
export class SlackChannelConfig {
  @TextSetting({
    title: 'Signing secret',
    description: 'Of the app: Basic Information.',
    min: 16,
    max: 256,
    required: true,
    secret: true,
    stays: true,
  })
  signing_secret: string;

  @TextSetting({ title: 'Bot token', description: 'xoxb-…, with chat:write.', min: 8, max: 512, secret: true })
  bot_token?: string;

  @UrlSetting({ title: 'API', description: 'Where its methods are.' })
  api_url = 'https://slack.com/api';
}

/**
 * Slack: the Events API in (https://docs.slack.dev/apis/events-api, requests verified as
 * https://docs.slack.dev/authentication/verifying-requests-from-slack says), `chat.postMessage` out. A message is known by its channel and
 * moment (`C1:1700000000.000100`), a conversation by those of the message that began it; a direct one by its channel.
 */
export const slackChannel: ChannelAdapter<SlackChannelConfig> = {
  type: 'slack',
  name: 'Slack',
  config: SlackChannelConfig,
  isOutside: true,
  maxText: MAX_TEXT,

  receive({ headers, body, nowMs }, { signing_secret }) {
    const timestamp = headers['x-slack-request-timestamp'];
    if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return forged('X-Slack-Signature');
    const expected = `v0=${hmac('sha256', signing_secret, `v0:${timestamp}:`, body).toString('hex')}`;
    if (!isSame(headers['x-slack-signature'], expected)) return forged('X-Slack-Signature');
    if (Math.abs(nowMs - Number(timestamp) * 1_000) > TOLERANCE_MS) return replayed('X-Slack-Request-Timestamp');
    const told = jsonOf(body);
    if (textAt(told, 'type') === 'url_verification')
      return { kind: 'answer', type: 'text/plain; charset=utf-8', text: textAt(told, 'challenge') ?? '' };
    if (textAt(told, 'type') === null) return UNREADABLE;
    // That events were held back, say, is told beside them.
    const arrival = textAt(told, 'type') === 'event_callback' ? arrivalOf(at(told, 'event')) : null;
    return { kind: 'arrivals', arrivals: arrival ? [arrival] : [] };
  },

  send({ conversation, body }, { bot_token, api_url }) {
    if (bot_token === undefined) return null;
    const [channel, thread_ts] = conversation.split(':');
    const content = { channel, text: body, ...(thread_ts === undefined ? {} : { thread_ts }) };
    return {
      method: 'POST',
      url: `${api_url}/chat.postMessage`,
      headers: { 'Content-Type': JSON_TYPE, Authorization: `Bearer ${bot_token}` },
      body: JSON.stringify(content),
    };
  },

  receipt({ body }: OutboundResult): Receipt {
    const told = jsonOf(Buffer.from(body ?? ''));
    if (at(told, 'ok') === true)
      return { external_message_id: pairName(textAt(told, 'channel'), textAt(told, 'ts')), refusal: null };
    const code = shortText(textAt(told, 'error'), 100) ?? 'unknown';
    const refusal = {
      code: `slack_${code}`,
      message: `Slack refused it: ${code}.`,
      isPermanent: !PASSING.includes(code),
    };
    return { external_message_id: null, refusal };
  },

  probe: ({ bot_token, api_url }) =>
    bot_token === undefined
      ? null
      : {
          method: 'POST',
          url: `${api_url}/auth.test`,
          headers: { 'Content-Type': JSON_TYPE, Authorization: `Bearer ${bot_token}` },
          body: '{}',
        },
};

function arrivalOf(event: unknown): Arrival | null {
  const [type, subtype] = [textAt(event, 'type'), textAt(event, 'subtype')];
  const channel = textAt(event, 'channel');
  if (type === 'reaction_added' || type === 'reaction_removed') {
    const named = pairName(textAt(event, 'item', 'channel'), textAt(event, 'item', 'ts'));
    const [emoji, from] = [shortText(textAt(event, 'reaction'), 62), peerOf(event)];
    if (named === null || emoji === null || from === null) return null;
    return {
      kind: 'reaction',
      external_message_id: named,
      from,
      emoji: `:${emoji}:`,
      removed: type === 'reaction_removed',
    };
  }
  if (type !== 'message') return null;
  if (subtype === 'message_changed') {
    const named = pairName(channel, textAt(event, 'message', 'ts'));
    const body = saidText(textAt(event, 'message', 'text'));
    return named === null ? null : { kind: 'edit', external_message_id: named, body };
  }
  if (subtype === 'message_deleted') {
    const named = pairName(channel, textAt(event, 'deleted_ts'));
    return named === null ? null : { kind: 'deletion', external_message_id: named };
  }
  const ts = textAt(event, 'ts');
  const [named, from] = [pairName(channel, ts), peerOf(event)];
  // What bots say, we among them, is no message from outside.
  if (named === null || from === null || textAt(event, 'bot_id') !== null) return null;
  if (subtype !== null && subtype !== 'file_share' && subtype !== 'thread_broadcast') return null;
  const began = pairName(channel, textAt(event, 'thread_ts'));
  const conversation = (textAt(event, 'channel_type') === 'im' ? shortText(channel) : began) ?? named;
  return {
    kind: 'message',
    external_message_id: named,
    conversation,
    reply_to: conversation,
    from,
    subject: null,
    body: saidText(textAt(event, 'text')),
    message_type: subtype === 'file_share' ? 'file' : 'text',
    sent_at: secondsAt({ ts: Math.floor(Number(ts)) }, 'ts'),
    in_reply_to: began,
  };
}

function peerOf(event: unknown): Peer | null {
  const handle = shortText(textAt(event, 'user'));
  return handle === null ? null : { handle, name: shortText(textAt(event, 'user_profile', 'real_name')) };
}
