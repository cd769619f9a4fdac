import type { ChannelAdapter } from './adapter';

/** There is nothing to set. */
class InternalConfig {
  protected readonly isEmpty?: never;
}

/** The people of a workspace among themselves: nothing leaves. */
export const internalChannel: ChannelAdapter<InternalConfig> = {
  type: 'internal',
  name: 'Internal',
  config: InternalConfig,
  isOutside: false,
};
