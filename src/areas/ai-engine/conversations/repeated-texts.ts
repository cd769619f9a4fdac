import { MAX_MESSAGE } from './conversation-values';

/** Between texts that were put together as one. */
const BETWEEN = '\n\n';

/**
 * Whether a message of a conversation repeats something that was said elsewhere, or as much of it as a message takes: by itself, or among
 * others. Of what is too long the end is left out, in a chat the beginning.
 */
export function repeats(message: string, said: string): boolean {
  if (consistsOf(message, said)) return true;
  if (message.length < MAX_MESSAGE - 1) return false;
  const [whole, sought] = [BETWEEN + message + BETWEEN, BETWEEN + said + BETWEEN];
  for (let at = whole.indexOf(BETWEEN); at !== -1; at = whole.indexOf(BETWEEN, at + 1)) {
    const [head, tail] = [whole.slice(0, at + BETWEEN.length), whole.slice(at)];
    if (head !== BETWEEN && sought.endsWith(head.slice(BETWEEN.length))) return true;
    if (tail !== BETWEEN && sought.startsWith(tail.slice(0, -BETWEEN.length))) return true;
  }
  return false;
}

/** Whether a text is one of those that another was put together of. */
export function consistsOf(whole: string, part: string): boolean {
  return (BETWEEN + whole + BETWEEN).includes(BETWEEN + part + BETWEEN);
}
