import { isEmail } from 'class-validator';
import { domainToASCII } from 'node:url';
import { shortened } from '../text/normalise';

/** Most characters of an address. */
export const MAX_ADDRESS = 254;

/** The bare address, lower-cased; null when it is none that mail may be sent to. */
export function cleanAddress(text: string): string | null {
  const address = text.trim().toLowerCase();
  return address.length <= MAX_ADDRESS && isEmail(address) ? address : null;
}

/** Usable addresses, each once, in order. */
export function cleanAddresses(texts: readonly string[]): string[] {
  return [...new Set(texts.map(cleanAddress).filter((address) => address !== null))];
}

/** What stands behind the `@`, lower-cased, as the DNS knows it (`xn--bro-hoa.example`); null when it is no name of a domain. */
export function domainOf(address: string): string | null {
  const name = address.includes('@') ? domainToASCII(address.slice(address.lastIndexOf('@') + 1).trim()) : '';
  return /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/.test(name) ? name : null;
}

/** One line without control characters: what may stand in a header. */
export function headerText(text: string, max: number): string {
  const line = text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  return shortened(line, max);
}

/** `Name <ada@example.com>` or `ada@example.com`; null for anything else. */
export function parseOneAddress(text: string): { name: string; address: string } | null {
  const [, name = '', inner] = /^\s*"?([^"<>]*?)"?\s*<([^<>]+)>\s*$/.exec(text) ?? [];
  const address = cleanAddress(inner ?? text);
  return address === null ? null : { name: headerText(inner === undefined ? '' : name, 100), address };
}
