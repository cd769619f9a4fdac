/** What Node says of certificates that it does not accept, and what is the matter. */
const CERTIFICATE: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its chain ends in a self-signed certificate',
  UNABLE_TO_GET_ISSUER_CERT: 'its issuer is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its issuer is not known',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its issuer is not known, or the server leaves out an intermediate certificate',
  CERT_UNTRUSTED: 'its issuer is not trusted',
  CERT_REJECTED: 'its issuer is not trusted for this purpose',
  CERT_REVOKED: 'it was revoked',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_SIGNATURE_FAILURE: 'its signature is wrong',
  HOSTNAME_MISMATCH: 'it is for another host name',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host name',
};

const MEND =
  'Install a certificate of a known authority for this host name on the mail server, or let the operator of this service ' +
  'trust its authority (NODE_EXTRA_CA_CERTS).';

/** The peer speaks, but not TLS, or a version of it that Node has given up. */
const NO_TLS = /^(ERR_SSL_|EPROTO$)/;

/**
 * Why a connection could not be protected, with what to do about it; null when the error is about something else. Only
 * of servers that may be reached at all: see `vettedAddress`.
 */
export function tlsFailure(error: unknown): { code: string; message: string } | null {
  // nodemailer replaces the code by that of its own step.
  const { code: shown, originalCode, cause } = error as { code?: unknown; originalCode?: unknown; cause?: unknown };
  const code = originalCode ?? shown;
  if (typeof code === 'string') {
    const why = CERTIFICATE[code];
    if (why !== undefined)
      return { code: 'certificate', message: `The mail server's certificate is not accepted: ${why}. ${MEND}` };
    if (NO_TLS.test(code))
      return {
        code: 'tls',
        message: 'The mail server does not speak TLS here: check the port, or set security to starttls.',
      };
  }
  return cause === undefined || cause === null ? null : tlsFailure(cause);
}
