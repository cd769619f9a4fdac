import type { WireMail } from '../../../platform/mail/smtp-client';
import { type Template, template } from '../../../platform/http/template';
import { headerText } from '../../../platform/mail/mail-address';
import type { Notice } from '../../../platform/area/provider';
import type { EventFacts } from './notice';

const page: Template<Notice> = template(__dirname, 'mail-message');

/** A mail about an event. Its Message-ID is made of the event's id: copies of a repeated attempt are one message. */
export function mailMessage(
  event: EventFacts,
  notice: Notice,
  { to, host }: { to: readonly string[]; host: string },
): WireMail {
  const code = typeof event.data?.code === 'string' ? event.data.code : null;
  const subject =
    code !== null && notice.title.startsWith(code) ? `[${code}]${notice.title.slice(code.length)}` : notice.title;
  return {
    messageId: `<${(code ?? event.object).toLowerCase()}.${event.uid.replace(/^evt_/, '')}@${host}>`,
    to,
    cc: [],
    replyTo: null,
    subject: headerText(`${subject}: ${notice.headline}`, 250),
    text: plainText(notice),
    html: page(notice),
    inReplyTo: null,
    // All mail about one ticket refers to one id that no mail has, so that mail programs show it as one thread.
    references: code === null ? [] : [`<${code.toLowerCase()}@${host}>`],
    isAutomatic: true,
    attachments: [],
  };
}

function plainText(notice: Notice): string {
  const facts = notice.facts.map(({ label, value }) => `${label}: ${value}`);
  const blocks = [
    `${notice.title}\n${notice.headline}`,
    notice.quote,
    facts.join('\n'),
    `${notice.actor}, ${notice.at}`,
  ];
  return `${[...blocks, notice.link].filter((block) => block !== null && block !== '').join('\n\n')}\n`;
}
