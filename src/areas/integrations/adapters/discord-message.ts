import type { Notice } from '../../../platform/area/provider';
import { short, unpinging } from './notice';

/** Discord's limits: https://discord.com/developers/docs/resources/message#embed-object-embed-limits */
const TITLE = 256;
const DESCRIPTION = 2_500;
const NAME = 256;
const VALUE = 250;
const AUTHOR = 256;
const COLOURS = { neutral: 0x5865f2, good: 0x2e9e5b, warning: 0xe0a100, bad: 0xd83c3e } as const;

/** A message with one embed that can call nobody. All lengths together stay below Discord's 6,000. */
export function discordMessage(notice: Notice): Record<string, unknown> {
  const quote = notice.quote === null ? '' : `\n\n${escaped(notice.quote)}`;
  return {
    embeds: [
      {
        title: cut(escaped(notice.title), TITLE),
        description: cut(`${escaped(notice.headline)}${quote}`, DESCRIPTION),
        color: COLOURS[notice.tone],
        timestamp: notice.at,
        author: { name: cut(unpinging(notice.actor), AUTHOR) },
        fields: notice.facts.map(({ label, value }) => ({
          name: cut(escaped(label), NAME),
          value: cut(escaped(value), VALUE),
          inline: true,
        })),
        ...(notice.link === null ? {} : { url: notice.link }),
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

/** Everything that Discord's Markdown could make something of: marks anywhere, lists and headings where a line begins. */
function escaped(text: string): string {
  return unpinging(text)
    .replaceAll(/[\\*_~`|<>[\]()]/g, '\\$&')
    .replaceAll(/^(\s*)([-#])/gm, '$1\\$2');
}

/** A cut must not leave a lone backslash, which would escape the mark of the cut. */
function cut(text: string, max: number): string {
  return short(text, max).replace(/(?<!\\)((?:\\\\)*)\\…$/, '$1…');
}
