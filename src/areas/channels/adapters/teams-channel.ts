import { TextSetting, UrlSetting } from '../../../platform/area/settings';
import { htmlText } from '../../../platform/mail/html-text';
import type { ChannelAdapter, Peer } from './adapter';
import { forged, hmac, isSame, jsonOf, momentOf, saidText, shortText, textAt, UNREADABLE } from './telling';

/** https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using: 28 KB of a card. */
const MAX_TEXT = 20_000;
const MAX_HTML = 100_000;

/** Settings of an outgoing webhook of Microsoft Teams, and of a workflow that posts. */
export class TeamsChannelConfig {
  @TextSetting({
    title: 'Security token',
    description: 'Shown when the outgoing webhook was made; base64.',
    min: 16,
    max: 256,
    pattern: /^[A-Za-z0-9+/]+={0,2}$/,
    required: true,
    secret: true,
  })
  security_token: string;

  @UrlSetting({
    title: 'Workflow URL',
    description: '"When a Teams webhook request is received"; who knows it can post.',
    secret: true,
  })
  webhook_url?: string;
}

/**
 * Microsoft Teams: an outgoing webhook in, signed with its token
 * (https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-outgoing-webhook), a workflow out, which posts an
 * adaptive card to its channel. A webhook cannot answer later within a thread; a bot could.
 */
export const teamsChannel: ChannelAdapter<TeamsChannelConfig> = {
  type: 'ms_teams',
  name: 'Microsoft Teams',
  config: TeamsChannelConfig,
  isOutside: true,
  maxText: MAX_TEXT,
  acknowledgement: { type: 'application/json; charset=utf-8', text: '{"type":"message","text":"✓"}' },

  receive({ headers, body }, { security_token }) {
    const expected = `HMAC ${hmac('sha256', Buffer.from(security_token, 'base64'), body).toString('base64')}`;
    if (!isSame(headers.authorization, expected)) return forged('Authorization');
    const activity = jsonOf(body);
    const [id, conversation] = [shortText(textAt(activity, 'id')), shortText(textAt(activity, 'conversation', 'id'))];
    const handle = shortText(textAt(activity, 'from', 'aadObjectId') ?? textAt(activity, 'from', 'id'));
    if (textAt(activity, 'type') !== 'message' || id === null || conversation === null || handle === null)
      return UNREADABLE;
    const from: Peer = { handle, name: shortText(textAt(activity, 'from', 'name')) };
    return {
      kind: 'arrivals',
      arrivals: [
        {
          kind: 'message',
          external_message_id: id,
          conversation,
          reply_to: conversation,
          from,
          subject: null,
          body: saidText(plain(textAt(activity, 'text') ?? '')),
          message_type: 'text',
          sent_at: momentOf(Date.parse(textAt(activity, 'timestamp') ?? '')),
          in_reply_to: shortText(textAt(activity, 'replyToId')),
        },
      ],
    };
  },

  send({ body, to_name, author_name }, { webhook_url }) {
    if (webhook_url === undefined) return null;
    const head = [author_name, to_name].filter((name) => name !== null).join(' → ');
    const text = (content: string, more: object): object => ({ type: 'TextBlock', text: content, wrap: true, ...more });
    const card = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [...(head === '' ? [] : [text(head, { weight: 'Bolder' })]), text(body, {})],
    };
    const content = {
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: card }],
    };
    return {
      method: 'POST',
      url: webhook_url,
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
      body: JSON.stringify(content),
    };
  },
};

/** The text of a message, without the name of the webhook that it was for, and without markup. */
function plain(html: string): string {
  return htmlText(html.slice(0, MAX_HTML).replaceAll(/<at>[^<]{0,200}<\/at>/g, '')).trim();
}
