import { TextSetting, UrlSetting } from '../../../platform/area/settings';
import type { OutboundResult } from '../../../platform/outbound/outbound-result';
import type { MessageType } from '../channel-values';
import type { Arrival, ChannelAdapter, Peer, Receipt } from './adapter';
import { placeAt, type Shared, sharedCard, sharedPlace } from './shared-things';
import {
  at,
  forged,
  isSame,
  jsonOf,
  listAt,
  pairName,
  saidText,
  secondsAt,
  shortText,
  textAt,
  UNREADABLE,
} from './telling';

/** https://core.telegram.org/bots/api#sendmessage */
const MAX_TEXT = 4_096;
const BUSY = 429;

/** Settings of a bot of Telegram. */
export class TelegramChannelConfig {
  @TextSetting({
    title: 'Secret token',
    description: 'As it was given to setWebhook (secret_token).',
    min: 16,
    max: 256,
    pattern: /^[\w-]+$/,
    required: true,
    secret: true,
    stays: true,
  })
  secret_token: string;

  @TextSetting({
    title: 'Bot token',
    description: 'From BotFather.',
    min: 8,
    max: 256,
    pattern: /^[\w:-]+$/,
    secret: true,
  })
  bot_token?: string;

  @UrlSetting({ title: 'API', description: 'Where its methods are.' })
  api_url = 'https://api.telegram.org';
}

/**
 * Telegram: updates in (https://core.telegram.org/bots/api#update) with the secret of `setWebhook`, `sendMessage` out. There is no moment
 * in what is verified; what is told again is known by its id.
 */
export const telegramChannel: ChannelAdapter<TelegramChannelConfig> = {
  type: 'telegram',
  name: 'Telegram',
  config: TelegramChannelConfig,
  isOutside: true,
  maxText: MAX_TEXT,

  receive({ headers, body }, { secret_token }) {
    if (!isSame(headers['x-telegram-bot-api-secret-token'], secret_token))
      return forged('X-Telegram-Bot-Api-Secret-Token');
    const update = jsonOf(body);
    if (textAt(update, 'update_id') === null) return UNREADABLE;
    return { kind: 'arrivals', arrivals: arrivalsOf(update) };
  },

  send({ conversation, body, in_reply_to }, { bot_token, api_url }) {
    if (bot_token === undefined) return null;
    const answered = in_reply_to?.split(':')[1];
    const more =
      answered === undefined
        ? {}
        : { reply_parameters: { message_id: Number(answered), allow_sending_without_reply: true } };
    return {
      method: 'POST',
      url: `${api_url}/bot${bot_token}/sendMessage`,
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ chat_id: conversation, text: body, ...more }),
    };
  },

  receipt({ body }: OutboundResult): Receipt {
    const told = jsonOf(Buffer.from(body ?? ''));
    if (at(told, 'ok') === true) return { external_message_id: nameOf(at(told, 'result')), refusal: null };
    const message = shortText(textAt(told, 'description'), 500) ?? 'Telegram refused it.';
    const isPermanent = at(told, 'error_code') !== BUSY;
    return {
      external_message_id: null,
      refusal: { code: `telegram_${shortText(textAt(told, 'error_code'), 20) ?? 'error'}`, message, isPermanent },
    };
  },

  probe: ({ bot_token, api_url }) =>
    bot_token === undefined ? null : { method: 'GET', url: `${api_url}/bot${bot_token}/getMe`, headers: {} },
};

/** Ids of messages are those of their chat. */
function nameOf(message: unknown): string | null {
  return pairName(textAt(message, 'chat', 'id'), textAt(message, 'message_id'));
}

function arrivalsOf(update: unknown): Arrival[] {
  const edited = at(update, 'edited_message');
  const editedName = nameOf(edited);
  if (editedName !== null) return [{ kind: 'edit', external_message_id: editedName, body: bodyOf(edited) }];
  const reaction = at(update, 'message_reaction');
  if (reaction !== undefined) return reactionsOf(reaction);
  const message = at(update, 'message');
  const [named, from] = [nameOf(message), peerOf(at(message, 'from'))];
  if (named === null || from === null || at(message, 'from', 'is_bot') === true) return [];
  const conversation = shortText(textAt(message, 'chat', 'id')) ?? named;
  return [
    {
      kind: 'message',
      external_message_id: named,
      conversation,
      reply_to: conversation,
      from,
      subject: null,
      body: bodyOf(message),
      message_type: typeOf(message),
      sent_at: secondsAt(message, 'date'),
      in_reply_to: nameOf(at(message, 'reply_to_message')),
      metadata: metadataOf(message),
    },
  ];
}

/** What was there before and is not now was taken back. */
function reactionsOf(told: unknown): Arrival[] {
  const [named, from] = [nameOf(told), peerOf(at(told, 'user'))];
  if (named === null || from === null) return [];
  const emojis = (list: string): string[] =>
    listAt(told, list).flatMap((each) => shortText(textAt(each, 'emoji'), 64) ?? []);
  const [before, now] = [emojis('old_reaction'), emojis('new_reaction')];
  const each = (emoji: string, removed: boolean): Arrival => ({
    kind: 'reaction',
    external_message_id: named,
    from,
    emoji,
    removed,
  });
  return [
    ...before.filter((emoji) => !now.includes(emoji)).map((emoji) => each(emoji, true)),
    ...now.filter((emoji) => !before.includes(emoji)).map((emoji) => each(emoji, false)),
  ];
}

/** What was written, or what a person can read in its place. */
function bodyOf(message: unknown): string {
  const type = typeOf(message);
  const text = textAt(message, 'text') ?? textAt(message, 'caption') ?? sharedIn(message)?.text ?? null;
  return saidText(text, type === 'text' ? '(no text)' : `(${type})`);
}

/** https://core.telegram.org/bots/api#location, #venue (which has the location, too), #contact */
function sharedIn(message: unknown): Shared | null {
  if (at(message, 'location') !== undefined || at(message, 'venue') !== undefined) {
    const venue = at(message, 'venue');
    const { latitude, longitude } = placeAt(venue ?? message, 'location');
    return sharedPlace({ latitude, longitude, name: textAt(venue, 'title'), address: textAt(venue, 'address') });
  }
  const card = at(message, 'contact');
  if (card === undefined) return null;
  const names = [textAt(card, 'first_name'), textAt(card, 'last_name')].filter((each) => each !== null);
  return sharedCard({ name: names.join(' '), phone: textAt(card, 'phone_number') });
}

/** What somebody shares, and that a message is not their own (`forward_origin`). */
function metadataOf(message: unknown): Record<string, unknown> {
  const isForwarded = at(message, 'forward_origin') !== undefined;
  return { ...sharedIn(message)?.metadata, ...(isForwarded ? { forwarded: true } : {}) };
}

function typeOf(message: unknown): MessageType {
  const kinds = [
    ['photo', 'image'],
    ['video', 'video'],
    ['voice', 'audio'],
    ['audio', 'audio'],
    ['document', 'file'],
    ['location', 'location'],
    ['venue', 'location'],
    ['video_note', 'video'],
    ['animation', 'video'],
    ['sticker', 'image'],
  ] as const;
  return kinds.find(([member]) => at(message, member) !== undefined)?.[1] ?? 'text';
}

function peerOf(user: unknown): Peer | null {
  const handle = shortText(textAt(user, 'id'));
  if (handle === null) return null;
  const names = [textAt(user, 'first_name'), textAt(user, 'last_name')].filter((each) => each !== null);
  return { handle, name: shortText(names.join(' ')) ?? shortText(textAt(user, 'username')) };
}
