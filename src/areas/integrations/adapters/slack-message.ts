import type { Notice } from '../../../platform/area/provider';
import { short, unpinging } from './notice';

/** Slack's limits: https://api.slack.com/reference/block-kit/blocks */
const HEADER = 150;
const SECTION = 3_000;
const FIELD = 2_000;
const TEXT = 4_000;

/** A message for an incoming webhook: blocks, and the text that notifications and simpler receivers show. */
export function slackMessage(notice: Notice): Record<string, unknown> {
  // Plain text is shown as it is: no links, mentions or formatting hide in what a requester wrote.
  const plain = (text: string, max: number) => ({
    type: 'plain_text',
    text: short(unpinging(text), max),
    emoji: false,
  });
  const link = notice.link === null ? [] : [button(notice.link)];
  return {
    text: short(`${escaped(notice.headline)} ${escaped(notice.title)} (${escaped(notice.actor)})`, TEXT),
    blocks: [
      { type: 'header', text: plain(notice.title, HEADER) },
      { type: 'section', text: plain(notice.headline, SECTION) },
      ...(notice.quote === null ? [] : [{ type: 'section', text: plain(notice.quote, SECTION) }]),
      ...(notice.facts.length === 0
        ? []
        : [{ type: 'section', fields: notice.facts.map(({ label, value }) => plain(`${label}: ${value}`, FIELD)) }]),
      { type: 'context', elements: [plain(`${notice.actor} · ${notice.at}`, SECTION)] },
      ...link,
    ],
    unfurl_links: false,
    unfurl_media: false,
  };
}

/** The three characters that make links, mentions and entities in Slack's own markup. */
function escaped(text: string): string {
  return unpinging(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function button(url: string): Record<string, unknown> {
  return { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open' }, url }] };
}
