import { networkOf } from '../../src/platform/limits/page-limit.guard';
import { PageLimits } from '../../src/platform/limits/page-limits';
import { signatureHeaders } from '../../src/platform/outbound/signature';
import { Workers } from '../../src/platform/workers/workers.service';
import { startApp, useApp } from '../support/app';
import { apiChannel, CHANNEL_SECRET, inboundAddress } from '../support/channels';
import { insist } from '../support/insist';
import { ITEM } from '../support/quotes';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp({ role: 'api' });
const limited = useApp({ role: 'api', pageRateLimit: 12, trustProxy: ['127.0.0.1/32'] });
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

/** A sent quote's page below the given application. */
async function page(base: string, count = 1, description: string | null = null): Promise<string> {
  const items = Array.from({ length: count }, () => ({ ...ITEM, description }));
  const body = { title: 'Printers', currency: 'EUR', recipient_email: 'paul@acme.example', items };
  const { id } = (await workspace.api.post('/quotes', body)).expect(201).data;
  const { public_url } = (await workspace.api.post(`/quotes/${id}/status`, { status: 'sent' })).expect(200).data;
  return base + new URL(String(public_url)).pathname;
}

describe('drawing a document', () => {
  it('of the largest quote keeps nobody waiting: others are answered meanwhile', async () => {
    const link = await page(server.url, 200, 'With duplex unit and two trays. '.repeat(5));
    const seen = { drawn: false, answered: 0 };
    // A drawing may take 15 seconds, which a slow and busy machine needs for less than this.
    const document = insist(() => fetch(`${link}/pdf`)).then(async (answer) => {
      const { byteLength } = await answer.arrayBuffer();
      seen.drawn = true;
      return [answer.status, byteLength > 20_000];
    });
    // Drawn where requests are answered, it lets one or two pass.
    while (!seen.drawn && seen.answered <= 10) {
      expect((await fetch(`${server.url}/v1/health`)).status).toBe(200);
      seen.answered++;
    }
    expect(seen.answered).toBeGreaterThan(10);
    expect(await document).toEqual([200, true]);
  });

  it('happens once, however many ask for it', async () => {
    const link = await page(server.url, 20);
    const workers = server.app.get(Workers);
    const run = jest.spyOn(workers, 'run');
    const answers = await Promise.all(Array.from({ length: 30 }, () => fetch(`${link}/pdf`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(run).toHaveBeenCalledTimes(1);
    run.mockRestore();
  });

  it('is refused to a link that makes it happen too often, and the page is still there', async () => {
    const link = await page(server.url);
    const id = Number((await workspace.api.get('/quotes?per_page=1&sort=-id')).rows[0]?.id);
    const statuses: number[] = [];
    for (let round = 0; round < 4; round++) {
      // Some of the six drawings of a minute are only counted, so that it is not over on a slow machine.
      const counted = round === 1 ? 4 : 0;
      for (let each = 0; each < counted; each++) {
        await server.app.get(PageLimits).admit(`drawing:${workspace.id}-${id}`, 6);
      }
      (await workspace.api.patch(`/quotes/${id}`, { custom_fields: { round } })).expect(200);
      const answer = await fetch(`${link}/pdf`);
      statuses.push(answer.status);
      if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect((await fetch(link)).status).toBe(200);
  });

  it('leaves no thread behind when the application closes', async () => {
    const own = await startApp({ role: 'api' });
    const workers = own.app.get(Workers);
    const status = await fetch(`${await page(own.url)}/pdf`).then((answer) => answer.status);
    const before = workers.size;
    await own.close();
    expect([status, before, workers.size]).toEqual([200, 1, 0]);
  });
});

describe('the limit of the pages', () => {
  const from = (address: string, link: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(link, { headers: { 'x-forwarded-for': address, ...headers } });

  it('counts each address by itself, whatever links it makes up', async () => {
    const made = Array.from({ length: 14 }, (_, index) => `${limited.url}/p/quotes/made-up-${index}`);
    const statuses: number[] = [];
    for (const link of made) statuses.push((await from('192.0.2.1', link)).status);
    expect(statuses).toEqual([...Array.from({ length: 12 }, () => 404), 429, 429]);
    expect((await from('192.0.2.2', made[0]!)).status).toBe(404);
  });

  it('counts each link by itself, whoever asks', async () => {
    const link = await page(server.url);
    const statuses = new Set<number>();
    // Some at once: one after the other, a slow machine may take longer than the minute that is counted.
    for (let round = 0; round < 6; round++) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(link)));
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses]).toEqual([200]);
    expect((await fetch(link)).status).toBe(429);
    expect((await fetch(await page(server.url))).status).toBe(200);
  });

  it('answers people with a page and programs with the uniform body', async () => {
    const link = `${limited.url}/p/rate/made-up`;
    for (let index = 0; index < 12; index++) await from('192.0.2.3', link);
    const html = await from('192.0.2.3', link, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([html.status, html.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(Number(html.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await html.text()).toMatch(/<h1>One moment, please<\/h1>[^]*wait a moment and try again/);
    const json = await from('192.0.2.3', link, { accept: 'application/json' });
    expect([json.status, json.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect(await json.json()).toMatchObject({ error: { type: 'rate_limit_exceeded', status: 429 } });
  });

  it('does not believe what strangers forward', async () => {
    const strict = await startApp({ role: 'api', pageRateLimit: 3, trustProxy: ['192.0.2.0/24'] });
    // The loopback address is shared with the other applications of a run; those do not count it.
    const statuses: number[] = [];
    for (let index = 0; index < 4; index++) {
      statuses.push((await from(`198.51.100.${index}`, `${strict.url}/p/rate/made-up-too`)).status);
    }
    await strict.close();
    expect(statuses).toEqual([404, 404, 404, 429]);
  });

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8:1:2:ffff::', '2001:db8:1:2::'],
    ['2001:db8:1:3::', '2001:db8:1:3::'],
  ])('counts %s as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

it('what a channel is told without its signature is limited by network; what is signed still comes', async () => {
  const address = new URL(await inboundAddress(workspace.api, await apiChannel(workspace.api, null)));
  const network = '203.0.113.57';
  for (let n = 0; n < 12; n++) await limited.app.get(PageLimits).admit(`unsigned:${network}`, 12);
  const body = JSON.stringify({ external_message_id: 'm1', from: { handle: 'u-1' }, body: 'Hello' });
  const post = async (secret: string): Promise<number> => {
    const timestampSeconds = Math.floor(Date.now() / 1_000);
    const headers = { ...signatureHeaders({ id: 'x', timestampSeconds, body, secret }), 'x-forwarded-for': network };
    return (await fetch(limited.url + address.pathname, { method: 'POST', body, headers })).status;
  };
  expect([await post('not-the-secret-of-the-channel'), await post(CHANNEL_SECRET)]).toEqual([429, 200]);
});
