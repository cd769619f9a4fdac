const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};
const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,6}));/g;
const ESCAPABLE = /[!-/:-@[-`{-~]/;
const TAG = /^<(?:[a-z/!?][^<>]*|[^<>\s]+@[^<>\s]+)>$/i;

/** Characters that mean nothing but themselves. */
const ORDINARY = /[^\\[\]!<*_`~|]+/y;

/** How far the end of an address or of a tag is looked for. */
const MAX_REACH = 2_000;

/**
 * The text of one line of Markdown: emphasis, code marks and tags go; links and images leave what they are called. One pass:
 * every character is looked at a bounded number of times.
 */
export function inlineText(line: string): string {
  const out: string[] = [];
  const brackets: number[] = [];
  let at = 0;
  while (at < line.length) {
    ORDINARY.lastIndex = at;
    const run = ORDINARY.exec(line)?.[0] ?? '';
    if (run !== '') out.push(run);
    at += run.length;
    if (at === line.length) break;
    const character = line[at] ?? '';
    const next = line[at + 1] ?? '';
    if (character === '\\' && ESCAPABLE.test(next)) {
      out.push(next);
      at += 2;
    } else if (character === '[' || (character === '!' && next === '[')) {
      brackets.push(out.push(character === '[' ? '[' : '![') - 1);
      at += character === '[' ? 1 : 2;
    } else if (character === ']') {
      const end = addressEnd(line, at + 1);
      const open = brackets.pop();
      if (end !== null && open !== undefined) out[open] = '';
      else out.push(']');
      at = end !== null && open !== undefined ? end : at + 1;
    } else if (character === '<') {
      const end = line.slice(at, at + MAX_REACH).indexOf('>');
      const tag = end === -1 ? '' : line.slice(at, at + end + 1);
      if (/^<https?:[^\s<>]+>$/i.test(tag)) out.push(tag.slice(1, -1));
      else if (TAG.test(tag)) out.push(tag.includes('@') ? tag.slice(1, -1) : ' ');
      else out.push('<');
      at += tag !== '' && out.at(-1) !== '<' ? tag.length : 1;
    } else if (isEmphasis(line, at)) {
      at++;
    } else {
      out.push(character === '|' ? ' ' : character);
      at++;
    }
  }
  return decoded(out.join(''))
    .replace(/[^\S\n]+/gu, ' ')
    .trim();
}

/** Where `(address)` or `[name]` that begins here ends; null when it is none. */
function addressEnd(line: string, from: number): number | null {
  const close = line[from] === '(' ? ')' : line[from] === '[' ? ']' : null;
  if (close === null) return null;
  const end = line.slice(from, from + MAX_REACH).indexOf(close);
  return end === -1 ? null : from + end + 1;
}

/** Marks of emphasis and code; signs that stand alone between spaces, or inside a word like `snake_case`, are text. */
function isEmphasis(line: string, at: number): boolean {
  const character = line[at];
  if (character !== '*' && character !== '_' && character !== '`' && character !== '~') return false;
  const [before, after] = [line[at - 1] ?? ' ', line[at + 1] ?? ' '];
  if (character === '~') return before === '~' || after === '~';
  if (/\s/.test(before) && /\s/.test(after)) return false;
  return character !== '_' || !(/[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after));
}

function decoded(text: string): string {
  return text.replace(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return (Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : null) ?? whole;
    const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
    const isText = code > 31 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isText ? String.fromCodePoint(code) : whole;
  });
}
