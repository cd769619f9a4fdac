import { isRecord } from '../../../platform/text/json';
import { tlsFailure } from '../../../platform/mail/tls-failure';

/** Why a mailbox could not be read, for the API's client. Network errors read alike, wherever they come from. */
export function imapFailure(error: unknown): { code: string; message: string } {
  const { authenticationFailed, responseText, serverResponseCode, code } = isRecord(error) ? error : {};
  if (authenticationFailed === true || serverResponseCode === 'AUTHENTICATIONFAILED')
    return { code: 'auth', message: 'The mail server refused the user name or the password.' };
  if (code === 'LiteralTooLarge' || code === 'ResponseTooLarge' || code === 'LineTooLarge')
    return { code: 'too_large', message: 'The mail server sent more than it was asked for.' };
  const unprotected = tlsFailure(error);
  if (unprotected) return unprotected;
  if (typeof responseText === 'string' && responseText !== '')
    return { code: 'refused', message: `The mail server said: ${responseText.slice(0, 300)}` };
  return { code: 'unreachable', message: 'The mail server could not be reached.' };
}
