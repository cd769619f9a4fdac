import { isIP } from 'node:net';
import { isForbidden, parseRanges } from '../outbound/addresses';
import { createResolver } from '../outbound/resolver';

const LOOKUP_MS = 5_000;

/** A mail server could not be reached, or may not be: both read alike, or the answer would map the internal network. */
export class MailHostError extends Error {
  override readonly name = 'MailHostError';
  readonly code = 'EUNREACHABLE';

  constructor() {
    super('The mail server could not be reached.');
  }
}

/**
 * The address to connect to, resolved once and vetted, so that a name cannot point elsewhere a moment later. The name
 * itself goes into the TLS handshake.
 *
 * @param allowed CIDR ranges that may be reached although they are not public
 * @param isTrusted the operator's own server, which may stand anywhere
 * @throws MailHostError when any address of the name is not public
 */
export async function vettedAddress(host: string, allowed: readonly string[], isTrusted = false): Promise<string> {
  const addresses = isIP(host) ? [host] : await resolved(host, isTrusted || allowed.length > 0);
  const ranges = parseRanges(allowed);
  const [first] = addresses;
  if (first === undefined || (!isTrusted && addresses.some((address) => isForbidden(address, ranges))))
    throw new MailHostError();
  return first;
}

async function resolved(host: string, alsoLocal: boolean): Promise<string[]> {
  try {
    return await createResolver(alsoLocal)(host, AbortSignal.timeout(LOOKUP_MS));
  } catch {
    throw new MailHostError();
  }
}
