import { textFault } from '../../../../platform/http/json-body';
import { refuse } from './fault';

export const COMPARISONS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type Comparison = (typeof COMPARISONS)[number];
export type Literal = string | number | boolean | null;

/** What a filter asks. Paths are as they were written. */
export type Filter =
  | { op: 'and' | 'or'; of: readonly Filter[] }
  | { op: 'not'; of: Filter }
  | { op: 'pr'; path: string }
  | { op: Comparison; path: string; value: Literal }
  /** Some value of a list fulfils all of it. */
  | { op: 'some'; path: string; of: Filter };

const WORDS = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const MAX_LENGTH = 8_000;
const MAX_DEPTH = 20;
const MAX_TERMS = 200;
/** An attribute, with the URN of its schema or without. */
const WORD = /[A-Za-z_$][\w$.:-]*|-?\d[\w.+-]*/y;
const STRING = /"(?:[^"\\\p{Cc}]|\\.)*"/uy;

/** Reads a filter (RFC 7644, section 3.4.2.2). Texts without quotes, as some clients write them, are taken for texts. */
export function parseFilter(source: string): Filter {
  const reader = new Reader(source);
  const filter = reader.either(0);
  reader.end();
  return filter;
}

/** The same for what stands between brackets in a path. */
export function parseInner(reader: Reader): Filter {
  reader.take('[');
  const filter = reader.either(1);
  reader.take(']');
  return filter;
}

/** Goes through a text from left to right. */
export class Reader {
  private at = 0;
  private terms = 0;

  constructor(
    private readonly source: string,
    private readonly fault: 'invalidFilter' | 'invalidPath' = 'invalidFilter',
  ) {
    if (source.length > MAX_LENGTH) this.refuse(`A filter has at most ${MAX_LENGTH} characters`);
  }

  either(depth: number): Filter {
    const of = [this.all(depth)];
    while (this.word('or')) of.push(this.all(depth));
    return of.length === 1 && of[0] ? of[0] : { op: 'or', of };
  }

  /** The name of an attribute. */
  name(): string {
    const found = this.match(WORD);
    return found !== null && /^[A-Za-z_$]/.test(found) ? found : this.refuse('An attribute is expected');
  }

  isNext(sign: string): boolean {
    this.skip();
    return this.source.startsWith(sign, this.at);
  }

  take(sign: string): void {
    if (!this.isNext(sign)) this.refuse(`"${sign}" is expected`);
    this.at += sign.length;
  }

  end(): void {
    this.skip();
    if (this.at < this.source.length) this.refuse('Nothing more is expected');
  }

  private all(depth: number): Filter {
    const of = [this.one(depth)];
    while (this.word('and')) of.push(this.one(depth));
    return of.length === 1 && of[0] ? of[0] : { op: 'and', of };
  }

  private one(depth: number): Filter {
    if (depth > MAX_DEPTH || ++this.terms > MAX_TERMS) this.refuse('The filter is too long, or nested too deep');
    if (this.word('not')) return { op: 'not', of: this.grouped(depth) };
    if (this.isNext('(')) return this.grouped(depth);
    const path = this.name();
    if (this.isNext('[')) {
      this.take('[');
      const of = this.either(depth + 1);
      this.take(']');
      return this.isNext('.') ? this.inside(path, of) : { op: 'some', path, of };
    }
    return this.compared(path);
  }

  /** `emails[type eq "work"].value eq "…"`: one value has to fulfil both. */
  private inside(path: string, filter: Filter): Filter {
    this.take('.');
    return { op: 'some', path, of: { op: 'and', of: [filter, this.compared(this.name())] } };
  }

  private grouped(depth: number): Filter {
    this.take('(');
    const filter = this.either(depth + 1);
    this.take(')');
    return filter;
  }

  private compared(path: string): Filter {
    if (this.word('pr')) return { op: 'pr', path };
    for (const op of COMPARISONS) if (this.word(op)) return { op, path, value: this.literal() };
    return this.refuse('An operator is expected');
  }

  private literal(): Literal {
    this.skip();
    const quoted = this.match(STRING);
    if (quoted !== null) return this.json(quoted);
    const bare = this.match(WORD) ?? this.refuse('A value is expected');
    const word = WORDS.get(bare.toLowerCase());
    if (word !== undefined) return word;
    return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(bare) ? Number(bare) : bare;
  }

  private json(text: string): string {
    const value = this.unescaped(text);
    const fault = textFault(value);
    return fault ? this.refuse(fault.message.replace(/\.$/, '')) : value;
  }

  private unescaped(text: string): string {
    try {
      return String(JSON.parse(text));
    } catch {
      return this.refuse('The text has an escape that JSON does not have');
    }
  }

  /** Takes a word of the language, case aside, where it is the next one. */
  private word(word: string): boolean {
    this.skip();
    const end = this.at + word.length;
    if (this.source.slice(this.at, end).toLowerCase() !== word || /[\w$.:-]/.test(this.source.charAt(end)))
      return false;
    this.at = end;
    return true;
  }

  private match(pattern: RegExp): string | null {
    this.skip();
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source)?.[0] ?? null;
    if (found !== null) this.at += found.length;
    return found;
  }

  private skip(): void {
    while (this.source.charAt(this.at) === ' ') this.at++;
  }

  private refuse(what: string): never {
    refuse(this.fault, `${what} at character ${this.at + 1} of ${JSON.stringify(this.source.slice(0, 200))}.`);
  }
}
