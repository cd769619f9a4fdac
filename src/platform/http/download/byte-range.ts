/** Bytes of a file, both ends included. */
export interface Part {
  start: number;
  end: number;
}

/** What a request asks for, of a file that is as long as it is. */
export type Asked = 'whole' | 'none' | Part;

/**
 * What `Range` asks for (RFC 9110, 14.2): one part, the whole where there is no header or none that is understood (several
 * parts among them, which may be answered so), or nothing that the file has.
 *
 * @param size bytes of the file
 */
export function askedPart(range: string | undefined, size: number): Asked {
  const [, from = '', to = ''] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(range ?? '') ?? [];
  if (from === '' && to === '') return 'whole';
  if (from === '')
    return Number(to) === 0 || size === 0 ? 'none' : { start: Math.max(0, size - Number(to)), end: size - 1 };
  const start = Number(from);
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < start) return 'whole';
  return start >= size ? 'none' : { start, end };
}

/** Whether a part may be answered to `If-Range` (RFC 9110, 13.1.5): it names this very file, or there is no such header. */
export function mayBePart(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag;
}
