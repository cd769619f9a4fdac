import { tlsFailure } from './tls-failure';
import { firstCharacters } from '../text/normalise';

/** Why a mail did not leave, and whether trying again may help. */
export interface MailFailure {
  code: string;
  message: string;
  isPermanent: boolean;
}

interface SmtpError {
  code?: string;
  responseCode?: number;
  response?: string;
  message: string;
}

/** Mistakes of the mail itself: no server would take it at another time. */
const PERMANENT = new Set(['EENVELOPE', 'EMESSAGE']);
/** Wrong passwords and expired certificates are mended by people, in time for a later attempt. */
const MENDABLE = new Set(['EAUTH', 'ENOAUTH', 'EOAUTH2', 'ETLS', 'EREQUIRETLS']);

/** Reads an error of the SMTP client. The server's own words are kept; those of the network are not (see MailHostError). */
export function mailFailure(error: unknown): MailFailure {
  const { code = 'failed', responseCode, response, message } = error as SmtpError;
  if (responseCode !== undefined) {
    const isPermanent = responseCode >= 500 && !MENDABLE.has(code);
    return { code: `smtp_${responseCode}`, message: firstCharacters(response ?? message, 500), isPermanent };
  }
  const unprotected = tlsFailure(error);
  if (unprotected) return { ...unprotected, isPermanent: false };
  if (MENDABLE.has(code))
    return { code: code.slice(1).toLowerCase(), message: firstCharacters(message, 500), isPermanent: false };
  if (PERMANENT.has(code)) return { code: 'envelope', message: firstCharacters(message, 500), isPermanent: true };
  return { code: 'unreachable', message: 'The mail server could not be reached.', isPermanent: false };
}
