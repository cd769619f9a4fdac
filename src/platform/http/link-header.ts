type Links = Readonly<Record<'first' | 'next' | 'prev' | 'last', string | null>>;

/** Proxies read 4 to 8 KB of headers, and a query may be long. */
const MAX_LENGTH = 3_000;

/** The links of a page as a `Link` header (RFC 8288); only the neighbours where all would be too long, nothing if they are, too. */
export function linkHeader(links: Links): string {
  const all = written(links, ['first', 'prev', 'next', 'last']);
  if (all.length <= MAX_LENGTH) return all;
  const neighbours = written(links, ['prev', 'next']);
  return neighbours.length <= MAX_LENGTH ? neighbours : '';
}

function written(links: Links, relations: readonly (keyof Links)[]): string {
  let text = '';
  for (const relation of relations) {
    const url = links[relation];
    if (url !== null) text += `${text === '' ? '' : ', '}<${url}>; rel="${relation}"`;
  }
  return text;
}
