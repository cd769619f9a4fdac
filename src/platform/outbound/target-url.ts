import { isIP } from 'node:net';
import { type AddressRange, isAllowed, isForbidden } from './addresses';
import { isLonger } from '../text/normalise';

/** Most characters of an address. */
export const MAX_URL = 2_048;
const MAX_HOST_LENGTH = 253;
const PORTS: readonly string[] = ['', '8443'];
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/;

/** A target in its canonical form, or one sentence for the API's client that says what is wrong with it. */
export type CheckedTarget = { url: URL; problem: null } | { url: null; problem: string };

/**
 * Judges an address that messages are to be sent to, without asking anyone. What a name leads to is judged at every
 * attempt (`Outbound`).
 *
 * @param allowed ranges that the operator opened: their addresses may be reached by plain HTTP and on any port. Names
 *   are taken on trust when there are any, because they may lead there; `needsAllowedAddress` says what must hold then.
 */
export function checkTargetUrl(text: string, allowed: readonly AddressRange[] = []): CheckedTarget {
  if (isLonger(text, MAX_URL)) return refuse(`must have at most ${MAX_URL} characters`);
  // The parser would silently drop or turn these, and what was checked would not be what was written.
  if (/[\s\\\p{Cc}]/u.test(text)) return refuse('must not contain spaces, control characters or backslashes');
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return refuse('must be a complete https:// address');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return refuse('must not contain a user name or password');
  if (text.includes('#')) return refuse('must not have a fragment (#…)');
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.replace(/\.$/, '');
  const problem = hostProblem(url, allowed);
  return problem === null ? { url, problem: null } : refuse(problem);
}

/** The host of a URL as an address, or null when it is a name. */
export function literalAddress(url: URL): string | null {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? null : host;
}

/** Whether this target is fine only where every address of its host is in a range that the operator opened. */
export function needsAllowedAddress(url: URL): boolean {
  return url.protocol !== 'https:' || !PORTS.includes(url.port) || isLocalName(url.hostname);
}

function hostProblem(url: URL, allowed: readonly AddressRange[]): string | null {
  const address = literalAddress(url);
  if (address !== null && isAllowed(address, allowed)) return null;
  if (address !== null && isForbidden(address)) return 'must lead to a public address';
  if (address === null && !isHostName(url.hostname)) return 'must have a valid host name';
  // A name may yet lead into a range that was opened.
  if (address === null && allowed.length > 0) return null;
  if (isLocalName(url.hostname)) return 'must lead to a public address';
  if (url.protocol !== 'https:') return 'must start with https://';
  if (!PORTS.includes(url.port)) return 'must use port 443 or 8443';
  return null;
}

/** A name without a dot is completed with the domains of whoever looks it up, so it is local, too. */
function isLocalName(host: string): boolean {
  return LOCAL_NAME.test(host) || !(host.includes('.') || host.includes(':'));
}

/** As the parser leaves it: lower case, international names in their ASCII form. A last label of digits would be an address. */
function isHostName(host: string): boolean {
  const labels = host.split('.');
  return (
    host.length <= MAX_HOST_LENGTH &&
    labels.every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}

function refuse(problem: string): CheckedTarget {
  return { url: null, problem };
}
