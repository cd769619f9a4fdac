import { createPrivateKey } from 'node:crypto';

/** What mail of an account is signed with (RFC 6376), in the name of the sender's domain. */
export interface DkimKey {
  /** Where the public key stands in the DNS: `<selector>._domainkey.<domain>`. */
  selector: string;
  /** PEM. */
  privateKey: string;
}

/** What a selector may be: the first parts of a name in the DNS. */
export const SELECTOR = /^[a-z\d](?:[a-z\d.-]{0,61}[a-z\d])?$/;

/** Whether it is a key that receivers accept: RSA of 1024 to 4096 bits, without a password. */
export function isSigningKey(pem: string): boolean {
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = createPrivateKey(pem);
    const bits = details?.modulusLength ?? 0;
    return type === 'rsa' && bits >= 1_024 && bits <= 4_096;
  } catch {
    return false;
  }
}
