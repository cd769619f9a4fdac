interface Text {
  type: string;
  text: string;
}
interface SlackBlock {
  type: string;
  text?: Text;
  fields?: Text[];
  elements?: (Text & { url?: string; text: string | Text })[];
}

/** What Slack would refuse about a message: https://api.slack.com/reference/block-kit/blocks */
export function slackProblems(message: unknown): string[] {
  const { text, blocks } = message as { text?: string; blocks?: SlackBlock[] };
  const problems: string[] = [];
  const check = (holds: boolean, what: string): void => {
    if (!holds) problems.push(what);
  };
  const fits = (each: Text | undefined, max: number, what: string): void =>
    check(
      each !== undefined &&
        ['plain_text', 'mrkdwn'].includes(each.type) &&
        each.text.length > 0 &&
        each.text.length <= max,
      `${what}: ${String(each?.text).slice(0, 80)}`,
    );
  check(typeof text === 'string' && text.length > 0 && text.length <= 40_000, 'text');
  check(Array.isArray(blocks) && blocks.length > 0 && blocks.length <= 50, 'number of blocks');
  for (const block of blocks ?? []) {
    switch (block.type) {
      case 'header':
        fits(block.text, 150, 'header');
        check(block.text?.type === 'plain_text', 'header must be plain text');
        break;
      case 'section':
        if (block.text) fits(block.text, 3_000, 'section');
        check(block.text !== undefined || (block.fields?.length ?? 0) > 0, 'empty section');
        check((block.fields?.length ?? 0) <= 10, 'number of fields');
        for (const field of block.fields ?? []) fits(field, 2_000, 'field');
        break;
      case 'context':
        check((block.elements?.length ?? 0) > 0 && (block.elements?.length ?? 0) <= 10, 'number of elements');
        for (const element of block.elements ?? []) fits(element, 3_000, 'context');
        break;
      case 'actions':
        for (const element of block.elements ?? []) {
          fits(element.text as Text, 75, 'button');
          check((element.url ?? '').length <= 3_000 && URL.canParse(element.url ?? ''), 'address of the button');
        }
        break;
      default:
        problems.push(`block ${block.type}`);
    }
  }
  return problems;
}

interface Card {
  type: string;
  version: string;
  body: { type: string; inlines: { type: string; text: string }[] }[];
  actions?: { type: string; title: string; url: string }[];
}

/** What a workflow of Teams would refuse: one adaptive card of a version it knows, at most 28 KB. */
export function teamsProblems(message: unknown): string[] {
  const { type, attachments } = message as { type: string; attachments: { contentType: string; content: Card }[] };
  const problems: string[] = [];
  const check = (holds: boolean, what: string): void => {
    if (!holds) problems.push(what);
  };
  const [attachment] = attachments;
  check(type === 'message' && attachments.length === 1, 'one attachment of a message');
  check(attachment?.contentType === 'application/vnd.microsoft.card.adaptive', 'content type');
  const card = attachment?.content;
  check(card?.type === 'AdaptiveCard' && /^1\.[0-5]$/.test(card.version), 'card');
  for (const element of card?.body ?? []) {
    check(element.type === 'RichTextBlock' && element.inlines.length > 0, `element ${element.type}`);
    for (const run of element.inlines) check(run.type === 'TextRun' && typeof run.text === 'string', 'run');
  }
  for (const action of card?.actions ?? [])
    check(action.type === 'Action.OpenUrl' && URL.canParse(action.url), 'action');
  check(Buffer.byteLength(JSON.stringify(message)) <= 28_000, 'size');
  return problems;
}

interface Embed {
  title?: string;
  description?: string;
  url?: string;
  color?: number;
  timestamp?: string;
  author?: { name: string };
  footer?: { text: string };
  fields?: { name: string; value: string }[];
}

/** What Discord would refuse: https://discord.com/developers/docs/resources/message#embed-object-embed-limits */
export function discordProblems(message: unknown): string[] {
  const { embeds, allowed_mentions } = message as { embeds: Embed[]; allowed_mentions: { parse: string[] } };
  const problems: string[] = [];
  const check = (holds: boolean, what: string): void => {
    if (!holds) problems.push(what);
  };
  const fits = (text: string | undefined, max: number, what: string): void =>
    check(text === undefined || (text.length > 0 && text.length <= max), `${what}: ${String(text?.length)}`);
  check(embeds.length >= 1 && embeds.length <= 10, 'number of embeds');
  check(allowed_mentions.parse.length === 0, 'mentions');
  let total = 0;
  for (const { title, description, url, color, timestamp, author, footer, fields = [] } of embeds) {
    fits(title, 256, 'title');
    fits(description, 4_096, 'description');
    fits(author?.name, 256, 'author');
    fits(footer?.text, 2_048, 'footer');
    check(fields.length <= 25, 'number of fields');
    for (const { name, value } of fields) {
      fits(name, 256, 'name of a field');
      fits(value, 1_024, 'value of a field');
    }
    check(url === undefined || URL.canParse(url), 'url');
    check(color === undefined || (color >= 0 && color <= 0xffffff), 'color');
    check(timestamp === undefined || !Number.isNaN(Date.parse(timestamp)), 'timestamp');
    for (const text of [title, description, author?.name, footer?.text, ...fields.flatMap((f) => [f.name, f.value])])
      total += text?.length ?? 0;
  }
  check(total <= 6_000, `total ${total}`);
  return problems;
}
