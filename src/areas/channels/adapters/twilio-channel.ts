import { TextSetting, UrlSetting } from '../../../platform/area/settings';
import type { OutboundResult } from '../../../platform/outbound/outbound-result';
import type { MessageStatus } from '../channel-values';
import type { Arrival, ArrivedStatus, ChannelAdapter, Receipt } from './adapter';
import { forged, hmac, isSame, jsonOf, saidText, shortText, textAt, UNREADABLE, wordIn } from './telling';

const FORM_TYPE = 'application/x-www-form-urlencoded; charset=utf-8';
const NUMBER = /^\+[1-9]\d{4,14}$/;
/** https://www.twilio.com/docs/messaging/api/message-resource: `Body` */
const MAX_TEXT = 1_600;
const STATUSES: Readonly<Record<string, Extract<MessageStatus, ArrivedStatus['status']>>> = {
  ...{ sent: 'sent', delivered: 'delivered', read: 'read', failed: 'failed', undelivered: 'failed' },
};

/** Settings of a number of Twilio. */
export class TwilioChannelConfig {
  @TextSetting({ title: 'Account SID', max: 64, pattern: /^AC[\da-f]{32}$/, required: true })
  account_sid: string;

  @TextSetting({
    title: 'Auth token',
    description: 'Signs what Twilio tells, and is its password.',
    min: 16,
    max: 128,
    required: true,
    secret: true,
  })
  auth_token: string;

  @TextSetting({
    title: 'Number',
    description: 'Messages are sent from it (E.164).',
    max: 16,
    pattern: NUMBER,
    required: true,
  })
  from_number: string;

  @UrlSetting({ title: 'API' })
  api_url = 'https://api.twilio.com';
}

/**
 * SMS by Twilio: forms in, signed over the address and the sorted members (https://www.twilio.com/docs/usage/security#validating-requests),
 * `POST /2010-04-01/Accounts/{sid}/Messages.json` out. What is told again is known by its id.
 */
export const twilioChannel: ChannelAdapter<TwilioChannelConfig> = {
  type: 'sms',
  name: 'SMS (Twilio)',
  config: TwilioChannelConfig,
  isOutside: true,
  maxText: MAX_TEXT,
  acknowledgement: { type: 'text/xml; charset=utf-8', text: '<Response/>' },

  receive({ url, headers, body }, { auth_token }) {
    const told = new URLSearchParams(body.toString('utf8'));
    const members = [...told].sort(([one], [other]) => byBytes(one, other)).map(([name, value]) => name + value);
    const expected = hmac('sha1', auth_token, url, members.join('')).toString('base64');
    if (!isSame(headers['x-twilio-signature'], expected)) return forged('X-Twilio-Signature');
    const id = shortText(told.get('MessageSid'));
    if (id === null) return UNREADABLE;
    const arrival = told.has('MessageStatus') && !told.has('Body') ? statusOf(id, told) : messageOf(id, told);
    return { kind: 'arrivals', arrivals: arrival ? [arrival] : [] };
  },

  send({ to, body }, { account_sid, auth_token, from_number, api_url }) {
    const content = new URLSearchParams({ To: to, From: from_number, Body: body });
    const basic = Buffer.from(`${account_sid}:${auth_token}`).toString('base64');
    return {
      method: 'POST',
      url: `${api_url}/2010-04-01/Accounts/${account_sid}/Messages.json`,
      headers: { 'Content-Type': FORM_TYPE, Authorization: `Basic ${basic}` },
      body: content.toString(),
    };
  },

  receipt: ({ body }: OutboundResult): Receipt => ({
    external_message_id: shortText(textAt(jsonOf(Buffer.from(body ?? '')), 'sid')),
    refusal: null,
  }),

  probe: ({ account_sid, auth_token, api_url }) => ({
    method: 'GET',
    url: `${api_url}/2010-04-01/Accounts/${account_sid}.json`,
    headers: { Authorization: `Basic ${Buffer.from(`${account_sid}:${auth_token}`).toString('base64')}` },
  }),
};

function byBytes(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function messageOf(id: string, told: URLSearchParams): Arrival | null {
  const number = told.get('From') ?? '';
  if (!NUMBER.test(number)) return null;
  const files = Number(told.get('NumMedia') ?? 0);
  return {
    kind: 'message',
    external_message_id: id,
    conversation: number,
    reply_to: number,
    from: { phone: number, name: null },
    subject: null,
    body: saidText(told.get('Body'), files > 0 ? '(file)' : '(no text)'),
    message_type: files > 0 ? 'file' : 'text',
    sent_at: null,
    in_reply_to: null,
  };
}

function statusOf(id: string, told: URLSearchParams): Arrival | null {
  const status = wordIn(STATUSES, told.get('MessageStatus'));
  if (status === undefined) return null;
  const code = shortText(told.get('ErrorCode'), 20);
  const error =
    status === 'failed' ? { code: `twilio_${code ?? 'error'}`, message: 'Twilio could not deliver it.' } : null;
  return { kind: 'status', external_message_id: id, status, error, at: null };
}
