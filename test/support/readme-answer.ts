/** Values that differ from desk to desk although they look like words of the service. */
const OWN_WORDS = new Set(['slug', 'tags', 'name', 'title', 'subject', 'secret_hint', 'snippet']);
/** Numbers that are what the README is about. */
const EXACT_NUMBERS = new Set(
  'status index succeeded failed skipped subtotal discount_total tax_total csat_score escalation_level duration_minutes offset'.split(
    ' ',
  ),
);
const TOKEN = /"(?:[^"\\]|\\.)*"|…|req_[\w-]+|-?\d+(?:\.\d+)?|[^\s]/g;

/**
 * Compares what a command printed with what the README shows: every name, and every value that the command names or that
 * is a word of the service, as it stands; other values by their kind. `…` stands for anything.
 *
 * @returns null when they agree, else what was not found, and where
 */
export function mismatch(shown: string, printed: string, command: string): string | null {
  const { headers, rest } = parted(shown);
  const missing = headers.find((line) => !headerPattern(line).test(printed));
  if (missing !== undefined) return `no header like "${missing}" in:\n${printed.slice(0, 1_500)}`;
  const text = compact(headers.length ? printed.slice(printed.search(/^\{/m)) : printed);
  let position = 0;
  for (const segment of segments(rest, command)) {
    const match = new RegExp(segment.pattern, 'g');
    match.lastIndex = position;
    const found = match.exec(text);
    if (found === null || (position === 0 && !segment.afterGap && found.index > 0)) {
      return `expected ${segment.text}\nin      ${text.slice(position, position + 1_500)}`;
    }
    position = found.index + found[0].length;
  }
  return null;
}

/** The lines above the body of an answer printed with its headers. */
function parted(shown: string): { headers: string[]; rest: string } {
  if (!shown.startsWith('HTTP/')) return { headers: [], rest: shown };
  const [head = '', ...body] = shown.split('\n\n');
  return { headers: head.split('\n').filter((line) => line !== '…'), rest: body.join('\n\n') };
}

function headerPattern(line: string): RegExp {
  return new RegExp(
    `^${escaped(line)
      .replace(/req_[\w-]+/g, 'req_[\\w-]+')
      .replace(/\d+/g, '\\d+')}\\r?$`,
    'mi',
  );
}

interface Segment {
  text: string;
  pattern: string;
  afterGap: boolean;
}

function segments(shown: string, command: string): Segment[] {
  const found: Segment[] = [{ text: '', pattern: '', afterGap: false }];
  let key = '';
  const tokens = shown.match(TOKEN) ?? [];
  tokens.forEach((token, place) => {
    if (token === '…') {
      found.push({ text: '', pattern: '', afterGap: true });
      return;
    }
    const segment = found.at(-1)!;
    const isKey = token.startsWith('"') && tokens[place + 1] === ':';
    if (isKey) key = token.slice(1, -1);
    segment.text += token;
    segment.pattern += isKey ? escaped(token) : patternOf(token, key, command);
  });
  return found.filter(({ pattern }) => pattern !== '');
}

function patternOf(token: string, key: string, command: string): string {
  if (token.startsWith('"')) return stringPattern(token, key, command);
  if (token.startsWith('req_')) return 'req_[\\w-]+';
  if (!/^-?\d/.test(token)) return escaped(token);
  return EXACT_NUMBERS.has(key) ? `${escaped(token)}(?:\\.0+)?` : '-?\\d+(?:\\.\\d+)?';
}

function stringPattern(token: string, key: string, command: string): string {
  const value = token.slice(1, -1);
  const said = value !== '' && command.includes(value);
  const word = /^[a-z_.]+$/.test(value) && !OWN_WORDS.has(key);
  return said || word || value === '' ? escaped(token) : '"(?:[^"\\\\]|\\\\.)*"';
}

function compact(text: string): string {
  return (text.match(TOKEN) ?? []).join('');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
