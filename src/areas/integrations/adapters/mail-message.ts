import type { WireMail } from '../../../platform/mail/smtp-client';
import { headerText } from '../../../platform/mail/mail-address';
import type { EventFacts, Notice } from './notice';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

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
    html: html(notice),
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

function html(notice: Notice): string {
  const facts = notice.facts.map(
    ({ label, value }) =>
      `<tr><td style="color:#666;padding-right:12px">${safe(label)}</td><td>${safe(value)}</td></tr>`,
  );
  return [
    '<div style="font-family:sans-serif;font-size:14px">',
    `<h2 style="font-size:17px;margin:0 0 4px">${safe(notice.title)}</h2><p>${safe(notice.headline)}</p>`,
    notice.quote === null
      ? ''
      : `<blockquote style="border-left:3px solid #ccc;margin:0;padding-left:12px;white-space:pre-wrap">${safe(notice.quote)}</blockquote>`,
    facts.length ? `<table style="margin-top:12px">${facts.join('')}</table>` : '',
    `<p style="color:#666">${safe(notice.actor)}, ${safe(notice.at)}</p>`,
    notice.link === null ? '' : `<p><a href="${safe(notice.link)}">Open</a></p>`,
    '</div>',
  ].join('');
}

function safe(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');
}
