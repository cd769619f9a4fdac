import { ERASED, ERASED_ADDRESS } from '../area/personal';
import { addressEdges, type Identifiers, numberEdges, patternsOf, wordEdges } from './identifiers';

/** Below that, numbers are ids and sums rather than telephones. */
const LEAST_NUMBER = 1e8;

export const TAGS = 'tags';

/** Members of records, changes, conditions and actions that say tags: `tags`, `add_tags`. */
const isOfTagsBy = (name: string): boolean => name === TAGS || name.endsWith(`_${TAGS}`);

/** Takes the names, addresses and numbers of one person out of texts. Pure; what was taken out once is not found again. */
export class Scrubber {
  /** PostgreSQL's regular expression (`~*`) of every text that this one may change, and of few others; null = nothing is looked for. */
  readonly sql: string | null;
  private readonly emails: RegExp | null;
  private readonly encoded: RegExp | null;
  private readonly words: RegExp | null;
  private readonly wordsThere: RegExp | null;
  private readonly parts: RegExp | null;
  /** Tags are lower-case, whoever wrote them how. */
  private readonly partsOfTags: RegExp | null;

  constructor(identifiers: Identifiers) {
    const { emails, encoded, names, phones, namesThere, parts, partsInAnyCase } = patternsOf(identifiers);
    const bodies = [...emails, ...encoded, ...names, ...phones];
    this.sql = bodies.length === 0 ? null : bodies.map((body) => `(?:${body})`).join('|');
    this.emails = either(emails.map(addressEdges));
    this.encoded = either(encoded);
    this.words = either([...phones.map(numberEdges), ...names.map(wordEdges)]);
    this.wordsThere = either(namesThere.map(wordEdges));
    this.parts = either(parts.map(wordEdges));
    this.partsOfTags = either(partsInAnyCase.map(wordEdges));
  }

  /** @param there the text belongs to the person: names that others may have, and parts of names, are meant for them */
  text(value: string, there: boolean): string {
    let text = replaced(value, this.emails, ERASED_ADDRESS);
    text = replaced(replaced(text, this.encoded, ERASED), this.words, ERASED);
    if (!there) return text;
    return replaced(replaced(text, this.wordsThere, ERASED), this.parts, ERASED);
  }

  /** Tags joined by commas; in what belongs to the person parts of names are looked for in any case. What is left of several that were nothing else stands there once. */
  tags(value: string, there: boolean): string {
    const text = this.text(value, there);
    const scrubbed = there ? replaced(text, this.partsOfTags, ERASED) : text;
    if (scrubbed === value) return value;
    return scrubbed
      .split(',')
      .filter((tag, at, all) => tag !== ERASED || all.indexOf(tag) === at)
      .join(',');
  }

  /**
   * Every text of a JSON value, names of members among them, and numbers that are one of the person's.
   *
   * @param isOfTags its texts are tags; what a member that is called so says, is in any case
   */
  json(value: unknown, there: boolean, isOfTags = false): unknown {
    if (typeof value === 'string') return isOfTags ? this.tags(value, there) : this.text(value, there);
    if (typeof value === 'number') return value >= LEAST_NUMBER && this.isWhole(String(value), there) ? null : value;
    if (Array.isArray(value)) return value.map((item) => this.json(item, there, isOfTags));
    if (typeof value !== 'object' || value === null) return value;
    const isAboutTags = isOfTags || ('field' in value && value.field === TAGS);
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        this.text(name, false),
        this.json(member, there, isAboutTags || isOfTagsBy(name)),
      ]),
    );
  }

  /** The texts of a list without those that are nothing but the person; the others as `text` makes them. */
  list(values: readonly string[], there: boolean): string[] {
    return values.flatMap((value) => (this.isWhole(value, there) ? [] : [this.text(value, there)]));
  }

  /** Whether a text is nothing but a name, an address or a number of the person. */
  isWhole(value: string, there: boolean): boolean {
    const text = this.text(value.trim(), there);
    return text !== value.trim() && (text === ERASED || text === ERASED_ADDRESS);
  }

  mentions(value: unknown, there: boolean): boolean {
    return JSON.stringify(this.json(value, there)) !== JSON.stringify(value);
  }
}

function either(patterns: readonly string[]): RegExp | null {
  return patterns.length === 0 ? null : new RegExp(patterns.map((pattern) => `(?:${pattern})`).join('|'), 'gu');
}

function replaced(text: string, pattern: RegExp | null, instead: string): string {
  return pattern ? text.replace(pattern, instead) : text;
}
