import { isRecord } from '../../../platform/text/json';
import { DirectoryUnreadable } from '../runs/reading';

/** Result codes (RFC 4511) that have a reason of their own. */
const RESULTS: Readonly<Record<number, readonly [code: string, message: string]>> = {
  3: ['time_limit', 'The server gave up: the search takes longer than it allows.'],
  4: ['size_limit', 'The server answers fewer entries than there are; raise its limit for the user that signs in.'],
  8: ['refused', 'The server wants a stronger way of signing in than a password.'],
  10: [
    'referral',
    'The server refers to another one for these entries; name the server that has them, and its base DN.',
  ],
  11: ['size_limit', 'The server answers fewer entries than there are; raise its limit for the user that signs in.'],
  13: ['refused', 'The server wants encryption before anybody signs in.'],
  32: ['base_dn', 'There is no entry with the base DN, or the user that signs in does not see it.'],
  34: ['base_dn', 'The base DN, or the DN that signs in, is no distinguished name.'],
  48: ['credentials', 'The server does not let this user sign in with a password.'],
  49: ['credentials', 'The server refuses the user that signs in, or the password.'],
  50: ['refused', 'The user that signs in may not read these entries.'],
  51: ['busy', 'The server is busy.'],
  52: ['busy', 'The server is not available.'],
};

const CERTIFICATES: readonly string[] = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_UNTRUSTED',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_SIGNATURE_FAILURE',
];

/** Why a server could not be read, in one sentence for whoever set it up. */
export function ldapFailure(error: unknown, host: string): DirectoryUnreadable {
  if (error instanceof DirectoryUnreadable) return error;
  const { code, message } = isRecord(error) ? error : {};
  const text = typeof message === 'string' ? message : '';
  const known = typeof code === 'number' ? RESULTS[code] : undefined;
  if (known) return new DirectoryUnreadable(...known);
  if (typeof code === 'number') return new DirectoryUnreadable('refused', `The server refuses it: result ${code}.`);
  const name = typeof code === 'string' ? code : '';
  if (name === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return new DirectoryUnreadable('certificate', `The certificate of the server is for another name than ${host}.`);
  if (CERTIFICATES.includes(name) || CERTIFICATES.some((each) => text.includes(each)))
    return new DirectoryUnreadable(
      'certificate',
      `The certificate of ${host} cannot be trusted (${name || 'unknown'}); give the certificate of its authority as "ca".`,
    );
  if (/^ERR_SSL|^EPROTO/.test(name) || text.includes('before secure TLS connection'))
    return new DirectoryUnreadable('tls', `${host} does not speak TLS on this port.`);
  if (/timed? ?out/i.test(text) || name === 'ETIMEDOUT')
    return new DirectoryUnreadable('timeout', `${host} did not answer in time.`);
  return new DirectoryUnreadable(
    'unreachable',
    `${host} cannot be reached${/^E[A-Z]+$/.test(name) ? ` (${name})` : ''}.`,
  );
}
