import type { ChannelAdapter } from '../adapters/adapter';
import type { ThreadMessage } from '../message.entity';

const HOUR_MS = 3_600_000;

/** Where a message is to go. */
interface Way {
  adapter: Pick<ChannelAdapter, 'replyWindow' | 'takesTemplates'>;
  settings: object;
}

/** What decides whether the other side takes a message that is no template. */
interface Asked {
  /** When the other side last wrote, ISO 8601; null where it never did. */
  lastInboundAt: string | null;
  author: ThreadMessage['author_type'] | undefined;
  /** ms since 1970 */
  nowMs: number;
}

/** Why a message is not taken. */
export interface WindowClosed {
  code: 'window_closed';
  message: string;
}

/** Why the other side would not take a message that is no template; null where it takes it. */
export function windowClosed({ adapter, settings }: Way, asked: Asked): WindowClosed | null {
  const window = adapter.replyWindow?.(settings);
  if (!window || isWithin(asked.author === 'agent' ? window.agentHours : window.hours, asked)) return null;
  const message =
    adapter.takesTemplates === true
      ? 'They have written nothing for too long: only templates are taken now.'
      : 'They have written nothing for too long: nothing is taken until they write again.';
  return { code: 'window_closed', message };
}

/** Whether a message is taken only because a person wrote it. */
export function isPersonalAlone({ adapter, settings }: Way, asked: Asked): boolean {
  const window = adapter.replyWindow?.(settings);
  return window !== undefined && asked.author === 'agent' && !isWithin(window.hours, asked);
}

function isWithin(hours: number, { lastInboundAt, nowMs }: Asked): boolean {
  return lastInboundAt !== null && nowMs - Date.parse(lastInboundAt) < hours * HOUR_MS;
}
