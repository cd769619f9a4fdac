import type { Notice, Provider, ProviderMessage } from 'helpdesk-api/platform/area/provider';
import { IntegerSetting, TextSetting, UrlSetting } from 'helpdesk-api/platform/area/settings';

/** What an installation sets. */
class RadioConfig {
  @UrlSetting({ title: 'Address of the gateway', required: true })
  url: string;

  @TextSetting({ title: 'Token', required: true, secret: true, min: 8, max: 256, pattern: /^[\x21-\x7e]+$/ })
  token: string;

  @IntegerSetting({ title: 'Channel', min: 1, max: 99 })
  channel = 1;
}

/** Tells drivers, through the gateway of their radios, what happens. */
export const radioProvider: Provider<RadioConfig> = {
  key: 'vehicles_radio',
  name: 'Radio',
  description: 'Reads events out to drivers, through the gateway of their radios.',
  category: 'messaging',
  auth_type: 'api_key',
  config: RadioConfig,
  events: ['*'],
  default_events: ['vehicle.broke_down'],
  actions: ['read_out'],
  docs_url: 'https://radio.example.com/docs',
  is_available: true,
  message: spoken,
};

function spoken({ headline, title, link, tone }: Notice, { url, token, channel }: RadioConfig): ProviderMessage {
  return {
    url,
    headers: { Authorization: `Bearer ${token}` },
    body: { channel, text: `${headline} ${title}`, link, is_urgent: tone === 'bad' },
  };
}
