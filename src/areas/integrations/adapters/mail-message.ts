import { escapeMarkdown } from '../../../platform/conditions/template';
import type { Notice } from '../../../platform/area/provider';
import type { Letter } from '../../../platform/mail/letter/letter';
import { headerText } from '../../../platform/mail/mail-address';
import type { WireMail } from '../../../platform/mail/smtp-client';
import type { EventFacts } from './notice';

/** A mail about an event before it is put into the workspace's layout. */
export interface EventMail extends Omit<WireMail, 'text' | 'html' | 'attachments'> {
  letter: Letter;
}

/** A mail about an event. Its Message-ID is made of the event's id: copies of a repeated attempt are one message. */
export function mailMessage(
  event: EventFacts,
  notice: Notice,
  { to, host }: { to: readonly string[]; host: string },
): EventMail {
  const code = typeof event.data?.code === 'string' ? event.data.code : null;
  const named =
    code !== null && notice.title.startsWith(code) ? `[${code}]${notice.title.slice(code.length)}` : notice.title;
  const subject = headerText(`${named}: ${notice.headline}`, 250);
  return {
    messageId: `<${(code ?? event.object).toLowerCase()}.${event.uid.replace(/^evt_/, '')}@${host}>`,
    to,
    cc: [],
    replyTo: null,
    subject,
    letter: letterOf(subject, notice),
    inReplyTo: null,
    // All mail about one ticket refers to one id that no mail has, so that mail programs show it as one thread.
    references: code === null ? [] : [`<${code.toLowerCase()}@${host}>`],
    isAutomatic: true,
  };
}

/** What is quoted is shown as it was written. */
function letterOf(subject: string, { title, headline, quote, facts, actor, at, link }: Notice): Letter {
  return {
    subject,
    text: quote === null ? headline : `${headline}\n\n${quote}`,
    language: 'en',
    heading: title,
    facts: facts.map(({ label, value }) => [label, value]),
    ...(link === null ? {} : { button: { label: 'Open', url: link } }),
    signature: escapeMarkdown(`${actor}, ${at}`),
  };
}
