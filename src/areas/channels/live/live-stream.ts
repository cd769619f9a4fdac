import { eventFrame, EventStream } from '../../../platform/http/streams/event-stream';
import type { LiveEvent } from './live-events';
import type { TypingNotice } from './typing-notice';

/** What a stream is about: all that its caller sees, unless it says less. */
export interface LiveFilter {
  channel_id: number | null;
  thread_id: number | null;
}

/** Bytes that a client has not taken. */
export const MAX_WAITING = 262_144;

/** Who listens: those who are told the same are asked for once. */
export interface Audience {
  /** The same for those who are told the same, in one workspace. */
  readonly key: string;
  /** What of these events they are told, and how; the others are not for them. */
  frames(workspaceId: number, events: readonly LiveEvent[]): Promise<ReadonlyMap<LiveEvent, Buffer>>;
  /** Whether they are told that somebody writes. */
  hears(notice: TypingNotice): Promise<boolean>;
}

/** An event as a stream tells it. */
export function frameOf({ mark, type, body }: LiveEvent): Buffer {
  return Buffer.from(eventFrame(type, body, mark));
}

/** One open stream of what happens in channels. */
export class LiveStream extends EventStream {
  constructor(
    readonly audience: Audience,
    private readonly filter: LiveFilter,
  ) {
    super(MAX_WAITING);
  }

  wants({ channel_id, thread_id }: Pick<LiveEvent, 'channel_id' | 'thread_id'>): boolean {
    const { filter } = this;
    if (filter.channel_id !== null && filter.channel_id !== channel_id) return false;
    return filter.thread_id === null || filter.thread_id === thread_id;
  }

  /** Too much was missed, or it is not known what: what the client has is to be read anew. */
  reset(): void {
    this.write(eventFrame('reset', {}));
  }
}
