import { TextSetting, UrlSetting } from '../../../platform/area/settings';
import { isOneOf } from '../../../platform/text/json';
import type { MessageType } from '../channel-values';
import type { MessageTemplate } from '../message-template';
import type { OutboundResult } from '../../../platform/outbound/outbound-result';
import type { Arrival, ChannelAdapter, Peer, Receipt } from './adapter';
import { GraphConfig, verified } from './graph-webhook';
import { placeAt, type Shared, sharedCard, sharedPlace } from './shared-things';
import { at, jsonOf, listAt, saidText, secondsAt, shortText, textAt, UNREADABLE, wordIn } from './telling';

/** https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages#text-object */
const MAX_TEXT = 4_096;
const STATUSES = ['sent', 'delivered', 'read', 'failed'] as const;
const TYPES: Readonly<Record<string, MessageType>> = {
  ...{ image: 'image', sticker: 'image', video: 'video', audio: 'audio', document: 'file' },
  ...{ location: 'location', button: 'text', interactive: 'text' },
};

/** Settings of a number of the WhatsApp Business Platform. */
export class WhatsAppChannelConfig extends GraphConfig {
  @TextSetting({ title: 'Phone number id', max: 32, pattern: /^\d{1,32}$/, required: true })
  phone_number_id: string;

  @UrlSetting({ title: 'API', description: 'The Graph API, with its version.' })
  api_url = 'https://graph.facebook.com/v21.0';
}

/**
 * WhatsApp Cloud API: messages and statuses in (https://developers.facebook.com/docs/whatsapp/cloud-api/webhooks/payload-examples),
 * `POST /{phone-number-id}/messages` out. What is told again is known by its id.
 */
export const whatsappChannel: ChannelAdapter<WhatsAppChannelConfig> = {
  type: 'whatsapp',
  name: 'WhatsApp',
  config: WhatsAppChannelConfig,
  isOutside: true,
  maxText: MAX_TEXT,
  // https://developers.facebook.com/docs/whatsapp/cloud-api/guides/send-messages#customer-service-windows
  replyWindow: () => ({ hours: 24, agentHours: 24 }),
  takesTemplates: true,

  receive(request, settings) {
    const verdict = verified(request, settings);
    if (verdict) return verdict;
    const told = jsonOf(request.body);
    if (textAt(told, 'object') !== 'whatsapp_business_account') return UNREADABLE;
    const values = listAt(told, 'entry')
      .flatMap((entry) => listAt(entry, 'changes'))
      .filter((change) => textAt(change, 'field') === 'messages')
      .map((change) => at(change, 'value'))
      // One app tells of all numbers of an account.
      .filter((value) => textAt(value, 'metadata', 'phone_number_id') === settings.phone_number_id);
    return { kind: 'arrivals', arrivals: values.flatMap(arrivalsOf) };
  },

  send({ to, body, in_reply_to, template }, { access_token, phone_number_id, api_url }) {
    if (access_token === undefined) return null;
    const content = {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: to.replace('+', ''),
      ...(template === null
        ? { type: 'text', text: { preview_url: false, body } }
        : { type: 'template', template: templateOf(template) }),
      ...(in_reply_to === null ? {} : { context: { message_id: in_reply_to } }),
    };
    const headers = { 'Content-Type': 'application/json; charset=utf-8', Authorization: `Bearer ${access_token}` };
    return { method: 'POST', url: `${api_url}/${phone_number_id}/messages`, headers, body: JSON.stringify(content) };
  },

  receipt: ({ body }: OutboundResult): Receipt => ({
    external_message_id: shortText(textAt(jsonOf(Buffer.from(body ?? '')), 'messages', 0, 'id')),
    refusal: null,
  }),

  probe: ({ access_token, phone_number_id, api_url }) =>
    access_token === undefined
      ? null
      : { method: 'GET', url: `${api_url}/${phone_number_id}`, headers: { Authorization: `Bearer ${access_token}` } },
};

