import { FlagSetting, UrlSetting } from '../../../platform/area/settings';
import type { OutboundResult } from '../../../platform/outbound/outbound-result';
import type { MessageType } from '../channel-values';
import type { Arrival, ChannelAdapter, Peer, Receipt } from './adapter';
import { GraphConfig, verified } from './graph-webhook';
import { at, jsonOf, listAt, momentOf, saidText, shortText, textAt, UNREADABLE, wordIn } from './telling';

/** https://developers.facebook.com/docs/messenger-platform/reference/send-api: `message.text` */
const MAX_TEXT = { facebook: 2_000, instagram: 1_000 } as const;
/** https://developers.facebook.com/docs/messenger-platform/send-messages/message-tags: `HUMAN_AGENT` */
const WINDOW = { hours: 24, taggedHours: 7 * 24 } as const;
const TYPES: Readonly<Record<string, MessageType>> = { image: 'image', video: 'video', audio: 'audio', file: 'file' };

/** Settings of a page of Facebook, or of an account of Instagram. */
export class MessengerChannelConfig extends GraphConfig {
  @UrlSetting({ title: 'API', description: 'The Graph API, with its version.' })
  api_url = 'https://graph.facebook.com/v21.0';

  @FlagSetting({
    title: 'Human agent tag',
    description: 'Meta has given the app the feature Human Agent: people may answer for 7 days in place of 24 hours.',
  })
  human_agent_tag = false;
}

/**
 * Facebook Messenger and Instagram: the same webhook (https://developers.facebook.com/docs/messenger-platform/webhooks) in, `POST /me/messages`
 * out. People are known by the id that the page, or the account, knows them by. What is told again is known by its id.
 */
function messenger(
  type: 'facebook' | 'instagram',
  name: string,
  object: string,
): ChannelAdapter<MessengerChannelConfig> {
  return {
    type,
    name,
    config: MessengerChannelConfig,
    isOutside: true,
    maxText: MAX_TEXT[type],

    replyWindow: ({ human_agent_tag }) => ({
      hours: WINDOW.hours,
      agentHours: human_agent_tag ? WINDOW.taggedHours : WINDOW.hours,
    }),

    receive(request, settings) {
      const verdict = verified(request, settings);
      if (verdict) return verdict;
      const told = jsonOf(request.body);
      if (textAt(told, 'object') !== object) return UNREADABLE;
      const events = listAt(told, 'entry').flatMap((entry) => listAt(entry, 'messaging'));
      return { kind: 'arrivals', arrivals: events.flatMap(arrivalsOf) };
    },

    send({ conversation, body, in_reply_to, is_personal_alone }, { access_token, api_url }) {
      if (access_token === undefined) return null;
      const answered = in_reply_to === null ? {} : { reply_to: { mid: in_reply_to } };
      const kind = is_personal_alone
        ? { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' }
        : { messaging_type: 'RESPONSE' };
      const content = { recipient: { id: conversation }, ...kind, message: { text: body }, ...answered };
      const headers = { 'Content-Type': 'application/json; charset=utf-8', Authorization: `Bearer ${access_token}` };
      return { method: 'POST', url: `${api_url}/me/messages`, headers, body: JSON.stringify(content) };
    },

    receipt: ({ body }: OutboundResult): Receipt => ({
      external_message_id: shortText(textAt(jsonOf(Buffer.from(body ?? '')), 'message_id')),
      refusal: null,
    }),

    probe: ({ access_token, api_url }) =>
      access_token === undefined
        ? null
        : { method: 'GET', url: `${api_url}/me`, headers: { Authorization: `Bearer ${access_token}` } },
  };
}

export const facebookChannel = messenger('facebook', 'Facebook Messenger', 'page');
export const instagramChannel = messenger('instagram', 'Instagram', 'instagram');

function arrivalsOf(event: unknown): Arrival[] {
  const handle = shortText(textAt(event, 'sender', 'id'));
  if (handle === null) return [];
  const from: Peer = { handle, name: null };
  const delivered = listAt(event, 'delivery', 'mids').flatMap((each) => shortText(textAt([each], 0)) ?? []);
  if (delivered.length > 0) return delivered.map((id) => statusOf(id, 'delivered', event));
  const read = shortText(textAt(event, 'read', 'mid'));
  if (read !== null) return [statusOf(read, 'read', event)];
  const reacted = shortText(textAt(event, 'reaction', 'mid'));
  const emoji = shortText(textAt(event, 'reaction', 'emoji') ?? textAt(event, 'reaction', 'reaction'), 64);
  if (reacted !== null && emoji !== null) {
    const removed = textAt(event, 'reaction', 'action') === 'unreact';
    return [{ kind: 'reaction', external_message_id: reacted, from, emoji, removed }];
  }
  const id = shortText(textAt(event, 'message', 'mid'));
  // An echo is what the page itself sent.
  if (id === null || at(event, 'message', 'is_echo') === true) return [];
  if (at(event, 'message', 'is_deleted') === true) return [{ kind: 'deletion', external_message_id: id }];
  const type = wordIn(TYPES, textAt(event, 'message', 'attachments', 0, 'type')) ?? 'text';
  return [
    {
      kind: 'message',
      external_message_id: id,
      conversation: handle,
      reply_to: handle,
      from,
      subject: null,
      body: saidText(textAt(event, 'message', 'text'), type === 'text' ? '(no text)' : `(${type})`),
      message_type: type,
      sent_at: toldAt(event),
      in_reply_to: shortText(textAt(event, 'message', 'reply_to', 'mid')),
    },
  ];
}

function statusOf(id: string, status: 'delivered' | 'read', event: unknown): Arrival {
  return { kind: 'status', external_message_id: id, status, error: null, at: toldAt(event) };
}

/** It is told in milliseconds. */
function toldAt(event: unknown): string | null {
  return momentOf(Number(textAt(event, 'timestamp') ?? NaN));
}
