import type { Notice, Provider, ProviderMessage } from 'helpdesk-api/platform/area/provider';

/** Tells drivers, through the gateway of their radios, what happens. */
export const radioProvider: Provider = {
  key: 'vehicles_radio',
  name: 'Radio',
  description: 'Reads events out to drivers, through the gateway of their radios.',
  category: 'messaging',
  auth_type: 'api_key',
  config_schema: {
    type: 'object',
    properties: {
      url: { type: 'string', title: 'Address of the gateway', format: 'uri', maxLength: 2_048 },
      token: {
        type: 'string',
        title: 'Token',
        minLength: 8,
        maxLength: 256,
        pattern: '^[\\x21-\\x7e]+$',
        writeOnly: true,
      },
      channel: { type: 'integer', title: 'Channel', minimum: 1, maximum: 99, default: 1 },
    },
    required: ['url', 'token'],
    additionalProperties: false,
  },
  events: ['*'],
  default_events: ['vehicle.broke_down'],
  actions: ['read_out'],
  docs_url: 'https://radio.example.com/docs',
  is_available: true,
  message: spoken,
};

function spoken(
  { headline, title, link, tone }: Notice,
  { url, token, channel }: Readonly<Record<string, unknown>>,
): ProviderMessage {
  return {
    url: String(url),
    headers: { Authorization: `Bearer ${String(token)}` },
    body: { channel: channel ?? 1, text: `${headline} ${title}`, link, is_urgent: tone === 'bad' },
  };
}
