import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket, makeUser } from '../support/cast';
import { drained, runJob } from '../support/jobs';
import { type Received, useReceiver } from '../support/receiver';
import { letPass, rested } from '../support/sandbox';
import { targets } from '../support/sla';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const receiver = useReceiver();
let home: TestWorkspace;
beforeAll(async () => {
  home = await makeWorkspace(server);
});

const call = (headers: object, more: object = {}): object => ({
  type: 'webhook',
  url: receiver.at('/call'),
  headers,
  ...more,
});
const SECRET = { Authorization: 'Bearer swordfish', 'X-Team': 'blue' };
const HIDDEN = { Authorization: '***', 'X-Team': '***' };

/** The action of a record, as it is shown. */
const shown = ({ actions }: Fields): Fields => (actions as Fields[])[0] as Fields;

/** What arrives of the headers, whenever it does. */
async function arriving(work: () => Promise<unknown>): Promise<unknown[]> {
  const received = (): Received[] => [...receiver.received('/call'), ...receiver.received('/elsewhere')];
  const before = received().length;
  await work();
  await until('the call arrives', () => received().length > before);
  const headers = received().at(-1)?.headers;
  return [headers?.authorization, headers?.['x-team']];
}

describe('what the headers of a call hold', () => {
  it('is shown to nobody: by records, events and the audit log, of whatever has actions', async () => {
    const { api } = home;
    const actions = [call(SECRET)];
    const ticket = await makeTicket(api);
    const made = [
      await make(api, '/automations', { trigger: { event: 'ticket.escalated' }, actions }),
      await make(api, '/macros', { actions }),
      (await api.post('/tickets/bulk', { ids: [ticket.id], actions })).expect(202).data,
    ];
    for (const record of made) expect(shown(record)).toMatchObject({ headers: HIDDEN });
    const policy = (await api.get('/sla')).rows[0] as Fields;
    const escalation = [{ metric: 'resolution', at: 'breach', actions }];
    const changed = (await api.patch(`/sla/${policy.id}`, { escalation })).expect(200).data;
    expect(shown((changed.escalation as Fields[])[0] as Fields)).toMatchObject({ headers: HIDDEN });
    (await api.patch(`/macros/${made[1]?.id}`, { actions: [call({ Authorization: 'Bearer swordfish-2' })] })).expect(
      200,
    );
    await drained(server, home);
    const kept = await sql.rows<{ text: string }>(
      `SELECT row_to_json(r)::text AS text FROM events r WHERE workspace_id = $1
       UNION ALL SELECT row_to_json(r)::text FROM audit_logs r WHERE workspace_id = $1
       UNION ALL SELECT row_to_json(r)::text FROM macros r WHERE workspace_id = $1`,
      [home.id],
    );
    expect(kept.filter(({ text }) => text.includes('***')).length).toBeGreaterThan(5);
    expect(kept.filter(({ text }) => text.includes('swordfish'))).toEqual([]);
  });

  it('arrives, and stays when it is sent back as it was shown', async () => {
    const { api } = home;
    const macro = await make(api, '/macros', { actions: [call(SECRET)] });
    const ticket = await makeTicket(api);
    const apply = async (): Promise<unknown> =>
      (await api.post(`/tickets/${ticket.id}/macros/${macro.id}`)).expect(200);
    expect(await arriving(apply)).toEqual(['Bearer swordfish', 'blue']);
    const { etag, data } = await read(api, macro.id);
    expect((await api.patch(`/macros/${macro.id}`, { actions: data.actions })).header('etag')).toBe(etag);
    const moved = { ...shown(data), url: receiver.at('/elsewhere'), headers: { ...HIDDEN, 'X-Team': 'red' } };
    (await api.patch(`/macros/${macro.id}`, { actions: [moved] })).expect(200);
    expect(await arriving(apply)).toEqual(['Bearer swordfish', 'red']);
  });

  it('goes to no other address than the one that it was given for', async () => {
    const { api } = home;
    const macro = await make(api, '/macros', { actions: [call(SECRET)] });
    const action = shown((await read(api, macro.id)).data);
    const other = (await makeWorkspace(server)).api;
    const refusals: [Api, object][] = [
      [api, { ...action, url: 'https://elsewhere.example/' }],
      [api, { ...action, headers: { 'X-New': '***' } }],
      [api, { ...action, headers_sealed: 'AAAA' }],
      [api, { ...action, headers_sealed: undefined }],
      [other, action],
    ];
    for (const [who, sent] of refusals) {
      const { codes } = (await who.post('/macros', { name: 'Copy', actions: [sent] })).expect(422);
      expect(codes).toEqual({ 'actions[0].headers': 'hidden' });
    }
  });

  it('of older actions is sealed without anybody saving them, and arrives as before', async () => {
    const sandbox = await makeWorkspace(server, { sandbox: true });
    const { api, id } = sandbox;
    const user = await makeUser(api);
    const actions = [{ type: 'notify', user_ids: [user.id], message: 'x' }];
    const macro = await make(api, '/macros', { actions });
    const automation = await make(api, '/automations', { trigger: { event: 'ticket.escalated' }, actions });
    const escalation = [{ metric: 'resolution', at: 'breach', actions }];
    const policy = (await api.post('/sla', { name: 'Gold', position: 1, targets: targets(60, 60), escalation })).expect(
      201,
    ).data;
    const older = JSON.stringify([call(SECRET), ...actions]);
    for (const [table, record] of [
      ['macros', macro],
      ['automations', automation],
    ] as const)
      // prettier-ignore
      await sql.rows(`UPDATE ${table} SET actions = $3 WHERE workspace_id = $1 AND id = $2`, [id, record.id, older]);
    await sql.rows(
      `UPDATE sla_policies SET escalation = jsonb_set(escalation, '{0,actions}', $3) WHERE workspace_id = $1 AND id = $2`,
      [id, policy.id, older],
    );
    const ticket = await makeTicket(api);
    await rested(sandbox);
    for (const table of ['macros', 'automations', 'sla_policies']) await runJob(server, `seal-headers-${table}`);
    for (const [path, record] of [
      ['macros', macro],
      ['automations', automation],
      ['sla', policy],
    ] as const) {
      // prettier-ignore
      const told = (await api.get(`/${path}/${record.id}`)).expect(200);
      expect(told.text).not.toContain('swordfish');
      expect(told.text).toContain('"headers_sealed"');
    }
    expect((await api.get('/events?limit=100')).text).not.toContain('swordfish');
    expect(
      await arriving(async () => (await api.post(`/tickets/${ticket.id}/macros/${macro.id}`)).expect(200)),
    ).toEqual(['Bearer swordfish', 'blue']);
    // The step that was to come is still to come.
    expect(await arriving(() => letPass(sandbox, 61 * 60))).toEqual(['Bearer swordfish', 'blue']);
  });
});

async function read(api: Api, id: number): Promise<{ etag: string | null; data: Fields }> {
  const answer = (await api.get(`/macros/${id}`)).expect(200);
  return { etag: answer.header('etag'), data: answer.data };
}
