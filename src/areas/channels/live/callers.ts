import type { Principal } from '../../../platform/context/principal';
import type { LiveEvent, LiveEvents } from './live-events';
import { type Audience, frameOf } from './live-stream';
import type { TypingNotice } from './typing-notice';

/** Callers with a token: what they see of channels and conversations. */
export class Callers implements Audience {
  readonly key: string;

  constructor(
    private readonly principal: Principal,
    private readonly events: LiveEvents,
  ) {
    const { sight, userId } = principal;
    this.key = sight === null ? '' : `${userId ?? 0} ${sight.key}`;
  }

  async frames(workspaceId: number, events: readonly LiveEvent[]): Promise<ReadonlyMap<LiveEvent, Buffer>> {
    const { principal } = this;
    const seen = principal.sight === null ? null : await this.events.seenBy(workspaceId, principal, events);
    const shown = events.filter(
      ({ thread_id, channel_id }) =>
        seen === null || (thread_id === null ? seen.channels.has(channel_id) : seen.threads.has(thread_id)),
    );
    return new Map(shown.map((event) => [event, frameOf(event)]));
  }

  async hears(notice: TypingNotice): Promise<boolean> {
    const { principal } = this;
    if (principal.sight === null) return true;
    const seen = await this.events.seenBy(notice.workspace_id, principal, [notice]);
    return seen.threads.has(notice.thread_id);
  }
}
