/** Elements within each other that HTML is read with: a parser takes time that is the square of that. Nobody writes so many. */
const MAX_OPEN = 500;

/** Elements that have no end. */
const VOID: ReadonlySet<string> = new Set(
  'area base basefont br col embed frame hr img input link meta param source track wbr'.split(' '),
);

/** Which open elements another one ends where nobody wrote their end. */
const ENDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    ...{ p: ['p'], li: ['li'], option: ['option'], dt: ['dt', 'dd'], dd: ['dt', 'dd'] },
    ...{ td: ['td', 'th'], th: ['td', 'th'], tr: ['tr', 'td', 'th'] },
  }),
);

const TAG = /<(\/?)([a-z][^\s/>]{0,40})/gi;

/** The beginning of HTML, up to where more than 500 elements would be open; as a rule all of it. Linear in its length. */
export function withinDepth(html: string): string {
  const open: string[] = [];
  for (const { 1: slash, 2: found = '', index } of html.matchAll(TAG)) {
    const name = found.toLowerCase();
    if (VOID.has(name)) continue;
    if (slash === '/') {
      const at = open.lastIndexOf(name);
      if (at !== -1) open.length = at;
      continue;
    }
    const ends = ENDS.get(name) ?? [];
    while (ends.includes(open.at(-1) ?? '')) open.pop();
    if (open.push(name) > MAX_OPEN) return html.slice(0, index);
  }
  return html;
}
