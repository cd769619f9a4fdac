import { PublicLinks } from '../../src/platform/secrets/public-links';
import { useApp } from '../support/app';
import type { Fields } from '../support/api';
import { eventsOf } from '../support/event-log';
import { insist } from '../support/insist';
import { useSmtpServer } from '../support/mail-servers';
import { infoOf } from '../support/poppler';
import { useSql } from '../support/sql';
import { drained, runJob } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const smtp = useSmtpServer();
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

const hostile = '<script>alert("x")</script>';

async function sent(more: Record<string, unknown> = {}): Promise<Fields & { public_url: string }> {
  const body = {
    title: `Printers ${hostile}`,
    currency: 'EUR',
    recipient_email: 'paul@acme.example',
    header: 'Dear Paul,',
    items: [{ name: 'Printer', quantity: 2, unit_price: 100, tax_rate: 19, description: `two ${hostile}` }],
    ...more,
  };
  const { id } = (await workspace.api.post('/quotes', body)).expect(201).data;
  const answer = await workspace.api.post(`/quotes/${id}/status`, { status: 'sent' });
  return answer.expect(200).data as Fields & { public_url: string };
}

const get = async (id: number): Promise<Fields> => (await workspace.api.get(`/quotes/${id}`)).expect(200).data;
const open = async (url: string): Promise<{ status: number; text: string; headers: Headers }> => {
  const answer = await fetch(url);
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
};
const post = async (url: string, fields: Record<string, string>): Promise<{ status: number; text: string }> => {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: answer.status, text: await answer.text() };
};
const accept = (url: string, more: Record<string, string> = {}) =>
  post(`${url}/accept`, { name: 'Paul Weber', email: 'paul@acme.example', confirm: 'yes', ...more });
const stepsOf = async (id: number): Promise<string[]> =>
  (await eventsOf(server, workspace, 'quote', id)).map(({ type }) => type).filter((type) => type !== 'quote.updated');
const logOf = async (id: number): Promise<Fields[]> => (await workspace.api.get(`/quotes/${id}/events?sort=id`)).rows;

it('shows the quote to whoever has its link, and notes the first time', async () => {
  const quote = await sent();
  // A scanner of mails looks whether the link leads anywhere.
  expect((await fetch(quote.public_url, { method: 'HEAD' })).status).toBe(200);
  expect((await get(quote.id)).status).toBe('sent');
  const page = await open(quote.public_url);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  for (const part of [String(quote.number), 'Dear Paul,', 'Printer', '€238.00', 'Tax 19%', '/accept"', '/reject"'])
    expect(page.text).toContain(part);
  expect(page.text).not.toContain('<script');
  expect(page.text).toContain('&lt;script&gt;');
  const viewed = await get(quote.id);
  expect(viewed.status).toBe('viewed');
  await Promise.all([open(quote.public_url), open(quote.public_url)]);
  expect(await get(quote.id)).toEqual(viewed);
  expect(await stepsOf(quote.id)).toEqual(['quote.created', 'quote.sent', 'quote.viewed']);
  expect((await logOf(quote.id)).at(-1)).toMatchObject({
    type: 'viewed',
    actor: { type: 'customer', name: 'paul@acme.example' },
  });
});

it('takes an acceptance once, whoever presses how often', async () => {
  const deal = (await workspace.api.post('/crm/deals', { title: 'Printers' })).expect(201).data;
  const quote = await sent({ deal_id: deal.id });
  const answers = await Promise.all([1, 2, 3, 4].map(() => insist(() => accept(quote.public_url))));
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('This quote was accepted on');
    expect(answer.text).not.toContain('<form');
  }
  const accepted = await get(quote.id);
  expect(accepted).toMatchObject({
    status: 'accepted',
    accepted_by: { name: 'Paul Weber', email: 'paul@acme.example', ip: '127.0.0.1' },
  });
  expect((await stepsOf(quote.id)).filter((type) => type === 'quote.accepted').length).toBe(1);
  expect((await workspace.api.get(`/crm/deals/${deal.id}`)).data.status).toBe('won');
  const late = await post(`${quote.public_url}/reject`, { reason: 'Too late' });
  expect([late.status, late.text.includes('accepted on')]).toEqual([200, true]);
  await open(quote.public_url);
  expect(await get(quote.id)).toEqual(accepted);
  expect((await logOf(quote.id)).at(-1)).toMatchObject({ actor: { type: 'customer', name: 'Paul Weber' } });
});

it('takes a refusal with its reason', async () => {
  const quote = await sent();
  expect((await post(`${quote.public_url}/reject`, { reason: ' Too dear ' })).text).toContain('was declined on');
  expect(await get(quote.id)).toMatchObject({ status: 'rejected', rejection_reason: 'Too dear', accepted_by: null });
});

