import { MAX_MESSAGE } from './conversation-values';

/** Between texts that were put together as one. */
const BETWEEN = '\n\n';
/** Length from which on a message may have been longer. */
const CUT = MAX_MESSAGE - 1;

/**
 * Whether a message of a conversation repeats something that was said elsewhere, or as much of it as a message takes: by itself, or among
 * others. Of what is too long the end is left out, in a chat the beginning.
 */
export function repeats(message: string, said: string): boolean {
  if (consistsOf(message, said)) return true;
  if (message.length < CUT) return false;
  const [whole, sought] = [BETWEEN + message + BETWEEN, BETWEEN + said + BETWEEN];
  for (let at = whole.indexOf(BETWEEN); at !== -1; at = whole.indexOf(BETWEEN, at + 1)) {
    const [head, tail] = [whole.slice(0, at + BETWEEN.length), whole.slice(at)];
    if (head !== BETWEEN && sought.endsWith(head.slice(BETWEEN.length))) return true;
    if (tail !== BETWEEN && sought.startsWith(tail.slice(0, -BETWEEN.length))) return true;
  }
  return false;
}

/** Texts that were taken out of somewhere, to be looked for in many messages. */
export class TakenTexts {
  /** By the longest line of each: who repeats a text has every line of it. */
  private readonly byLine = new Map<string, string[]>();
  private readonly joined: string;

  constructor(private readonly texts: readonly string[]) {
    this.joined = texts.join(BETWEEN);
    for (const text of texts) {
      const line = text.split('\n').reduce((longest, each) => (each.length > longest.length ? each : longest), '');
      const same = this.byLine.get(line);
      if (same) same.push(text);
      else this.byLine.set(line, [text]);
    }
  }

  /** See `repeats`. */
  areRepeatedBy(message: string): boolean {
    const lines = new Set(message.split('\n'));
    for (const line of lines) if (this.byLine.get(line)?.some((text) => repeats(message, text))) return true;
    if (message.length < CUT) return false;
    // Of what was cut, the line at the cut is there in part.
    const [first, last] = [message.slice(0, message.search(/\n|$/)), message.slice(message.lastIndexOf('\n') + 1)];
    return this.texts.some((text) => (text.includes(first) || text.includes(last)) && repeats(message, text));
  }

  /** Whether a message is one of those that some of them was put together of. */
  consistOf(message: string): boolean {
    return consistsOf(this.joined, message);
  }
}

/** Whether a text is one of those that another was put together of. */
export function consistsOf(whole: string, part: string): boolean {
  return (BETWEEN + whole + BETWEEN).includes(BETWEEN + part + BETWEEN);
}
