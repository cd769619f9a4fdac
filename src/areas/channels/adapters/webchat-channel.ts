import { EnumSetting, FlagSetting, TextSetting, TextsSetting } from '../../../platform/area/settings';
import type { ChannelAdapter } from './adapter';

/** `*`, or an origin as browsers name it; `https://*.example.com` is any host below that one. */
const ORIGIN_RULE =
  /^(\*|https?:\/\/(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(:[1-9]\d{0,4})?)$/;

const ASKED = ['off', 'optional', 'required'] as const;
export type Asked = (typeof ASKED)[number];

const AI_MODES = ['off', 'suggest', 'auto'] as const;
export type AiMode = (typeof AI_MODES)[number];

/** Settings of a chat on a site. */
export class WebchatConfig {
  @TextsSetting({
    title: 'Allowed origins',
    description:
      'Of the pages that it may stand on: `https://www.example.com`, `https://*.example.com`, or `*` for all.',
    min: 1,
    max: 50,
    longest: 255,
    pattern: ORIGIN_RULE,
    required: true,
  })
  allowed_origins: string[];

  @TextSetting({ title: 'Heading', description: 'The name of the workspace unless set.', max: 60 })
  heading?: string;

  @TextSetting({ title: 'Greeting', description: 'Above an empty conversation.', max: 500 })
  greeting?: string;

  @EnumSetting(ASKED, { title: 'Ask for a name', description: 'Before the first message.' })
  ask_name: Asked = 'optional';

  @EnumSetting(ASKED, { title: 'Ask for an e-mail address', description: 'Before the first message.' })
  ask_email: Asked = 'optional';

  @FlagSetting({ title: 'Files', description: 'Visitors may send files of at most 10 MB.' })
  attachments = false;

  @TextSetting({
    title: 'Identity secret',
    description: 'Signs (HS256) what the server of the site says of who its visitor is.',
    min: 32,
    max: 256,
    secret: true,
  })
  identity_secret?: string;

  @FlagSetting({ title: 'Identified visitors only', description: 'Nobody else gets in.' })
  identified_only = false;

  @EnumSetting(AI_MODES, {
    title: 'AI engine',
    description:
      '`suggest`: what it would answer is noted in the conversation; `auto`: it answers, and gives the conversation to people as a ticket.',
  })
  ai: AiMode = 'off';
}

/** Visitors of a site, through the widget of this service. They come for what is said, so nothing is sent. */
export const webchatChannel: ChannelAdapter<WebchatConfig> = {
  type: 'webchat',
  name: 'Web chat',
  config: WebchatConfig,
  isOutside: true,
  isFetched: true,
};

/** Whether the engine has a conversation until it gives it to people. */
export function isLedByEngine(settings: object): boolean {
  return settings instanceof WebchatConfig && settings.ai === 'auto';
}
