import { Webhook as StandardWebhook } from 'standardwebhooks';
import { createHmac } from 'node:crypto';
import { useApp } from '../support/app';
import { insist } from '../support/insist';
import { type Received, useReceiver } from '../support/receiver';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { subscribe } from '../support/webhooks';
import { drained } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const receiver = useReceiver();
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

const settled = (): Promise<void> => drained(server, workspace);

describe('an endpoint', () => {
  it('shows its secret once, and headers never', async () => {
    const made = (
      await workspace.api.post('/webhooks', {
        url: receiver.url,
        events: ['*'],
        headers: { 'X-Key': 'zz-confidential' },
      })
    ).expect(201);
    const secret = made.data.secret as string;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(made.data).toMatchObject({ headers: { 'X-Key': '***' }, secret_hint: `...${secret.slice(-4)}` });
    await settled();
    const shown = [
      (await workspace.api.get(`/webhooks/${made.data.id}`)).text,
      (await workspace.api.get('/webhooks')).text,
      (await workspace.api.get('/events')).text,
    ].join();
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain('zz-confidential');
    const stored = JSON.stringify(await sql.rows('SELECT * FROM webhooks WHERE workspace_id = $1', [workspace.id]));
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain('zz-confidential');
  });

  it('keeps header values that are sent back hidden, and replaces the others', async () => {
    const endpoint = await subscribe(workspace, receiver.url, ['company.created'], {
      headers: { 'X-Kept': 'one', 'X-Changed': 'two', 'X-Dropped': 'three' },
    });
    const patch = { headers: { 'x-kept': '***', 'X-Changed': 'four' } };
    (await workspace.api.patch(`/webhooks/${endpoint.id}`, patch)).expect(200);
    (await workspace.api.post('/companies', { name: 'Acme' })).expect(201);
    await settled();
    const { headers } = receiver.received()[0] as Received;
    expect([headers['x-kept'], headers['x-changed'], headers['x-dropped']]).toEqual(['one', 'four', undefined]);
  });

  it('has its header values given again for another server', async () => {
    const { api } = workspace;
    const endpoint = await subscribe(workspace, receiver.at('/here'), ['company.created'], {
      headers: { 'X-Key': 'zz-confidential' },
    });
    const path = `/webhooks/${endpoint.id}`;
    const elsewhere = 'https://elsewhere.example/hooks';
    for (const more of [{}, { headers: { 'x-key': '***' } }]) {
      const refused = (await api.patch(path, { url: elsewhere, ...more })).expect(422);
      expect([refused.codes, refused.error.missing]).toEqual([{ headers: 'required' }, ['headers']]);
    }
    // The same server, values of one's own, and none at all.
    (await api.patch(path, { url: receiver.at('/there') })).expect(200);
    (await api.post('/companies', { name: 'Acme' })).expect(201);
    await settled();
    expect(receiver.received('/there')[0]?.headers['x-key']).toBe('zz-confidential');
    (await api.patch(path, { url: elsewhere, headers: { 'X-Key': 'another' } })).expect(200);
    (await api.patch(path, { url: receiver.url, headers: {} })).expect(200);
    (await api.patch(path, { url: elsewhere })).expect(200);
  });

  it.each(['short', 'x'.repeat(23), 'with spaces '.repeat(3), 'whsec_short', `whsec_${'!'.repeat(44)}`, '', 7, null])(
    'takes no secret that cannot sign: %s',
    async (secret) => {
      const answer = await workspace.api.post('/webhooks', { url: receiver.url, events: ['*'], secret });
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.codes)).toEqual(['secret']);
    },
  );

  it('takes plain text as its own secret, does not repeat it, and signs with its bytes', async () => {
    const secret = 'correct-horse-battery-staple';
    const made = await workspace.api.post('/webhooks', { url: receiver.url, events: ['company.*'], secret });
    expect(made.expect(201).text).not.toContain(secret);
    (await workspace.api.post('/companies', { name: 'Acme' })).expect(201);
    await settled();
    const { headers, body } = receiver.received()[0] as Received;
    expect(headers['x-service-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'));
    expect(new StandardWebhook(secret, { format: 'raw' }).verify(body, headers as Record<string, string>)).toBeTruthy();
  });

  it('gets nothing while paused, and what it missed only on demand', async () => {
    const endpoint = await subscribe(workspace, receiver.url, ['company.created']);
    expect((await workspace.api.patch(`/webhooks/${endpoint.id}`, { is_active: false })).data.status).toBe('paused');
    (await workspace.api.post('/companies', { name: 'While paused' })).expect(201);
    await settled();
    expect((await workspace.api.patch(`/webhooks/${endpoint.id}`, { is_active: true })).data.status).toBe('active');
    (await workspace.api.post('/companies', { name: 'Afterwards' })).expect(201);
    await settled();
    const names = receiver
      .received()
      .map((each) => (JSON.parse(each.body) as { data: { company: { name: string } } }).data.company.name);
    expect(names).toEqual(['Afterwards']);
  });

  it('is one of at most fifty active ones, also when many are created at once', async () => {
    const body = { url: 'https://example.com/', events: ['quota.warning'] };
    const answers = await Promise.all(
      Array.from({ length: 55 }, () => insist(() => workspace.api.post('/webhooks', body))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    const refused = answers.find(({ status }) => status !== 201);
    expect([refused?.status, refused?.codes]).toEqual([422, { is_active: 'max' }]);
    const paused = (await workspace.api.post('/webhooks', { ...body, is_active: false })).expect(201).data;
    expect((await workspace.api.patch(`/webhooks/${paused.id}`, { is_active: true })).codes).toEqual({
      is_active: 'max',
    });
    const [first] = (await workspace.api.get('/webhooks?status=active&per_page=1')).rows;
    (await workspace.api.delete(`/webhooks/${first?.id ?? 0}`)).expect(200);
    (await workspace.api.patch(`/webhooks/${paused.id}`, { is_active: true })).expect(200);
  });

  it('leaves nothing behind when it is deleted', async () => {
    receiver.answer(500);
    const endpoint = await subscribe(workspace, receiver.url, ['company.created']);
    (await workspace.api.post('/companies', { name: 'Acme' })).expect(201);
    await settled();
    (await workspace.api.delete(`/webhooks/${endpoint.id}`)).expect(200);
    await settled();
    await until('its deliveries are gone', async () => {
      const left = await sql.rows(
        `SELECT 1 FROM webhook_deliveries WHERE workspace_id = $1 UNION ALL SELECT 1 FROM work WHERE workspace_id = $1 AND kind LIKE 'webhook%'`,
        [workspace.id],
      );
      return left.length === 0;
    });
    expect((await workspace.api.get(`/webhooks/${endpoint.id}/deliveries`)).status).toBe(404);
  });
});
