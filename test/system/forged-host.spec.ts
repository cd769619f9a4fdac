import { request as send } from 'node:http';
import { PublicLinks } from '../../src/platform/secrets/public-links';
import { startApp, useApp } from '../support/app';
import { useSmtpServer } from '../support/mail-servers';
import { ITEM } from '../support/quotes';
import { useSql } from '../support/sql';
import { drained } from '../support/jobs';
import { makeWorkspace } from '../support/workspace';

const FORGED = 'evil.example';
const server = useApp();
const sql = useSql();
const smtp = useSmtpServer();

/** A request that claims to have come to another host; its body, as text. */
function claim(method: string, path: string, token: string, body?: unknown): Promise<string> {
  const headers = {
    host: FORGED,
    'x-forwarded-host': FORGED,
    'x-forwarded-proto': 'https',
    forwarded: `host=${FORGED}`,
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const made = send({ hostname, port, path: `/v1${path}`, method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => {
        if ((answer.statusCode ?? 500) < 300) resolve(text);
        else reject(new Error(`${String(answer.statusCode)}: ${text}`));
      });
    });
    made.on('error', reject);
    made.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

it('never reaches what is stored, answered or sent about a quote, a ticket or a meeting', async () => {
  const { api, token, id: workspaceId } = await makeWorkspace(server);
  (await api.post('/integrations', { provider: 'smtp', config: smtp.config() })).expect(201);
  const ask = async (path: string, body: unknown): Promise<{ id: number; public_url: string }> =>
    (JSON.parse(await claim('POST', path, token, body)) as { data: { id: number; public_url: string } }).data;
  const quote = await ask('/quotes', {
    title: 'Printers',
    currency: 'EUR',
    recipient_email: 'paul@acme.example',
    items: [ITEM],
  });
  const sent = await ask(`/quotes/${quote.id}/status`, { status: 'sent' });
  expect(sent.public_url.startsWith(`${server.url}/p/quotes/`)).toBe(true);
  expect((await fetch(sent.public_url)).status).toBe(200);
  const ticket = await ask('/tickets', { subject: 'x', requester_email: 'ada@people.example' });
  await claim('PATCH', `/tickets/${ticket.id}`, token, { status: 'resolved' });
  await claim('POST', `/tickets/${ticket.id}/comments`, token, { body: 'Done.' });
  await drained(server, { id: workspaceId, api, token } as Awaited<ReturnType<typeof makeWorkspace>>);
  expect(smtp.taken.length).toBeGreaterThan(0);
  expect(smtp.taken.map(({ raw }) => raw).join('')).not.toContain(FORGED);
  const tables = await sql.rows<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND column_name = 'workspace_id' AND table_type = 'BASE TABLE'`,
  );
  expect(tables.length).toBeGreaterThan(30);
  for (const { name } of tables) {
    const found = await sql.rows(`SELECT 1 FROM "${name}" t WHERE workspace_id = $1 AND t::text LIKE $2 LIMIT 1`, [
      workspaceId,
      `%${FORGED}%`,
    ]);
    expect([name, found.length]).toEqual([name, 0]);
  }
});

it.each([
  [{ publicUrl: 'https://desk.example/base' }, /^https:\/\/desk\.example\/base\/p\//],
  [{ publicUrl: null, host: '0.0.0.0' }, /^http:\/\/127\.0\.0\.1:[1-9]\d*\/p\//],
  [{ publicUrl: null, host: '::' }, /^http:\/\/\[::1\]:[1-9]\d*\/p\//],
])('is answered by the configuration: %j', async (config, link) => {
  const server = await startApp({ role: 'api', ...config });
  const url = server.app.get(PublicLinks).url('quotes', { workspaceId: 1, id: 1 });
  await server.close();
  expect(url).toMatch(link);
});
