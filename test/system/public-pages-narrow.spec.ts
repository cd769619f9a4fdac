import type { Browser } from 'playwright-core';
import { RATING_PAGE } from '../../src/areas/tickets/rating/ratings.service';
import { NO_BRAND } from '../../src/platform/brand/brand';
import { compose } from '../../src/platform/mail/letter/compose';
import { PublicLinks } from '../../src/platform/secrets/public-links';
import { useApp } from '../support/app';
import { openBrowser, watchedPage } from '../support/browser';
import { ITEM } from '../support/quotes';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp({ role: 'api' });
let browser: Browser;
let workspace: TestWorkspace;

beforeAll(async () => {
  [browser, workspace] = [await openBrowser(), await makeWorkspace(server)];
});

afterAll(() => browser.close());

const WORD = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(5);
const URL_OF_300 = `https://files.example/${'0123456789abcdef'.repeat(18)}?download`;
const dear = { ...ITEM, quantity: 9_999.9999, unit_price: 999_999.9999, discount_percent: 12.5 };

/** The page of a sent quote. */
async function quotePage(items: unknown[], more: Record<string, unknown> = {}): Promise<string> {
  const body = { title: 'Printers', currency: 'EUR', recipient_email: 'paul@acme.example', items, ...more };
  const { id } = (await workspace.api.post('/quotes', body)).expect(201).data;
  const { public_url } = (await workspace.api.post(`/quotes/${id}/status`, { status: 'sent' })).expect(200).data;
  return String(public_url);
}

/** The page that asks for a rating of a ticket. */
async function ratingPage(subject: string): Promise<string> {
  const { id } = (await workspace.api.post('/tickets', { subject, requester_email: 'ada@a.example' })).expect(201).data;
  (await workspace.api.patch(`/tickets/${id}`, { status: 'resolved' })).expect(200);
  const expiresAt = new Date(Date.now() + 3_600_000);
  return server.app.get(PublicLinks).url(RATING_PAGE, { workspaceId: workspace.id, id, expiresAt });
}

const pages: [name: string, url: () => Promise<string>][] = [
  ['a quote', () => quotePage([ITEM])],
  [
    'a quote of long words and addresses',
    () =>
      quotePage([{ ...ITEM, name: WORD, description: URL_OF_300, sku: 'S'.repeat(64), unit: 'U'.repeat(32) }], {
        ...{ title: WORD, header: URL_OF_300, notes: URL_OF_300, terms: WORD, footer: WORD },
        recipient_email: `${'p'.repeat(60)}@${'acme.'.repeat(30)}example`,
      }),
  ],
  ['a quote of long amounts', () => quotePage([dear, dear], { discount: { type: 'percent', value: 3.25 } })],
  ['a quote of 200 items', () => quotePage(Array.from({ length: 200 }, () => ITEM))],
  ['a request for a rating', () => ratingPage(WORD)],
  ['an error', () => Promise.resolve(`${server.url}/p/quotes/${'x'.repeat(300)}`)],
];

describe.each(['light', 'dark'] as const)('on a telephone, %s', (colorScheme) => {
  it.each(pages)('%s needs no scrolling sideways', async (_name, url) => {
    const { page } = await watchedPage(browser, server.url, { viewport: { width: 360, height: 740 }, colorScheme });
    try {
      await page.goto(await url());
      const [needed, given] = await page.evaluate<[number, number]>(
        '[Math.max(document.documentElement.scrollWidth, document.body.scrollWidth), window.innerWidth]',
      );
      expect([needed <= given, given]).toEqual([true, 360]);
      // Nothing is cut off either: what stands on the page ends within it.
      const beyond = await page.evaluate(
        `[...document.querySelectorAll('main *')].filter((e) => !e.closest('thead') && e.getBoundingClientRect().right > 361).length`,
      );
      expect(beyond).toBe(0);
    } finally {
      await page.context().close();
    }
  });

  it('a mail of everything that mails have needs none either, and asks nobody for anything', async () => {
    const { page, foreign, problems } = await watchedPage(browser, server.url, {
      viewport: { width: 360, height: 740 },
      colorScheme,
    });
    const link = { label: WORD, url: URL_OF_300 };
    const text = `${WORD} ${URL_OF_300}\n\n> ${WORD}\n\n\`\`\`\n${WORD}\n\`\`\`\n\n- \`${WORD}\``;
    const letter = { ...{ subject: WORD, text, heading: WORD, reference: 'TCK-000001' }, format: 'markdown' as const };
    const parts = { facts: [[WORD, WORD] as const], button: link, choices: [link], files: [link], answerable: true };
    const quoted = [{ author: WORD, at: '2026-03-03T10:00:00Z', text }];
    const brand = { ...NO_BRAND, name: WORD, address: WORD, website: URL_OF_300 };
    try {
      await page.setContent(
        compose({ letter: { ...letter, ...parts, quoted, signed: true }, brand, signature: text }).html,
      );
      const needed = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect([needed <= 360, foreign, problems]).toEqual([true, [], []]);
    } finally {
      await page.context().close();
    }
  });
});
