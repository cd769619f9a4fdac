import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { useApp } from '../support/app';
import { openBrowser } from '../support/browser';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;
let browser: Browser;
let page: Page;
/** Somebody's single-page application: it has another port, and so another origin. */
let stranger: Server;

beforeAll(async () => {
  workspace = await makeWorkspace(server);
  stranger = createServer((_request, answer) => answer.setHeader('content-type', 'text/html').end('<h1>App</h1>'));
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  browser = await openBrowser();
  page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`);
});

afterAll(async () => {
  await browser.close();
  await new Promise((resolve) => stranger.close(resolve));
});

interface Seen {
  status: number;
  headers: Record<string, string>;
  body: { data?: { id: number; name: string }; error?: { type: string } };
}

/** What a script of the page gets to see of a call. */
function call(method: string, path: string, headers: Record<string, string> = {}, body?: object): Promise<Seen> {
  const options = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  const script = `fetch(${JSON.stringify(`${server.url}/v1${path}`)}, ${JSON.stringify(options)}).then(async (answer) => ({
    status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.json() }))`;
  return page.evaluate<Seen>(script);
}

describe('a page of another origin in Chromium', () => {
  it('creates, changes, reads and lists with its token, and reads the headers that matter', async () => {
    const token = { authorization: `Bearer ${workspace.token}`, 'content-type': 'application/json' };
    const created = await call('POST', '/teams', { ...token, 'idempotency-key': 'k' }, { name: 'From a page' });
    expect([created.status, created.body.data?.name]).toEqual([201, 'From a page']);
    const path = `/teams/${created.body.data?.id ?? 0}`;
    const etag = created.headers.etag ?? '';
    expect(etag).not.toBe('');
    const changed = await call('PATCH', path, { ...token, 'if-match': etag }, { name: 'Changed' });
    expect([changed.status, changed.body.data?.name]).toEqual([200, 'Changed']);
    const late = await call('PATCH', path, { ...token, 'if-match': etag }, { name: 'Again' });
    expect([late.status, late.body.error?.type]).toEqual([412, 'precondition_failed']);
    const list = await call('GET', '/teams?per_page=1', token);
    expect(list.headers).toMatchObject({
      link: expect.stringContaining('rel="first"') as string,
      'x-api-version': 'v1',
    });
    for (const name of ['x-request-id', 'x-ratelimit-remaining', 'ratelimit', 'x-quota-used', 'etag']) {
      expect([name, typeof list.headers[name]]).toEqual([name, 'string']);
    }
    const replayed = await call('POST', '/teams', { ...token, 'idempotency-key': 'k' }, { name: 'From a page' });
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    expect((await call('DELETE', path, token)).status).toBe(200);
  });

  it('can tell why it was refused', async () => {
    const refused = await call('GET', '/teams', { authorization: 'Bearer x' });
    expect([refused.status, refused.body.error?.type]).toEqual([401, 'unauthorized']);
  });

  it('sees nothing of what is outside /v1', async () => {
    const outside = page.evaluate(`fetch(${JSON.stringify(`${server.url}/ready`)})`);
    await expect(outside).rejects.toThrow('Failed to fetch');
  });
});
