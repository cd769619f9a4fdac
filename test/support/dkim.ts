import { createHash, createVerify, type KeyObject } from 'node:crypto';

/** Whether a message carries a DKIM signature (RFC 6376, rsa-sha256, relaxed/relaxed) of that key, as a receiver finds out. */
export function isSigned(raw: string, key: KeyObject): boolean {
  const end = raw.indexOf('\r\n\r\n');
  const headers = raw.slice(0, end).split(/\r\n(?![ \t])/);
  const own = headers.find((line) => /^dkim-signature:/i.test(line)) ?? '';
  const tags = new Map(
    own
      .slice(own.indexOf(':') + 1)
      .replaceAll(/\s+/g, '')
      .split(';')
      .map((tag): [string, string] => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)]),
  );
  const body = raw
    .slice(end + 4)
    .replaceAll(/[ \t]+\r\n/g, '\r\n')
    .replaceAll(/[ \t]+/g, ' ')
    .replace(/(\r\n)*$/, '\r\n');
  if (createHash('sha256').update(body).digest('base64') !== tags.get('bh')) return false;
  const signed = (tags.get('h') ?? '').split(':').flatMap((name) => {
    const line = headers.findLast((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`));
    return line === undefined ? [] : [relaxed(line)];
  });
  const unsigned = relaxed(own.replace(/(;\s*b=)[^;]*/, '$1'));
  return createVerify('RSA-SHA256')
    .update(`${signed.map((line) => `${line}\r\n`).join('')}${unsigned}`)
    .verify(key, tags.get('b') ?? '', 'base64');
}

function relaxed(line: string): string {
  const colon = line.indexOf(':');
  const value = line
    .slice(colon + 1)
    .replaceAll(/\r\n/g, '')
    .replaceAll(/[ \t]+/g, ' ')
    .trim();
  return `${line.slice(0, colon).trim().toLowerCase()}:${value}`;
}
