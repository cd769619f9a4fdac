import { isRecord } from '../text/json';
import { firstCharacters } from '../text/normalise';

/** What a server says of one recipient (RFC 3464). */
export interface RecipientStatus {
  /** Lower-case. */
  address: string;
  /** `hard`: there is no such mailbox. `soft`: it did not arrive, for another reason. */
  kind: 'hard' | 'soft';
  /** Enhanced status (RFC 3463), e.g. `5.1.1`; empty where it says none. */
  status: string;
  /** What the receiving server said, one line. */
  diagnostic: string;
}

const MAX_TEXT = 65_536;
const MOST_RECIPIENTS = 50;
const MAX_DIAGNOSTIC = 300;

/** The address itself is the matter: bad mailbox, bad host, moved away, no mail accepted there, switched off. */
const NO_SUCH_MAILBOX = /^5\.(1\.(1|2|3|6|10)|2\.1)$/;
/** Status says too little; the words of common servers say more. */
const VAGUE = /^(5\.0\.0|5\.1\.0|5\.5\.0|)$/;
const WORDS =
  /\b55[0134]\b.*\b(user unknown|unknown user|no such (user|mailbox|recipient|address)|(user|mailbox|recipient|address)( \S+)? (not found|unknown|does ?n[o']t exist)|does not exist|invalid (recipient|mailbox))/i;

/**
 * Reads the `message/delivery-status` part of a report: who did not get the mail. Delays and good news are left out.
 *
 * @param text as it stands in the part; of a hostile one the first 64 KB and 50 recipients are read
 */
export function deliveryStatus(text: string): RecipientStatus[] {
  const groups = text
    .slice(0, MAX_TEXT)
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n+/);
  return groups
    .map(fieldsOf)
    .filter((fields) => fields.has('final-recipient') || fields.has('original-recipient'))
    .slice(0, MOST_RECIPIENTS)
    .flatMap(statusOf);
}

/** Fields by lower-case name, unfolded; the first of a name counts. */
function fieldsOf(group: string): Map<string, string> {
  const fields = new Map<string, string>();
  let last: string | null = null;
  for (const line of group.split('\n')) {
    if (/^[ \t]/.test(line) && last !== null) fields.set(last, `${fields.get(last) ?? ''} ${line.trim()}`);
    else {
      const colon = line.indexOf(':');
      const name = colon > 0 ? line.slice(0, colon).trim().toLowerCase() : '';
      last = name !== '' && !fields.has(name) ? name : null;
      if (last !== null) fields.set(last, line.slice(colon + 1).trim());
    }
  }
  return fields;
}

function statusOf(fields: ReadonlyMap<string, string>): RecipientStatus[] {
  const address = addressIn(fields.get('final-recipient') ?? '') ?? addressIn(fields.get('original-recipient') ?? '');
  if (address === null || (fields.get('action') ?? '').toLowerCase().split(/[\s(]/)[0] !== 'failed') return [];
  const status = /^[245]\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0] ?? '';
  const diagnostic = firstCharacters(typed(fields.get('diagnostic-code') ?? ''), MAX_DIAGNOSTIC);
  return [{ address, kind: isNoMailbox(status, diagnostic) ? 'hard' : 'soft', status, diagnostic }];
}

function isNoMailbox(status: string, words: string): boolean {
  return NO_SUCH_MAILBOX.test(status) || (VAGUE.test(status) && WORDS.test(words));
}

/** A recipient whom a server refused while it took, or refused, a mail. */
interface RefusedRecipient {
  recipient: string;
  response: string;
}

/**
 * Of what the SMTP client answers or throws: addresses (lower-case) of which the server says that there is no such mailbox, and
 * what it said.
 */
export function lostMailboxes(outcome: unknown): { address: string; reason: string }[] {
  const { rejectedErrors } = isRecord(outcome) ? outcome : {};
  return (Array.isArray(rejectedErrors) ? rejectedErrors : []).filter(isRefused).flatMap(({ recipient, response }) => {
    const status = /^55\d[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? '';
    const reason = firstCharacters(oneLine(response), MAX_DIAGNOSTIC);
    return isNoMailbox(status, reason) ? [{ address: recipient.toLowerCase(), reason }] : [];
  });
}

function isRefused(error: unknown): error is RefusedRecipient {
  return isRecord(error) && typeof error.recipient === 'string' && typeof error.response === 'string';
}

/** `rfc822; Ada@Example.com`, with or without brackets. */
function addressIn(field: string): string | null {
  const address = typed(field).replaceAll(/[<>]/g, '').toLowerCase();
  return /^[^\s@]{1,64}@[^\s@]{1,190}$/.test(address) ? address : null;
}

/** A value behind its type, as one line. */
function typed(field: string): string {
  return oneLine(field.slice(field.indexOf(';') + 1));
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}