it.each([
  ['no name', { name: ' ' }],
  ['no address', { email: 'paul' }],
  ['no tick', { confirm: 'no' }],
  ['a character that is none', { name: 'Paul\0' }],
  ['more than was asked for', { total: '0' }],
])('accepts nothing with %s', async (_name, fields) => {
  const quote = await sent();
  expect((await accept(quote.public_url, fields)).status).toBe(422);
  expect((await get(quote.id)).status).toBe('sent');
});

it('accepts nothing once the time is over, noted or not; the sweep notes it once', async () => {
  const quote = await sent();
  const expire = `UPDATE quotes SET expires_at = now() - interval '1 day' WHERE id = $1`;
  await sql.rows(expire, [quote.id]);
  const answer = await accept(quote.public_url);
  expect([answer.status, answer.text.includes('This quote expired on')]).toEqual([200, true]);
  expect((await get(quote.id)).status).toBe('expired');
  await runJob(server, 'quote-expiry');
  await runJob(server, 'quote-expiry');
  expect((await stepsOf(quote.id)).filter((type) => type === 'quote.expired').length).toBe(1);
  const [event] = (await eventsOf(server, workspace, 'quote', quote.id)).filter(({ type }) => type === 'quote.expired');
  expect(event?.data).toMatchObject({ status: 'expired', expired_at: (await get(quote.id)).expired_at });
  expect((await logOf(quote.id)).at(-1)).toMatchObject({ type: 'expired', actor: { type: 'system' } });
});

it('gives the document to whoever has the link', async () => {
  const quote = await sent();
  const answer = await fetch(`${quote.public_url}/pdf`);
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  expect(infoOf(Buffer.from(await answer.arrayBuffer())).Title).toBe(`Quote ${String(quote.number)}`);
  expect((await get(quote.id)).status).toBe('sent');
});

it('has no page for a draft, a stranger, another page’s link or what is gone', async () => {
  const links = server.app.get(PublicLinks);
  const draft = (await workspace.api.post('/quotes', { title: 'x', currency: 'EUR' })).expect(201).data;
  const { public_url } = await sent();
  const base = public_url.slice(0, public_url.lastIndexOf('/'));
  const at = (page: string, workspaceId: number, id: number): string =>
    `${base}/${links.token(page, { workspaceId, id })}`;
  const wrong = [
    at('quotes', workspace.id, draft.id),
    at('quotes', workspace.id, 999_999_999),
    at('quotes', 999_999_999, draft.id),
    at('meetings', workspace.id, draft.id),
    `${public_url}x`,
    `${base}/x`,
  ];
  for (const url of wrong) {
    expect([url, (await open(url)).status]).toEqual([url, 404]);
    expect((await open(`${url}/pdf`)).status).toBe(404);
    expect((await accept(url)).status).toBe(404);
  }
  expect((await get(draft.id)).status).toBe('draft');
});

it('says what became of a quote that was withdrawn', async () => {
  const quote = await sent();
  (await workspace.api.post(`/quotes/${quote.id}/status`, { status: 'cancelled' })).expect(200);
  expect((await open(quote.public_url)).text).toContain('was withdrawn on');
  expect((await accept(quote.public_url)).text).toContain('was withdrawn on');
});

describe('the mail', () => {
  it('brings link and document to the recipient, where there is an account', async () => {
    // Quotes of the tests above were sent while nobody could mail them: that is to be settled before somebody can.
    await drained(server, workspace);
    const integration = (await workspace.api.post('/integrations', { provider: 'smtp', config: smtp.config() })).expect(
      201,
    );
    const owner = (await workspace.api.post('/users', { name: 'Eve', email: 'eve@agents.example' })).expect(201).data;
    const quote = await sent({ title: 'Printers', owner_id: owner.id });
    await drained(server, workspace);
    const mails = smtp.taken.map(({ mail }) => mail);
    expect(mails.length).toBe(1);
    const [mail] = mails;
    expect(mail?.subject).toBe(`Quote ${String(quote.number)}: Printers`);
    expect(mail?.text).toContain(quote.public_url);
    expect(mail?.text).toContain('€238.00');
    expect(mail?.replyTo?.text).toBe('eve@agents.example');
    expect(mail?.attachments.map(({ filename, contentType }) => [filename, contentType])).toEqual([
      [`${String(quote.number)}.pdf`, 'application/pdf'],
    ]);
    expect(infoOf(mail?.attachments[0]?.content ?? Buffer.alloc(0)).Pages).toBe('1');
    (await workspace.api.delete(`/integrations/${integration.data.id}`)).expect(200);
  });

  it('is not written when nobody could send it, or nobody wants it', async () => {
    const quote = await sent();
    await drained(server, workspace);
    const rows = await sql.rows(`SELECT 1 FROM outgoing_mails WHERE workspace_id = $1 AND once_key = $2`, [
      workspace.id,
      `quote-sent-${quote.id}`,
    ]);
    expect(rows).toEqual([]);
  });
});
