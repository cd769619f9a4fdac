import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { openBrowser, type Watched, watchedPage } from '../support/browser';
import { until } from '../support/until';
import { webchat } from '../support/webchat';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const MAX_BYTES = 15 * 1_024;

const server = useApp();
let workspace: TestWorkspace;
let browser: Browser;
let channel: Fields;
let embed = '';
/** Two sites on ports, and so origins, of their own; the chat may stand on the first. */
let sites: Server[] = [];

beforeAll(async () => {
  workspace = await makeWorkspace(server);
  sites = await Promise.all([site(), site()]);
  const config = { allowed_origins: [originOf(0)], greeting: 'Ask us anything.', ask_email: 'off' };
  channel = await webchat(workspace.api, config, { auto_reply: { enabled: true, message: 'One moment.' } });
  embed = (await workspace.api.get(`/teams/channels/${channel.id}/widget`)).expect(200).data.embed as string;
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  for (const each of sites) {
    each.closeAllConnections();
    await new Promise((resolve) => each.close(resolve));
  }
});

/** A site with the strictest policy that lets the chat in: no styles, no pictures, no HTML from scripts. */
async function site(): Promise<Server> {
  const listening = createServer((_request, answer) => {
    const policy = `default-src 'none'; script-src ${server.url}; connect-src ${server.url}; img-src data:; require-trusted-types-for 'script'`;
    answer.setHeader('content-type', 'text/html; charset=utf-8').setHeader('content-security-policy', policy);
    answer.end(
      `<!doctype html><html><head><title>Shop</title><link rel="icon" href="data:,">` +
        `<meta name="viewport" content="width=device-width">${embed}</head><body><h1>Shop</h1><a href="#">Cart</a></body></html>`,
    );
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return listening;
}

const originOf = (index: number): string =>
  `http://127.0.0.1:${(sites[index]?.address() as AddressInfo | undefined)?.port ?? 0}`;

async function onSite(visit: (watched: Watched) => Promise<void>, options = {}): Promise<void> {
  const watched = await watchedPage(browser, originOf(0), options);
  try {
    await watched.page.goto(`${originOf(0)}/`);
    await visit(watched).catch((error: unknown) => {
      throw new Error(`${String(error)}; seen on the page: ${watched.problems.join(', ') || 'nothing wrong'}`);
    });
    expect(watched.foreign.filter((url) => !url.startsWith(`${server.url}/v1/chat/`))).toEqual([]);
  } finally {
    await watched.page.context().close();
  }
}

/** What stands in the conversation, one after the other. */
const said = (page: Page): Promise<string[]> => page.locator('li .text').allTextContents();

async function answer(body: string): Promise<void> {
  const [thread] = (await workspace.api.get(`/teams/threads?channel_id=${channel.id}&sort=-last_message_at`)).rows;
  const reply = { channel_id: channel.id, thread_id: thread?.id, body };
  (await workspace.api.post('/teams/messages', reply)).expect(201);
}

/** Somebody of the workspace writes to the last visitor: to be said again, as clients do. */
async function threadTyping(): Promise<void> {
  const [thread] = (await workspace.api.get(`/teams/threads?channel_id=${channel.id}&sort=-last_message_at`)).rows;
  (await workspace.api.post(`/teams/threads/${thread?.id}/typing`, {})).expect(200);
}

it('is opened by keys alone, takes what is said, and shows the answer while it comes; after a reload it is still there', async () => {
  await onSite(async ({ page, problems }) => {
    const launcher = page.getByRole('button', { name: 'Open chat' });
    await launcher.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Ask us anything.').waitFor();
    await page.keyboard.type('Ada');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Your message' }).waitFor();
    await page.keyboard.type('The printer is jammed.');
    await page.keyboard.press('Enter');
    await dialog.getByText('One moment.').waitFor();
    const tricky = '<img src=x onerror=alert(1)> see https://example.com/a?b=1.';
    await answer(tricky);
    await dialog.getByText('<img src=x').waitFor();
    const expected = ['The printer is jammed.', 'One moment.', tricky.replace('1.', '1 (opens in a new tab).')];
    expect(await said(page)).toEqual(expected);
    expect(await dialog.getByRole('link').getAttribute('href')).toBe('https://example.com/a?b=1');
    expect(await page.getByRole('log').getAttribute('aria-live')).toBe('polite');

    await until('it shows that somebody writes', async () => {
      await threadTyping();
      return (await dialog.getByText('is writing…').count()) > 0;
    });
    await page.reload();
    await dialog.getByText('<img src=x').waitFor();
    expect(await said(page)).toEqual(expected);
    await page.getByRole('textbox', { name: 'Your message' }).press('Escape');
    await answer('Is it better now?');
    await page.getByRole('button', { name: 'Open chat, 1 new' }).click();
    await dialog.getByText('Is it better now?').waitFor();
    await page.getByRole('button', { name: 'Close chat' }).first().focus();
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement.shadowRoot.activeElement.className')).toBe('launcher');
    expect(problems).toEqual([]);
  });
});

it('keeps what is written without a connection, and sends it once there is one; on a phone it covers the page', async () => {
  await onSite(
    async ({ page }) => {
      await page.getByRole('button', { name: 'Chat öffnen' }).click();
      await page.getByRole('button', { name: 'Beginnen' }).click();
      const text = page.getByRole('textbox', { name: 'Ihre Nachricht' });
      await text.fill('Eins');
      await text.press('Enter');
      await page.getByText('One moment.').waitFor();
      await page.context().setOffline(true);
      await text.fill('Zwei');
      await text.press('Enter');
      await page.getByText('Keine Verbindung.').waitFor();
      await page.getByText('Wird gesendet …').waitFor();
      await page.context().setOffline(false);
      await page.getByText('Wird gesendet …').waitFor({ state: 'detached' });
      expect(await said(page)).toEqual(['Eins', 'One moment.', 'Zwei']);
      const box = await page.getByRole('dialog').boundingBox();
      expect([box?.x, box?.y, box?.width, box?.height]).toEqual([0, 0, 360, 640]);
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      expect(wide).toBe(360);
    },
    { viewport: { width: 360, height: 640 }, locale: 'de-DE' },
  );
});

it('lets who is answered by the assistant ask for a person, once', async () => {
  const config = { ai: 'auto' };
  (await workspace.api.patch(`/teams/channels/${channel.id}`, { config })).expect(200);
  await onSite(
    async ({ page }) => {
      await page.getByRole('button', { name: 'Ouvrir le chat' }).click();
      await page.getByRole('button', { name: 'Commencer' }).click();
      const text = page.getByRole('textbox', { name: 'Votre message' });
      await text.fill('Bonjour');
      await text.press('Enter');
      const person = page.getByRole('button', { name: 'Parler à une personne' });
      await person.focus();
      await page.keyboard.press('Enter');
      await page.getByText('Je voudrais parler à une personne.').waitFor();
      await person.waitFor({ state: 'hidden' });
      await until('people have the chat', async () => {
        const [thread] = (await workspace.api.get(`/teams/threads?channel_id=${channel.id}&sort=-last_message_at`))
          .rows;
        return thread?.ticket_id !== null;
      });
    },
    { locale: 'fr-FR' },
  );
  (await workspace.api.patch(`/teams/channels/${channel.id}`, { config: { ai: 'off' } })).expect(200);
});

it('does not show on a page where it may not stand, and cannot be used there', async () => {
  const { page, problems } = await watchedPage(browser, originOf(1));
  await page.goto(`${originOf(1)}/`);
  await until('the widget is refused', () => problems.some((text) => text.includes('CORS policy')));
  expect(await page.getByRole('button').count()).toBe(0);
  const script = `fetch(document.querySelector('script').src.replace('widget.js', document.querySelector('script').dataset.channel + '/sessions'),
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).then(() => 'answered', () => 'refused')`;
  expect(await page.evaluate(script)).toBe('refused');
  await page.context().close();
});

it('is one script of at most 15 KB on its way', async () => {
  const bytes = await new Promise<number>((resolve, reject) => {
    const asked = request(`${server.url}/v1/chat/widget.js`, { headers: { 'accept-encoding': 'gzip' } }, (got) => {
      let size = 0;
      expect(got.headers['content-encoding']).toBe('gzip');
      got.on('data', (chunk: Buffer) => (size += chunk.length)).on('end', () => resolve(size));
    });
    asked.on('error', reject).end();
  });
  expect(bytes).toBeLessThan(MAX_BYTES);
});
