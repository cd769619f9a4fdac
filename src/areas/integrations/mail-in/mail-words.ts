import { isBlank } from '../../../platform/columns/not-blank';
import { shortened } from '../../../platform/text/normalise';
import { type IncomingMail, MAX_FILES } from './incoming-mail';
import type { SkipReason } from './mail-filter';

const MAX_BODY = 65_536;

/** Why a message became nothing. */
export type Skipped = SkipReason | 'blocked' | 'duplicate' | 'too_many';

const WHY: Readonly<Record<Skipped, string>> = {
  auto_reply: 'A machine answered.',
  bulk: 'It was sent to many.',
  bounce: 'It reports that a mail could not be delivered.',
  own_mail: 'It comes from an address of this workspace.',
  no_sender: 'It has no usable sender.',
  blocked: 'Its sender is a blocked contact.',
  duplicate: 'It was let in before.',
  too_many: 'Its sender has sent too many within an hour.',
};

/** Of a message of which a part was left on the server. */
export const CUT = '[The message is larger than 25 MB; the rest was not read.]';

/** What the log says of a message that was passed over. @param about addresses that a report tells of */
export function whyOf(reason: Skipped, about: readonly string[] = []): string {
  return [WHY[reason], ...about].join(' ');
}

/** The text of a ticket or comment, with what could not be taken over as it was. */
export function body(text: string, mail: IncomingMail, remarks: readonly string[]): string {
  const notes = [
    ...remarks,
    ...(mail.filesLeft > 0
      ? [`[${mail.filesLeft} more files were not kept; of a message the first ${MAX_FILES} are.]`]
      : []),
    ...(mail.marksCut ? ['[Combining marks beyond 30 in a row were left out.]'] : []),
  ].join('\n');
  const room = MAX_BODY - Math.min(notes.length, 10_000) - 4;
  const kept = shortened(text, room);
  const whole = [kept, notes.slice(0, 10_000)].filter((part) => part !== '').join('\n\n');
  return isBlank(whole) ? '(empty message)' : whole;
}