/** https://developers.facebook.com/docs/whatsapp/cloud-api/guides/send-message-templates */
function templateOf({ name, language, parameters = [] }: MessageTemplate): object {
  const texts = parameters.map((text) => ({ type: 'text', text }));
  return {
    name,
    language: { code: language },
    ...(texts.length > 0 ? { components: [{ type: 'body', parameters: texts }] } : {}),
  };
}

/** Where somebody is, and that a message is not their own. */
function metadataOf(message: unknown): Record<string, unknown> {
  return {
    ...sharedIn(message)?.metadata,
    ...(at(message, 'context', 'forwarded') === true ? { forwarded: true } : {}),
  };
}

/** https://developers.facebook.com/docs/whatsapp/cloud-api/webhooks/components: `location`, `contacts` (the first one) */
function sharedIn(message: unknown): Shared | null {
  if (at(message, 'location') !== undefined) return sharedPlace(placeAt(message, 'location'));
  const card = at(message, 'contacts', 0);
  if (card === undefined) return null;
  return sharedCard({ name: textAt(card, 'name', 'formatted_name'), phone: textAt(card, 'phones', 0, 'phone') });
}

function arrivalsOf(value: unknown): Arrival[] {
  const names = new Map(
    listAt(value, 'contacts').map((each) => [textAt(each, 'wa_id'), shortText(textAt(each, 'profile', 'name'))]),
  );
  const messages = listAt(value, 'messages').flatMap((message) => messageOf(message, names) ?? []);
  const statuses = listAt(value, 'statuses').flatMap((status) => statusOf(status) ?? []);
  return [...messages, ...statuses];
}

function messageOf(message: unknown, names: ReadonlyMap<string | null, string | null>): Arrival | null {
  const [id, number, type] = [shortText(textAt(message, 'id')), textAt(message, 'from'), textAt(message, 'type') ?? ''];
  if (id === null || number === null || !/^\d{5,15}$/.test(number)) return null;
  const from: Peer = { phone: `+${number}`, name: names.get(number) ?? null };
  const kind = wordIn(TYPES, type);
  if (type === 'reaction') {
    const about = shortText(textAt(message, 'reaction', 'message_id'));
    const emoji = shortText(textAt(message, 'reaction', 'emoji'), 64);
    // Taken back: it is not said which.
    if (about === null || emoji === null) return null;
    return { kind: 'reaction', external_message_id: about, from, emoji, removed: false };
  }
  const text =
    textAt(message, 'text', 'body') ??
    textAt(message, type, 'caption') ??
    textAt(message, 'button', 'text') ??
    textAt(message, 'interactive', 'button_reply', 'title') ??
    textAt(message, 'interactive', 'list_reply', 'title');
  return {
    kind: 'message',
    external_message_id: id,
    conversation: `+${number}`,
    reply_to: `+${number}`,
    from,
    subject: null,
    body: saidText(text ?? sharedIn(message)?.text ?? null, `(${kind ?? 'no text'})`),
    message_type: kind ?? 'text',
    sent_at: secondsAt(message, 'timestamp'),
    in_reply_to: shortText(textAt(message, 'context', 'id')),
    metadata: metadataOf(message),
  };
}

function statusOf(told: unknown): Arrival | null {
  const [id, status] = [shortText(textAt(told, 'id')), textAt(told, 'status')];
  if (id === null || !isOneOf(STATUSES, status)) return null;
  const [code, title] = [
    shortText(textAt(told, 'errors', 0, 'code'), 20),
    shortText(textAt(told, 'errors', 0, 'title'), 500),
  ];
  const error =
    status === 'failed' ? { code: `whatsapp_${code ?? 'error'}`, message: title ?? 'WhatsApp refused it.' } : null;
  return { kind: 'status', external_message_id: id, status, error, at: secondsAt(told, 'timestamp') };
}
