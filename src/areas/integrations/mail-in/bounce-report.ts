import { withoutExcessMarks } from '../../../platform/text/marks';
import { knownMessageId } from '../../../platform/mail/message-id';
import { deliveryStatus, type RecipientStatus } from '../../../platform/mail/delivery-status';

/** A report that mail did not arrive: of whom, and which mails of ours it may be about. */
export interface BounceReport {
  recipients: RecipientStatus[];
  /** Message-IDs that occur in it, except its own. */
  mails: string[];
}

const MAX_SOURCE = 1_048_576;
const MOST_IDS = 20;

/** Reads a report; what is none has no recipients. The mail that it is about is in it as a whole, as headers, or by its id alone. */
export async function readBounce(source: Buffer): Promise<BounceReport> {
  const { simpleParser } = await import('mailparser');
  const bounded = source.subarray(0, MAX_SOURCE);
  const options = { skipImageLinks: true, skipTextToHtml: true, skipTextLinks: true, skipHtmlToText: true };
  const { attachments, messageId } = await simpleParser(bounded, { ...options, keepDeliveryStatus: true });
  const own = knownMessageId(messageId);
  const told = attachments.filter(({ contentType }) => /^message\/(global-)?delivery-status$/.test(contentType));
  const recipients = told.flatMap(({ content }) =>
    deliveryStatus(withoutExcessMarks(content.toString('utf8').toWellFormed())),
  );
  const named = bounded
    .toString('latin1')
    .matchAll(/^(?:message-id|in-reply-to|references):((?:[^\n]|\n[ \t]){1,4000})/gim);
  const ids = [...named].slice(0, 100).flatMap(([, value = '']) => value.match(/<[^<>\s]{3,250}>/g) ?? []);
  const mails = [...new Set(ids.map(knownMessageId))].filter((id) => id !== null && id !== own);
  return { recipients, mails: mails.filter((id) => id !== null).slice(0, MOST_IDS) };
}
