import { IntegerSetting } from '../../../platform/area/settings';
import type { ChannelAdapter } from './adapter';

/** Settings of a mailbox that a team has. */
export class EmailConfig {
  @IntegerSetting({
    title: 'Mailbox',
    description: 'An installation of `imap`: what comes in there is of this channel.',
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    required: true,
  })
  integration_id: number;
}

/** A mailbox, read and answered by the mail of this service: the adapter has nothing to send, and nothing to receive. */
export const emailChannel: ChannelAdapter<EmailConfig> = {
  type: 'email',
  name: 'E-mail',
  config: EmailConfig,
  isOutside: true,
  isMailed: true,
};
