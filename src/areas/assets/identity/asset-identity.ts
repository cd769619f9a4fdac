import ipaddr from 'ipaddr.js';

const MAC = /^[0-9a-f]{12}$/;
const MAC_FORMS =
  /^([0-9a-f]{2}(:[0-9a-f]{2}){5}|[0-9a-f]{2}(-[0-9a-f]{2}){5}|[0-9a-f]{4}(\.[0-9a-f]{4}){2}|[0-9a-f]{12})$/i;

/**
 * The address in its one form: IPv4 in four decimal parts, IPv6 as RFC 5952 writes it; null when it is none. Zones
 * (`fe80::1%eth0`) belong to a host, not to an inventory, and are refused.
 */
export function canonicalIp(text: string): string | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return text;
  if (!text.includes(':') || text.includes('%') || !ipaddr.IPv6.isValid(text)) return null;
  return ipaddr.IPv6.parse(text).toRFC5952String();
}

/** `AA-BB-CC-DD-EE-FF`, `aabb.ccdd.eeff` and `aabbccddeeff` as `aa:bb:cc:dd:ee:ff`; null when it is no EUI-48. */
export function canonicalMac(text: string): string | null {
  if (!MAC_FORMS.test(text)) return null;
  const digits = text.replaceAll(/[:.-]/g, '').toLowerCase();
  return MAC.test(digits) ? (digits.match(/../g) ?? []).join(':') : null;
}

/** Host name of RFC 1123: labels of letters, digits and inner hyphens, 253 characters in all. */
export const HOSTNAME =
  /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;
