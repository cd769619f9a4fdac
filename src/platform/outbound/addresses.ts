import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A range of addresses: its first one and the length of its prefix in bits. */
export type AddressRange = readonly [Address, number];

/** Everything that is not the public IPv4 Internet (RFC 6890 and successors). */
const forbiddenV4 = parseRanges([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** The only IPv6 addresses that are assigned to the Internet. What wraps IPv4 outside it (mapped, NAT64, …) is not in it. */
const publicV6 = parseRanges(['2000::/3']);

/** Parts of it that lead elsewhere: protocols (Teredo among them), documentation, 6to4. */
const forbiddenV6 = parseRanges(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/**
 * Ranges out of CIDR notation, e.g. `127.0.0.1/32`.
 *
 * @throws when one is not CIDR notation
 */
export function parseRanges(cidrs: readonly string[]): AddressRange[] {
  return cidrs.map((cidr) => ipaddr.parseCIDR(cidr));
}

/**
 * Whether nothing may be sent to this address: every address that is not on the public Internet, and whatever is not an
 * address in its usual notation (`0x7f.1` is not).
 *
 * @param allowed ranges of the operator's that may be reached all the same
 */
export function isForbidden(address: string, allowed: readonly AddressRange[] = []): boolean {
  const bytes = parse(address);
  if (bytes === null) return true;
  if (inAny(bytes, allowed)) return false;
  if (bytes.kind() === 'ipv4') return inAny(bytes, forbiddenV4);
  return !inAny(bytes, publicV6) || inAny(bytes, forbiddenV6);
}

/** Whether the operator opened a range that this address is in. */
export function isAllowed(address: string, allowed: readonly AddressRange[]): boolean {
  const bytes = parse(address);
  return bytes !== null && inAny(bytes, allowed);
}

/** `::ffff:a.b.c.d` is IPv4 on the wire and judged as such. A zone (`%eth0`) names an interface: never public. */
function parse(address: string): Address | null {
  return isIP(address) === 0 || address.includes('%') ? null : ipaddr.process(address);
}

function inAny(address: Address, ranges: readonly AddressRange[]): boolean {
  return ranges.some(([first, bits]) => first.kind() === address.kind() && address.match(first, bits));
}
