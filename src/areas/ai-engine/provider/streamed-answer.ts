import { isRecord } from '../../../platform/text/json';
import { checkedAnswer, counted, parsedOrNull } from './provided-answer';

/** What of an answer that is still being written may be told already. */
export interface Begun {
  citations: number[];
  confidence: number;
  /** The answer so far, whole characters. */
  text: string;
}

/** What a stream of chat completions said, put together. */
export interface Completion {
  content: string | null;
  tokensIn: number;
  tokensOut: number;
}

/** Characters of what a model says, the envelope not counted: more is no answer. */
const MOST_CONTENT = 65_536;
/** Without a word of the other side on tokens, a token is taken for so many characters. */
const TOKEN_CHARACTERS = 4;

const HEAD =
  /^\s*\{\s*"action"\s*:\s*"answer"\s*,\s*"citations"\s*:\s*\[[\d\s,]*\]\s*,\s*"confidence"\s*:\s*[\d.eE+-]+\s*,\s*"answer"\s*:\s*"/;

/**
 * What of the JSON of an answer may be told before its end: nothing until it is known that it is an answer and cites what was given, in the
 * order of the schema; null until then.
 *
 * @param passages how many the model was given
 */
export function begunAnswer(content: string, passages: number): Begun | null {
  const head = HEAD.exec(content)?.[0];
  if (head === undefined) return null;
  const checked = checkedAnswer(`${head}x"}`, passages);
  if (typeof checked === 'string') return null;
  const said = textOf(content.slice(head.length));
  return said === null ? null : { citations: checked.citations, confidence: checked.confidence, text: said };
}

/** A text of JSON that may be broken off, as far as it is whole; null where it is none. */
function textOf(written: string): string | null {
  let end = 0;
  while (end < written.length && written[end] !== '"') {
    if (written[end] !== '\\') end++;
    else if (written[end + 1] === 'u') {
      if (end + 6 > written.length) break;
      end += 6;
    } else if (end + 2 > written.length) break;
    else end += 2;
  }
  const text = parsedOrNull(`"${written.slice(0, end)}"`);
  if (typeof text !== 'string' || text.includes('\0')) return null;
  // The other half of a character is still to come.
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}

/** Puts the events of a stream of chat completions together (`data:` lines, an end called `[DONE]`); one that is no stream is taken whole. */
export class CompletionStream {
  private readonly decoder = new TextDecoder();
  private rest = '';
  private content = '';
  private usage: Record<string, unknown> | null = null;
  private isWhole = false;

  /** @param characters of what was asked, for what the other side does not count */
  constructor(private readonly characters: number) {}

  /** What has been said so far. */
  get soFar(): string {
    return this.content;
  }

  /** Whether the other side said that this is all. */
  get isOver(): boolean {
    return this.isWhole;
  }

  /** @returns false when it says too much */
  take(bytes: Uint8Array): boolean {
    const lines = (this.rest + this.decoder.decode(bytes, { stream: true })).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.line(line.trim());
    return this.content.length <= MOST_CONTENT && this.rest.length <= MOST_CONTENT;
  }

  finish(): Completion {
    const { prompt_tokens: asked, completion_tokens: said } = this.usage ?? {};
    const guessed = (characters: number): number => Math.ceil(characters / TOKEN_CHARACTERS);
    return {
      content: this.content === '' ? null : this.content,
      tokensIn: this.usage ? counted(asked) : guessed(this.characters),
      tokensOut: this.usage ? counted(said) : guessed(this.content.length),
    };
  }

  private line(line: string): void {
    if (!line.startsWith('data:') || this.isWhole) return;
    const data = line.slice('data:'.length).trim();
    if (data === '[DONE]') {
      this.isWhole = true;
      return;
    }
    const event = parsedOrNull(data);
    if (!isRecord(event)) return;
    if (isRecord(event.usage)) this.usage = event.usage;
    const choices: unknown[] = Array.isArray(event.choices) ? event.choices : [];
    const [choice] = choices;
    const delta = isRecord(choice) && isRecord(choice.delta) ? choice.delta : {};
    if (typeof delta.content === 'string') this.content += delta.content;
  }
}
