import { inflateSync } from 'node:zlib';

const HEADER = 44;
const ENTRY = 20;

/**
 * The plain font (TrueType) inside a WOFF file. The library that embeds fonts would inflate a table each time it looks
 * into it, which takes seconds a page for Chinese.
 */
export function plainFont(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, index) => {
    const at = HEADER + index * ENTRY;
    const [offset, packed, length] = [woff.readUInt32BE(at + 4), woff.readUInt32BE(at + 8), woff.readUInt32BE(at + 12)];
    const content = woff.subarray(offset, offset + packed);
    return {
      tag: woff.subarray(at, at + 4),
      sum: woff.readUInt32BE(at + 16),
      content: packed < length ? inflateSync(content) : content,
    };
  });
  const head = Buffer.alloc(12 + 16 * count);
  woff.copy(head, 0, 4, 8);
  const power = Math.floor(Math.log2(count));
  head.writeUInt16BE(count, 4);
  head.writeUInt16BE(16 * 2 ** power, 6);
  head.writeUInt16BE(power, 8);
  head.writeUInt16BE(16 * (count - 2 ** power), 10);
  let place = head.length;
  const parts: Buffer[] = [head];
  for (const [index, { tag, sum, content }] of tables.entries()) {
    const at = 12 + 16 * index;
    tag.copy(head, at);
    head.writeUInt32BE(sum, at + 4);
    head.writeUInt32BE(place, at + 8);
    head.writeUInt32BE(content.length, at + 12);
    const padding = (4 - (content.length % 4)) % 4;
    parts.push(content, Buffer.alloc(padding));
    place += content.length + padding;
  }
  return Buffer.concat(parts);
}
