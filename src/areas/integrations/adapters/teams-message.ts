import type { Notice } from '../../../platform/area/provider';
import { short } from './notice';

/** A workflow takes 28 KB; characters may take several bytes. */
const MAX_BYTES = 26_000;
const COLOURS = { neutral: 'Default', good: 'Good', warning: 'Warning', bad: 'Attention' } as const;

/** A message with one adaptive card, as workflows and incoming webhooks of Teams take it. */
export function teamsMessage(notice: Notice): Record<string, unknown> {
  for (let quote = 1_500; ; quote = Math.floor(quote / 2)) {
    const message = card(notice, quote);
    if (quote === 0 || Buffer.byteLength(JSON.stringify(message)) <= MAX_BYTES) return message;
  }
}

/** Only text runs: unlike text blocks they know no Markdown, so what a requester wrote stays text. */
function card(notice: Notice, quoteLength: number): Record<string, unknown> {
  const run = (text: string, style: Record<string, unknown> = {}) => ({ type: 'TextRun', text, ...style });
  const line = (...inlines: unknown[]) => ({ type: 'RichTextBlock', inlines });
  const quote = notice.quote === null || quoteLength === 0 ? null : short(notice.quote, quoteLength);
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          fallbackText: short(`${notice.headline} ${notice.title}`, 500),
          body: [
            line(run(notice.title, { size: 'Large', weight: 'Bolder' })),
            line(run(notice.headline, { color: COLOURS[notice.tone] })),
            ...(quote === null ? [] : [line(run(quote))]),
            ...notice.facts.map(({ label, value }) => line(run(`${label}: `, { weight: 'Bolder' }), run(value))),
            line(run(`${notice.actor} · ${notice.at}`, { isSubtle: true, size: 'Small' })),
          ],
          ...(notice.link === null ? {} : { actions: [{ type: 'Action.OpenUrl', title: 'Open', url: notice.link }] }),
          msteams: { width: 'Full' },
        },
      },
    ],
  };
}
