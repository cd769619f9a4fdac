import fc from 'fast-check';
import { discordMessage } from '../../src/areas/integrations/adapters/discord-message';
import { NO_BRAND } from '../../src/platform/brand/brand';
import { compose } from '../../src/platform/mail/letter/compose';
import { mailMessage } from '../../src/areas/integrations/adapters/mail-message';
import { type EventFacts, noticeOf } from '../../src/areas/integrations/adapters/notice';
import { slackMessage } from '../../src/areas/integrations/adapters/slack-message';
import { teamsMessage } from '../../src/areas/integrations/adapters/teams-message';
import { webhookBody } from '../../src/areas/integrations/adapters/webhook-message';
import { replyText } from '../../src/areas/integrations/mail-in/reply-text';
import '../support/areas';
import { discordProblems, slackProblems, teamsProblems } from '../support/chat-rules';

const event = (more: Partial<EventFacts> = {}): EventFacts => ({
  uid: 'evt_01976f7e1d1c7d3c8a1b2c3d4e5f6071',
  type: 'ticket.updated',
  object: 'ticket',
  object_id: 42,
  sequence_id: 'seq_01976f7e1d1c7d3c8a1b2c3d4e5f6071',
  position: 1,
  workspace_id: 7,
  actor: { type: 'user', id: 12, name: 'Ada Lovelace' },
  causation: { root_event_id: 'evt_01976f7e1d1c7d3c8a1b2c3d4e5f6071', depth: 0, request_id: 'req_1' },
  changes: { priority: { from: 'low', to: 'high' }, updated_at: { from: 'a', to: 'b' } },
  data: { id: 42, code: 'TCK-000123', subject: 'Printer is jammed', description: 'Paper.', status: 'open' },
  related: null,
  created_at: '2026-10-20T08:00:00.123Z',
  ...more,
});

const HOME = 'https://help.acme.example';

