import type { IncomingMail } from './incoming-mail';

/** Why a message is not let in: nobody wrote it, or it would go round in circles. */
export type SkipReason = 'auto_reply' | 'bulk' | 'bounce' | 'own_mail' | 'no_sender';

const AUTO_HEADERS = ['x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-auto-response'];
const BULK = new Set(['bulk', 'list', 'junk', 'auto_reply', 'auto-reply']);
const BOUNCER = /^(mailer-daemon|mail-daemon|postmaster)@/;

/** Beginnings of subjects that mail programs give to answers of their own. */
const AUTO_SUBJECT = new RegExp(
  '^(' +
    [
      'auto(matic|mated)?[ -]?(reply|response)',
      'out[ -]of[ -](the[ -])?office',
      'vacation (reply|response|notice)',
      'abwesenheits(notiz|meldung|nachricht)',
      'automatische (antwort|rückantwort)',
      'réponse automatique',
      "message d'absence",
      'respuesta automática',
      'fuera de la oficina',
      'risposta automatica',
      'resposta automática',
      'automatisch antwoord',
      'autosvar',
      'автоответ',
    ].join('|') +
    ')(?![\\p{L}])',
  'iu',
);

/**
 * Whether nobody should get an answer to this message, and why; null when a person seems to have written it.
 *
 * @param own addresses of the workspace's mailboxes and of its sender
 */
export function skipReason(mail: IncomingMail, own: readonly string[]): SkipReason | null {
  const first = (name: string): string => mail.headers.get(name)?.[0]?.toLowerCase() ?? '';
  if (first('return-path').replaceAll(/\s/g, '') === '<>' || first('content-type').startsWith('multipart/report'))
    return 'bounce';
  if (mail.from === null) return 'no_sender';
  if (BOUNCER.test(mail.from.address)) return 'bounce';
  if (own.includes(mail.from.address)) return 'own_mail';
  const submitted = first('auto-submitted').split(/[;\s(]/)[0];
  if (submitted !== '' && submitted !== 'no') return 'auto_reply';
  if (AUTO_HEADERS.some((name) => mail.headers.has(name) && first(name) !== 'no')) return 'auto_reply';
  if (BULK.has(first('precedence'))) return 'bulk';
  return AUTO_SUBJECT.test(mail.subject) ? 'auto_reply' : null;
}

const LISTS = ['list-id', 'list-post', 'list-unsubscribe', 'list-help', 'list-owner'];

/**
 * Whether who sent a message that is let in may be answered by a machine: not where it came through a list, or where the sender asks not
 * to be (Exchange's `X-Auto-Response-Suppress`). People answer as ever.
 */
export function mayBeAnsweredByMachines({ headers }: IncomingMail): boolean {
  if (LISTS.some((name) => headers.has(name)) || headers.has('precedence')) return false;
  const suppressed = (headers.get('x-auto-response-suppress') ?? [])
    .join(',')
    .toLowerCase()
    .split(/[\s,;]+/);
  return !['all', 'autoreply', 'oof'].some((word) => suppressed.includes(word));
}

/** Whether the receiving server found that the sender is not who it claims to be (RFC 8601). */
export function isForged(mail: IncomingMail): boolean {
  return (mail.headers.get('authentication-results') ?? []).some((value) => /\bdmarc=fail\b/i.test(value));
}
