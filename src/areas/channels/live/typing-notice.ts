import { isRecord } from '../../../platform/text/json';
import { firstCharacters } from '../../../platform/text/normalise';

/** That somebody is writing in a conversation. Told to whoever listens, and kept nowhere. */
export interface TypingNotice {
  workspace_id: number;
  channel_id: number;
  thread_id: number;
  from: 'visitor' | 'agent';
  /** Of an agent. */
  user_id: number | null;
  name: string | null;
}

/** Whoever listens shows it for this long, unless it is said again or a message comes. */
export const SHOWN_SECONDS = 6;
const MAX_NAME = 120;

/** What streams are told of it. */
export function typingBody({ channel_id, thread_id, from, user_id, name }: TypingNotice): object {
  return { channel_id, thread_id, from, user_id, name, seconds: SHOWN_SECONDS };
}

/** A notice of another process; null where it is none. */
export function noticeOf(text: string): TypingNotice | null {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) return null;
  const { workspace_id, channel_id, thread_id, from, user_id, name } = value;
  if (typeof workspace_id !== 'number' || typeof channel_id !== 'number' || typeof thread_id !== 'number') return null;
  if (from !== 'visitor' && from !== 'agent') return null;
  return {
    ...{ workspace_id, channel_id, thread_id, from, user_id: typeof user_id === 'number' ? user_id : null },
    name: typeof name === 'string' ? firstCharacters(name.toWellFormed(), MAX_NAME) : null,
  };
}