describe('what a message says', () => {
  it('names the record, what happened, what changed, who did it and where it is', () => {
    expect(noticeOf(event(), HOME)).toEqual({
      headline: 'A ticket was changed.',
      title: 'TCK-000123 Printer is jammed',
      quote: null,
      facts: [{ label: 'Priority', value: 'low → high' }],
      actor: 'Ada Lovelace',
      link: 'https://help.acme.example/v1/tickets/42',
      tone: 'neutral',
      at: '2026-10-20T08:00:00.123Z',
    });
  });

  it('quotes what was written, and says when it is internal', () => {
    const related = { comment: { body: ' Have you\ntried water? ', is_internal: true } };
    expect(noticeOf(event({ type: 'ticket.comment_added', changes: null, related }), null)).toMatchObject({
      headline: 'A comment was added to a ticket.',
      quote: 'Have you\ntried water?',
      facts: [{ label: 'Visibility', value: 'internal note' }],
      link: null,
    });
  });

  it.each([
    ['crm/deals', event({ type: 'deal.won', object: 'deal', data: { title: 'New office' } }), 'New office'],
    ['webhooks', event({ type: 'webhook.deactivated', object: 'webhook', data: { url: 'x' } }), 'webhook 42'],
    ['contacts', event({ type: 'contact.created', object: 'contact', data: { name: null } }), 'contact 42'],
  ])('names a record as its resource says, and where it is: %s', (path, told, title) => {
    expect(noticeOf(told, HOME)).toMatchObject({ title, link: `${HOME}/v1/${path}/42` });
  });

  it('names what is no record of a resource by its name, without a link', () => {
    const told = event({ type: 'token.created', object: 'token', data: { name: 'Reporting' } });
    expect(noticeOf(told, HOME)).toMatchObject({ title: 'Reporting', link: null });
  });

  it('leads nowhere when the record is gone', () => {
    expect(noticeOf(event({ type: 'ticket.deleted' }), HOME).link).toBeNull();
  });
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.constantFrom(
    '<!channel> <@U123> <https://evil.example|click>',
    '@everyone @here @channel',
    '[click](https://evil.example) **bold** `code` ||spoiler|| <@123> # head',
    '<script>alert(1)</script>"\'&',
    '\\',
    '😀'.repeat(500),
    'x'.repeat(70_000),
    '\r\nBcc: victim@example.com',
    '<at>everyone</at>',
  ),
);

const anyEvent = fc
  .record({
    type: fc.constantFrom('ticket.created', 'ticket.updated', 'ticket.comment_added', 'integration.error'),
    name: hostile,
    subject: hostile,
    body: hostile,
    from: hostile,
    to: hostile,
    label: fc.stringMatching(/^[a-z_]{1,40}$/),
    count: fc.integer({ min: 0, max: 30 }),
  })
  .map(({ type, name, subject, body, from, to, label, count }) =>
    event({
      type,
      actor: { type: 'user', id: 1, name },
      data: { code: 'TCK-000123', subject, description: body, status: to },
      related: { comment: { body, is_internal: false } },
      changes: Object.fromEntries(Array.from({ length: count }, (_, n) => [`${label}${n}`, { from, to }])),
    }),
  );

describe('whatever strangers write', () => {
  it.each([
    ['Slack', slackMessage, slackProblems],
    ['Teams', teamsMessage, teamsProblems],
    ['Discord', discordMessage, discordProblems],
  ] as const)('a message for %s keeps the rules of the platform', (_name, message, problems) => {
    fc.assert(
      fc.property(anyEvent, (facts) => {
        expect(problems(message(noticeOf(facts, HOME)))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('a message calls nobody and hides no link', () => {
    const facts = event({
      type: 'ticket.created',
      data: {
        code: 'TCK-000001',
        subject: '<!channel> @everyone [x](https://evil.example)',
        description: '@here <@U1>',
      },
    });
    const notice = noticeOf(facts, null);
    const slack = slackMessage(notice) as { text: string };
    expect(slack.text).not.toMatch(/<!channel>|@everyone/);
    expect(slack.text).toContain('&lt;!channel&gt;');
    expect(JSON.stringify(slackMessage(notice))).not.toMatch(/"type":"mrkdwn"|@(everyone|here|channel)/);
    expect(JSON.stringify(teamsMessage(notice))).not.toContain('"TextBlock"');
    const [embed] = (discordMessage(notice) as { embeds: { title: string }[] }).embeds;
    expect(embed?.title).not.toMatch(/(?<!\\)[[\]()]|@everyone/);
  });

  it('a mail has one line per header and escaped HTML', () => {
    fc.assert(
      fc.property(anyEvent, (facts) => {
        const mail = mailMessage(facts, noticeOf(facts, HOME), { to: ['a@b.example'], host: 'acme.example' });
        const { html } = compose({ letter: mail.letter, brand: NO_BRAND, signature: null });
        expect(mail.subject).not.toMatch(/\p{Cc}/u);
        expect(Array.from(mail.subject).length).toBeLessThanOrEqual(250);
        expect(html).not.toMatch(/<script|<at>|<!channel|<@/);
        expect(mail.messageId).toBe('<tck-000123.01976f7e1d1c7d3c8a1b2c3d4e5f6071@acme.example>');
      }),
    );
  });

  it('a body of the generic webhook is at most 256 KB and says what it left out', () => {
    const body = webhookBody(event({ data: { id: 42, description: 'é'.repeat(200_000) } }));
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(262_144);
    expect(JSON.parse(body)).toMatchObject({ truncated: ['data.ticket.description'] });
    expect(webhookBody(event())).toBe(webhookBody(event()));
  });
});

describe('the text of a reply', () => {
  it.each([
    [
      'an English attribution',
      'Thanks!\n\nOn Tue, 3 Mar 2026 at 10:00, Ada <a@b.c> wrote:\n> Hi\n>\n> there',
      'Thanks!',
    ],
    ['a wrapped one', 'Thanks!\n\nOn Tue, 3 Mar 2026 at 10:00, Ada Lovelace\n<a@b.c> wrote:\n\n> Hi', 'Thanks!'],
    ['a German one', 'Danke!\n\nAm 03.03.26 um 10:00 schrieb Ada:\n> Hallo', 'Danke!'],
    ['a French one', 'Merci\n\nLe mar. 3 mars 2026 à 10:00, Ada <a@b.c> a écrit :\n> Salut', 'Merci'],
    [
      'Outlook',
      'Thanks!\n\n________________________________\nFrom: Ada <a@b.c>\nSent: Tuesday\nTo: Bob\nSubject: Hi\n\nHello',
      'Thanks!',
    ],
    ['German Outlook', 'Danke\n\nVon: Ada <a@b.c>\nGesendet: Dienstag\nAn: Bob\nBetreff: Hi\n\nHallo', 'Danke'],
    ['a divider', 'Thanks!\n-----Original Message-----\nanything', 'Thanks!'],
    ['a bare quote at the end', 'Thanks!\n\n> Hi\n> there\n', 'Thanks!'],
    ['a signature', 'Thanks!\n-- \nAda Lovelace\n+49 30 1', 'Thanks!'],
    ['a telephone', 'Thanks!\n\nSent from my iPhone\n\nOn 3 Mar 2026, at 10:00, Ada <a@b.c> wrote:\n> Hi', 'Thanks!'],
  ])('leaves out %s', (_name, text, kept) => {
    expect(replyText(text)).toBe(kept);
  });

  it.each([
    ['an answer between the lines', 'On Tue, 3 Mar 2026 at 10:00, Ada wrote:\n> Colour?\nRed.\n> Size?\nLarge.'],
    ['a sentence like an attribution', 'On Monday the boss wrote:\nplease fix it\nand he is right'],
    ['nothing but a quote', '> Hi\n> there'],
    ['a line that begins like a header', 'From: now on we use the other printer.\nThanks'],
    ['a list with dashes', 'Needed:\n-- paper\n-- toner'],
  ])('keeps %s', (_name, text) => {
    expect(replyText(text)).toBe(text);
  });

  it('never makes anything up, and copes with long lines and many', () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 6 }), (parts) => {
        const text = parts.join('\n');
        expect(text).toContain(replyText(text));
      }),
    );
    const long = `${'On '.repeat(50_000)}\n${'> '.repeat(50_000)}\n${'From: \n'.repeat(20_000)}x`;
    expect(replyText(long)).toBe(long);
  });
});
