import { isOneOf } from '../../../platform/text/json';
import { CHANNEL_TYPES, type ChannelType } from '../channel-values';
import type { ChannelAdapter } from './adapter';
import { apiChannel } from './api-channel';
import { internalChannel } from './internal-channel';
import { emailChannel } from './email-channel';
import { facebookChannel, instagramChannel } from './messenger-channels';
import { slackChannel } from './slack-channel';
import { teamsChannel } from './teams-channel';
import { telegramChannel } from './telegram-channel';
import { twilioChannel } from './twilio-channel';
import { webchatChannel } from './webchat-channel';
import { whatsappChannel } from './whatsapp-channel';

const ADAPTERS: readonly ChannelAdapter[] = [
  internalChannel,
  webchatChannel,
  emailChannel,
  apiChannel,
  slackChannel,
  telegramChannel,
  whatsappChannel,
  twilioChannel,
  facebookChannel,
  instagramChannel,
  teamsChannel,
];

/** What there is for a type; undefined where nothing speaks it yet. */
export function adapterOf(type: ChannelType): ChannelAdapter | undefined {
  return ADAPTERS.find((adapter) => adapter.type === type);
}

/** The types that channels can be made of. */
export const AVAILABLE_TYPES: readonly ChannelType[] = CHANNEL_TYPES.filter((type) =>
  isOneOf(
    ADAPTERS.map((adapter) => adapter.type),
    type,
  ),
);
