import { createHash } from 'node:crypto';
import type { Attachment, ParsedMail } from 'mailparser';
import { saidIn } from '../../../platform/columns/not-blank';
import { cleanAddress, cleanAddresses, headerText } from '../../../platform/mail/mail-address';
import { withinDepth } from '../../../platform/mail/html-depth';
import { knownMessageId } from '../../../platform/mail/message-id';
import { withoutExcessMarks } from '../../../platform/text/marks';

/** HTML beside text, which mailparser makes text of. */
const MAX_MIXED = 262_144;
const MAX_TEXT = 262_144;
const MAX_REFERENCES = 50;
/** Files of a message that are kept; of the others is said how many there were. */
export const MAX_FILES = 20;

/** A file of a message, or a picture within its text. */
export interface MailFile {
  filename: string;
  /** What the message says that it is. */
  type: string;
  content: Buffer;
  is_inline: boolean;
  /** What the text calls it (`cid:`), without its brackets. */
  content_id: string | null;
}

/** A message as it was read: everything bounded, cleaned and lower-cased where case means nothing. */
export interface IncomingMail {
  messageId: string;
  inReplyTo: string | null;
  references: string[];
  /** Null when the sender's address is unusable. */
  from: { address: string; name: string } | null;
  /** Everyone else it was addressed to. */
  recipients: string[];
  cc: string[];
  subject: string;
  text: string;
  /** Combining marks were left out of subject or text: more than 30 in a row. */
  marksCut: boolean;
  attachments: MailFile[];
  /** Files beyond those. */
  filesLeft: number;
  /** Raw values by lower-case name. */
  headers: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads a message in its wire format; one that is cut short yields what there is of it.
 *
 * @param textOfHtml makes text of a message that is HTML alone
 */
export async function readMail(
  source: Buffer,
  textOfHtml: (html: string) => Promise<string> | string,
): Promise<IncomingMail> {
  const mail = await parsed(source);
  const headers = rawHeaders(mail);
  const subject = headerText(mail.subject ?? '', 255);
  const text = cleanText(await textOf(mail, textOfHtml));
  const from = mail.from?.value[0];
  const address = cleanAddress(from?.address ?? '');
  return {
    messageId: knownMessageId(mail.messageId) ?? `<${createHash('sha256').update(source).digest('hex')}@nowhere>`,
    inReplyTo: knownMessageId(mail.inReplyTo),
    references: referencesOf(mail),
    from:
      address === null ? null : { address, name: saidIn(withoutExcessMarks(headerText(from?.name ?? '', 255))) ?? '' },
    recipients: addressesOf(mail.to),
    cc: addressesOf(mail.cc),
    subject: withoutExcessMarks(subject),
    text: withoutExcessMarks(text),
    marksCut: withoutExcessMarks(subject) !== subject || withoutExcessMarks(text) !== text,
    attachments: mail.attachments.slice(0, MAX_FILES).map(fileOf),
    filesLeft: Math.max(0, mail.attachments.length - MAX_FILES),
    headers,
  };
}

function fileOf({ filename, contentType, content, related, cid }: Attachment): MailFile {
  return {
    filename: headerText(filename ?? '', 255),
    type: contentType,
    content,
    // Its types say boolean; it is absent where it is not true.
    is_inline: [related].includes(true) && contentType.startsWith('image/'),
    content_id: cid ? headerText(cid, 255) : null,
  };
}

/**
 * HTML is made text of here: mailparser would take minutes for elements within each other. Only where HTML stands beside text that does
 * not say the same, mailparser is to put them in their order, if it is HTML as people send it.
 */
async function parsed(source: Buffer): Promise<ParsedMail> {
  const { simpleParser } = await import('mailparser');
  const options = { skipImageLinks: true, skipTextToHtml: true, skipTextLinks: true };
  const mail = await simpleParser(source, { ...options, skipHtmlToText: true });
  if (!isMixed(mail, source)) return mail;
  try {
    return await simpleParser(source, options);
  } catch {
    return mail;
  }
}

/** Whether a message has HTML besides its text, and not in its place. */
function isMixed({ text, html }: ParsedMail, source: Buffer): boolean {
  if (!html || html.length > MAX_MIXED || (text ?? '').trim() === '') return false;
  const told = source.toString('latin1');
  const count = (type: RegExp): number => told.match(type)?.length ?? 0;
  return (
    count(/^content-type:\s*text\/html/gim) > count(/^content-type:\s*multipart\/alternative/gim) &&
    withinDepth(html) === html
  );
}

/** mailparser makes no text of HTML where that is the whole message or the only other part. */
async function textOf({ text, html }: ParsedMail, textOfHtml: Parameters<typeof readMail>[1]): Promise<string> {
  if (text !== undefined && text.trim() !== '') return text;
  return html ? textOfHtml(html) : '';
}

function referencesOf(mail: ParsedMail): string[] {
  const raw = typeof mail.references === 'string' ? mail.references.split(/\s+/) : (mail.references ?? []);
  return raw
    .map(knownMessageId)
    .filter((id) => id !== null)
    .slice(-MAX_REFERENCES);
}

function addressesOf(field: ParsedMail['to']): string[] {
  const objects = Array.isArray(field) ? field : field ? [field] : [];
  return cleanAddresses(objects.flatMap(({ value }) => value).map(({ address }) => address ?? ''));
}

/** mailparser's own map drops repeated headers and interprets some; what decides about loops is read as it stands. */
function rawHeaders(mail: ParsedMail): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (const { key, line } of mail.headerLines) {
    const value = line
      .slice(line.indexOf(':') + 1)
      .replaceAll(/\s+/g, ' ')
      .trim();
    headers.set(key, [...(headers.get(key) ?? []), value]);
  }
  return headers;
}

/** Text that PostgreSQL can hold, lines ended by \n, at most 256 KB. */
function cleanText(text: string): string {
  const clean = text
    .slice(0, MAX_TEXT)
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '');
  // Line by line from the end: a pattern would try every blank of a long run anew.
  return clean.split('\n').map(withoutEndingBlanks).join('\n').trim();
}

/** One blank at the end stays: `-- ` begins a signature. */
function withoutEndingBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end--;
  return line.length - end === 1 && line.endsWith(' ') ? line : line.slice(0, end);
}
