import markdownIt from 'markdown-it';

/** Users whom one note names. */
export const MAX_MENTIONS = 20;

/** How a note names users: by id (`@[12]`), by address (`@ada@acme.example`), by what stands before the `@` of it (`@ada`). */
export interface Mentions {
  ids: number[];
  /** Lower-case. */
  emails: string[];
  /** Lower-case. */
  handles: string[];
}

/** Only what is text and what is code is asked of it. Indented lines are no code, as in mail. */
const markdown = markdownIt({ html: false, maxNesting: 30 }).disable(['code', 'image', 'lheading']);

const MENTION =
  /(?<![\p{L}\p{N}_.@/-])@(?:\[(\d{1,15})\]|([\p{L}\p{N}][\p{L}\p{N}._%+-]*)(@[\p{L}\p{N}][\p{L}\p{N}.-]*)?)/gu;

/** Whom a note (Markdown) names, outside of code; each once, in order, the first {@link MAX_MENTIONS}. */
export function mentionsIn(note: string): Mentions {
  const found: Mentions = { ids: [], emails: [], handles: [] };
  if (!note.includes('@')) return found;
  const seen = new Set<string>();
  for (const [whole, id, name = '', domain] of textOf(note).matchAll(MENTION)) {
    const named = whole.toLowerCase().replace(/[._%+-]+$/, '');
    if (seen.has(named)) continue;
    seen.add(named);
    if (seen.size > MAX_MENTIONS) break;
    if (id !== undefined) found.ids.push(Number(id));
    else if (domain !== undefined) found.emails.push(named.slice(1));
    else found.handles.push(name.toLowerCase().replace(/[._%+-]+$/, ''));
  }
  return found;
}

/** What is written as text: neither in blocks nor in pieces of code. */
function textOf(note: string): string {
  return markdown
    .parse(note, {})
    .flatMap(({ children }) => children ?? [])
    .map(({ type, content }) => (type === 'text' ? content : '\n'))
    .join('');
}
