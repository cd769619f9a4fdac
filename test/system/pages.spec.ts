import type { Browser } from 'playwright-core';
import { codingFor } from '../../src/platform/http/docs/assets';
import { api } from '../support/api';
import { useApp } from '../support/app';
import { openBrowser, type Watched, watchedPage } from '../support/browser';
import { insist } from '../support/insist';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let browser: Browser;
let workspace: TestWorkspace;

beforeAll(async () => {
  browser = await openBrowser();
  workspace = await makeWorkspace(server);
  await workspace.api.post('/tickets', { subject: 'Seen in the browser' });
  // Made at the first request, which a starved machine may answer with 503; a page does not ask again.
  (await insist(() => workspace.api.get('/openapi.json'))).expect(200);
});

afterAll(async () => {
  await browser.close();
});

/** Opens a page, and afterwards demands that nothing went wrong and nothing came from elsewhere. */
async function onPage(path: string, visit: (watched: Watched) => Promise<void>, options = {}): Promise<void> {
  const watched = await watchedPage(browser, server.url, options);
  try {
    await watched.page.goto(`${server.url}${path}`);
    await visit(watched).catch((error: unknown) => {
      throw new Error(`${String(error)}; seen on the page: ${watched.problems.join(', ') || 'nothing wrong'}`);
    });
    expect({ problems: watched.problems, foreign: watched.foreign }).toEqual({ problems: [], foreign: [] });
  } finally {
    await watched.page.context().close();
  }
}

describe('Swagger UI', () => {
  it('shows the operations, keeps webhooks closed, and calls one with a token', async () => {
    await onPage('/docs', async ({ page }) => {
      await page.locator('.opblock').first().waitFor();
      const { tags } = (await api(server.url).get('/openapi.json')).body as { tags: { name: string }[] };
      expect(await page.locator('.opblock-tag').first().getAttribute('data-tag')).toBe(tags[0]?.name);
      expect(await page.locator('.webhooks .opblock').count()).toBe(0);
      await page.locator('.webhooks > summary').click();
      await page.locator('.webhooks .opblock').first().waitFor();

      await page.getByRole('button', { name: 'Authorize' }).first().click();
      await page.locator('.auth-container input').fill(workspace.token);
      await page.locator('.auth-btn-wrapper .authorize').click();
      await page.locator('.auth-btn-wrapper .btn-done').click();

      await page.locator('.operation-filter-input').fill('Meta');
      const me = page.locator('.opblock').filter({ has: page.locator('[data-path="/me"]') });
      await me.locator('.opblock-summary-control').click();
      expect(new URL(page.url()).hash).toMatch(/^#\/Meta\//);
      await me.getByRole('button', { name: 'Try it out' }).click();
      await me.getByRole('button', { name: 'Execute' }).click();
      await me.locator('.live-responses-table .response').waitFor();
      expect(await me.locator('.live-responses-table').innerText()).toContain(`"slug": "${workspace.slug}"`);

      // The token is kept; for that a small document is shown as well as the whole one.
      await page.route('**/openapi.json', async (route) => {
        const response = await route.fetch();
        const { webhooks: _webhooks, paths, ...rest } = (await response.json()) as { webhooks: object; paths: object };
        const me = Object.entries(paths).filter(([path]) => path === '/me');
        await route.fulfill({ response, json: { ...rest, paths: Object.fromEntries(me) } });
      });
      await page.reload();
      await page.locator('.opblock').first().waitFor();
      await page.locator('button.authorize.locked').first().waitFor();
    });
  });
});

describe('the reference', () => {
  it('shows an operation with its samples and calls it with a token', async () => {
    await onPage(
      '/docs/reference',
      async ({ page }) => {
        await page.getByPlaceholder('Token').first().fill(workspace.token);
        await page.getByText('Meta', { exact: true }).first().click();
        await page.getByText('Identity, plan and usage of the token').first().click();
        const call = page.getByRole('button', { name: /Test Request.*get \/me/i }).first();
        await call.waitFor();
        expect(new URL(page.url()).hash).toMatch(/\/me$/);

        await page.locator('section', { has: call }).last().getByText('Shell Curl').click();
        for (const client of ['Fetch', 'Requests']) await page.getByRole('option', { name: client }).first().waitFor();
        await page.keyboard.press('Escape');

        await call.click();
        await page.getByRole('button', { name: /^Send/ }).first().click();
        await page.getByText(`"${workspace.slug}"`).first().waitFor();
      },
      { viewport: { width: 1400, height: 900 } },
    );
  });
});

describe('the start page', () => {
  it('tells how the service is, and copies what is to be typed', async () => {
    const options = { viewport: { width: 360, height: 740 }, permissions: ['clipboard-read', 'clipboard-write'] };
    await onPage(
      '/',
      async ({ page }) => {
        await page.locator('#health[data-state="ok"]').waitFor();
        // Looked for from before the click on: it stands there for a moment only.
        const copied = page.getByText('Copied').waitFor();
        await Promise.all([copied, page.locator('button[data-copy="curl"]').click()]);
        const command = await page.evaluate(() => navigator.clipboard.readText());
        expect(command).toContain(`${server.url}/v1/tickets`);
        const scrolls = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
        expect(scrolls).toBe(false);
      },
      options,
    );
  });

  it('has no token in it, and a policy that lets nothing in from elsewhere', async () => {
    const page = await api(server.url).get(`${server.url}/`);
    expect([page.status, page.header('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.header('content-security-policy')).not.toMatch(/unsafe|https?:/);
    expect(page.text).not.toMatch(/hd[dt]_\w{38}/);
    expect(page.text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });
});

describe('the files of the pages', () => {
  it('have addresses that change with them, stay in the cache for good, and are compressed when that is asked for', async () => {
    const html = (await api(server.url).get(`${server.url}/docs`)).text;
    const paths = [...html.matchAll(/"(\/docs\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(paths).toHaveLength(4);
    for (const path of paths) {
      for (const coding of ['br', 'gzip', '']) {
        const answer = await fetch(`${server.url}${path}`, { headers: { 'accept-encoding': coding } });
        expect(answer.headers.get('content-encoding')).toBe(coding || null);
        expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect((await answer.text()).length).toBeGreaterThan(100);
      }
    }
  });

  it('follow what the client accepts', () => {
    const cases = {
      'gzip, deflate, br': 'br',
      gzip: 'gzip',
      'br;q=0, gzip': 'gzip',
      'br; q=0.5': 'br',
      deflate: 'identity',
    };
    for (const [accepted, coding] of Object.entries(cases))
      expect([accepted, codingFor(accepted)]).toEqual([accepted, coding]);
    expect(codingFor(undefined)).toBe('identity');
  });
});
