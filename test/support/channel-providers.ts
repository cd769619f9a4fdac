import { createHmac } from 'node:crypto';

export const SECRET = 'provider-secret-of-24-characters';
const MOMENT = 1_700_000_000;

/** What a provider posts, signed. */
export interface Posted {
  body: string;
  headers: Record<string, string>;
}

/** A network, as its documentation shows it. */
export interface Provider {
  type: string;
  config: Record<string, string>;
  /** A message of Ada's, and one that belongs to the same conversation. */
  message: (text: string, serial: number) => object;
  sign: (content: object, url: string, secret?: string) => Posted;
  /** What it answers to a message. */
  answer: string;
  /** What it was sent. */
  sent: { path: string; holds: object | string; authorization?: string };
  /** The first message that was answered, read. */
  status?: object;
}

export const hex = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');
const json = (content: object, headers: Record<string, string>): Posted => ({
  body: JSON.stringify(content),
  headers: { 'content-type': 'application/json', ...headers },
});

/** By name. */
export const PROVIDERS: Record<string, Provider> = {
  slack: {
    type: 'slack',
    config: { signing_secret: SECRET, bot_token: 'xoxb-test-token' },
    // https://docs.slack.dev/reference/events/message.channels
    message: (text, serial) => ({
      type: 'event_callback',
      team_id: 'T1',
      event_id: `Ev${serial}`,
      event: {
        type: 'message',
        channel: 'C1',
        user: 'U1',
        text,
        ts: `${MOMENT}.00010${serial}`,
        ...(serial > 1 ? { thread_ts: `${MOMENT}.000101` } : {}),
        channel_type: 'channel',
      },
    }),
    sign: (content, _url, secret = SECRET) => {
      const at = String(Math.floor(Date.now() / 1_000));
      const signature = `v0=${hex(secret, `v0:${at}:${JSON.stringify(content)}`)}`;
      return json(content, { 'x-slack-request-timestamp': at, 'x-slack-signature': signature });
    },
    answer: JSON.stringify({ ok: true, channel: 'C1', ts: `${MOMENT}.000900` }),
    sent: {
      path: '/hook/chat.postMessage',
      holds: { channel: 'C1', text: 'An answer', thread_ts: `${MOMENT}.000101` },
      authorization: 'Bearer xoxb-test-token',
    },
  },
  telegram: {
    type: 'telegram',
    config: { secret_token: SECRET, bot_token: '123:abc-def' },
    // https://core.telegram.org/bots/api#update
    message: (text, serial) => ({
      update_id: serial,
      message: {
        message_id: serial,
        date: MOMENT,
        chat: { id: 77, type: 'private' },
        from: { id: 77, is_bot: false, first_name: 'Ada', last_name: 'Lovelace' },
        text,
      },
    }),
    sign: (content, _url, secret = SECRET) => json(content, { 'x-telegram-bot-api-secret-token': secret }),
    answer: JSON.stringify({ ok: true, result: { message_id: 900, chat: { id: 77 } } }),
    sent: { path: '/hook/bot123:abc-def/sendMessage', holds: { chat_id: '77', text: 'An answer' } },
  },
  whatsapp: {
    type: 'whatsapp',
    config: { app_secret: SECRET, verify_token: 'verify-me', access_token: 'access-token', phone_number_id: '4711' },
    // https://developers.facebook.com/docs/whatsapp/cloud-api/webhooks/payload-examples
    message: (text, serial) => ({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '1',
          changes: [
            {
              field: 'messages',
              value: {
                messaging_product: 'whatsapp',
                metadata: { display_phone_number: '12025550100', phone_number_id: '4711' },
                contacts: [{ profile: { name: 'Ada' }, wa_id: '12025550142' }],
                messages: [
                  {
                    from: '12025550142',
                    id: `wamid.${serial}`,
                    timestamp: String(MOMENT),
                    type: 'text',
                    text: { body: text },
                  },
                ],
              },
            },
          ],
        },
      ],
    }),
    sign: (content, _url, secret = SECRET) =>
      json(content, { 'x-hub-signature-256': `sha256=${hex(secret, JSON.stringify(content))}` }),
    answer: JSON.stringify({ messaging_product: 'whatsapp', messages: [{ id: 'wamid.900' }] }),
    sent: {
      path: '/hook/4711/messages',
      holds: { messaging_product: 'whatsapp', to: '12025550142', type: 'text', text: { body: 'An answer' } },
      authorization: 'Bearer access-token',
    },
    status: {
      object: 'whatsapp_business_account',
      entry: [
        {
          changes: [
            {
              field: 'messages',
              value: {
                metadata: { phone_number_id: '4711' },
                statuses: [{ id: 'wamid.900', status: 'read', timestamp: String(MOMENT), recipient_id: '12025550142' }],
              },
            },
          ],
        },
      ],
    },
  },
  twilio: {
    type: 'sms',
    config: { account_sid: `AC${'0'.repeat(32)}`, auth_token: SECRET, from_number: '+12025550100' },
    // https://www.twilio.com/docs/messaging/guides/webhook-request
    message: (text, serial) => ({
      MessageSid: `SM${serial}`,
      From: '+12025550142',
      To: '+12025550100',
      Body: text,
      NumMedia: '0',
    }),
    // https://www.twilio.com/docs/usage/security#validating-requests
    sign: (content, url, secret = SECRET) => {
      const form = Object.entries(content) as [string, string][];
      const text =
        url +
        form
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .flat()
          .join('');
      const signature = createHmac('sha1', secret).update(text).digest('base64');
      const type = 'application/x-www-form-urlencoded';
      return {
        body: new URLSearchParams(form).toString(),
        headers: { 'content-type': type, 'x-twilio-signature': signature },
      };
    },
    answer: JSON.stringify({ sid: 'SM900', status: 'queued' }),
    sent: {
      path: `/hook/2010-04-01/Accounts/AC${'0'.repeat(32)}/Messages.json`,
      holds: 'To=%2B12025550142&From=%2B12025550100&Body=An+answer',
      authorization: `Basic ${Buffer.from(`AC${'0'.repeat(32)}:${SECRET}`).toString('base64')}`,
    },
    status: { MessageSid: 'SM900', MessageStatus: 'read' },
  },
  facebook: {
    type: 'facebook',
    config: { app_secret: SECRET, verify_token: 'verify-me', access_token: 'access-token' },
    // https://developers.facebook.com/docs/messenger-platform/webhooks
    message: (text, serial) => ({
      object: 'page',
      entry: [
        {
          id: '1',
          time: MOMENT * 1_000,
          messaging: [
            {
              sender: { id: '77' },
              recipient: { id: '1' },
              timestamp: MOMENT * 1_000,
              message: { mid: `m_${serial}`, text },
            },
            {
              sender: { id: '1' },
              recipient: { id: '77' },
              timestamp: MOMENT * 1_000,
              message: { mid: 'm_echo', text: 'x', is_echo: true },
            },
          ],
        },
      ],
    }),
    sign: (content, _url, secret = SECRET) =>
      json(content, { 'x-hub-signature-256': `sha256=${hex(secret, JSON.stringify(content))}` }),
    answer: JSON.stringify({ recipient_id: '77', message_id: 'm_900' }),
    sent: {
      path: '/hook/me/messages',
      holds: { recipient: { id: '77' }, messaging_type: 'RESPONSE', message: { text: 'An answer' } },
      authorization: 'Bearer access-token',
    },
    status: {
      object: 'page',
      entry: [
        { messaging: [{ sender: { id: '77' }, timestamp: MOMENT * 1_000, read: { watermark: 1, mid: 'm_900' } }] },
      ],
    },
  },
};
