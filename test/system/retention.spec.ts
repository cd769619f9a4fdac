import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { drained, runJob } from '../support/jobs';
import { userApi } from '../support/people';
import { tracesOf } from '../support/person';
import { letPass, rested } from '../support/sandbox';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { uploaded } from '../support/uploads';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

const keep = async ({ api }: TestWorkspace, days: number | null, more: object = {}): Promise<unknown> =>
  (await api.patch('/workspace', { settings: { retention_ticket_days: days, ...more } })).expect(200);

/** Lets a ticket be one that was closed so many days ago. */
async function age({ id }: TestWorkspace, ticket: Fields, days: number): Promise<void> {
  const ago = `UPDATE tickets SET closed_at = now() - make_interval(days => $3) WHERE workspace_id = $1 AND id = $2`;
  await sql.rows(ago, [id, ticket.id, days]);
}

async function closed(workspace: TestWorkspace, days: number, body: object = {}): Promise<Fields> {
  const ticket = await makeTicket(workspace.api, { status: 'closed', ...body });
  await age(workspace, ticket, days);
  return ticket;
}

const idsOf = async ({ api }: TestWorkspace): Promise<unknown[]> =>
  (await api.get('/tickets?sort=id&fields=id')).rows.map(({ id }) => id);

async function swept(workspace: TestWorkspace): Promise<Fields[]> {
  await runJob(server, 'retention');
  await drained(server, workspace);
  return (await workspace.api.get('/retention-runs?sort=id')).rows;
}

const preview = async ({ api }: TestWorkspace, query = ''): Promise<unknown> =>
  (await api.get(`/retention-runs/preview${query}`)).expect(200).data.tickets;

it('deletes what was closed so long ago, with everything of it, tells of each, and keeps what is held, open or younger', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const file = await uploaded(api, 'x');
  const old = await makeTicket(api, { attachment_ids: [file.id] });
  (await api.post(`/tickets/${old.id}/comments`, { body: 'zzretainedzz' })).expect(201);
  (await api.patch(`/tickets/${old.id}`, { status: 'closed' })).expect(200);
  await age(workspace, old, 31);
  const held = await closed(workspace, 400, { tags: 'x,Legal-Hold' });
  const young = await closed(workspace, 29);
  const open = await makeTicket(api);
  const foreign = await makeWorkspace(server);
  const theirs = await closed(foreign, 400);
  expect(await swept(workspace)).toEqual([]);

  expect(await preview(workspace)).toMatchObject({ days: null, before: null, count: 0, held_count: 0 });
  const asked = { days: 30, count: 1, held_count: 1, is_complete: true, hold_tag: 'legal-hold' };
  expect(await preview(workspace, '?ticket_days=30')).toMatchObject(asked);
  expect(await idsOf(workspace)).toHaveLength(4);
  await keep(workspace, 30);
  expect(await preview(workspace)).toMatchObject(asked);
  const runs = await swept(workspace);
  expect(runs).toMatchObject([{ rule: 'tickets', days: 30, status: 'completed', deleted_count: 1 }]);
  expect(runs[0]?.finished_at).not.toBeNull();
  expect(await idsOf(workspace)).toEqual([held.id, young.id, open.id]);
  (await api.get(`/attachments/${file.id}`)).expect(404);
  expect(await preview(workspace)).toMatchObject({ count: 0, held_count: 1 });
  expect(await swept(workspace)).toHaveLength(1);
  expect(await idsOf(foreign)).toEqual([theirs.id]);

  const types = (await eventsOf(server, workspace, 'ticket', old.id)).map(({ type }) => type);
  expect(types.at(-1)).toBe('ticket.deleted');
  expect((await tracesOf(sql, workspace, 'zzretainedzz')).filter((name) => name !== 'search_words')).toEqual([]);
  const told = await eventsOf(server, workspace, 'retention_run', runs[0]?.id ?? 0);
  expect(told.map(({ type }) => type)).toEqual(['retention_run.created', 'retention_run.completed']);
  const [entry] = (await api.get(`/audit-logs?resource=ticket&resource_id=${old.id}&action=deleted`)).rows;
  expect(entry).toMatchObject({ actor: { type: 'system', name: 'retention' } });
  await keep(workspace, 30, { retention_hold_tag: 'court' });
  expect(await swept(workspace)).toHaveLength(2);
  expect(await idsOf(workspace)).toEqual([young.id, open.id]);
});

it('makes what was closed so long ago anonymous everywhere, keeps what statistics are made of, and deletes it later', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const requester = { requester_email: 'zzadazz@people.example', requester_name: 'Zzadazz Quill' };
  const custom_fields = { floor: 3, note: 'zznotezz' };
  const body = { subject: 'zzsubjectzz', description: 'zzdescriptionzz', ...requester, custom_fields };
  const file = await uploaded(api, 'x');
  const old = await makeTicket(api, { ...body, tags: 'vpn', cc_emails: ['zzcopyzz@people.example'] });
  (await api.post(`/tickets/${old.id}/comments`, { body: 'zzanswerzz', attachment_ids: [file.id] })).expect(201);
  (await api.post(`/tickets/${old.id}/escalate`, { reason: 'zzreasonzz' })).expect(200);
  (await api.patch(`/tickets/${old.id}`, { status: 'closed', subject: 'zzsubjectzz again' })).expect(200);
  (await api.post(`/tickets/${old.id}/rate`, { score: 4, comment: 'zzratedzz' })).expect(200);
  await age(workspace, old, 31);
  const held = await closed(workspace, 400, { tags: 'legal-hold', subject: 'Held' });
  const young = await closed(workspace, 29, { subject: 'Young' });
  const other = await makeTicket(api, { subject: 'zzotherzz', ...requester });
  const asked = (await api.get('/retention-runs/preview?anonymise_days=30')).expect(200).data;
  expect(asked.anonymise).toMatchObject({ days: 30, count: 1, held_count: 1 });
  (await api.patch('/workspace', { settings: { retention_anonymise_days: 30 } })).expect(200);
  const [run] = await swept(workspace);
  expect(run).toMatchObject({ rule: 'anonymise', days: 30, status: 'completed', deleted_count: 1 });
  const erasure = async (): Promise<Fields> => (await api.get(`/erasures/${String(run?.erasure_id)}`)).expect(200).data;
  await until('all copies are looked through', async () => (await erasure()).status === 'completed');
  expect(await erasure()).toMatchObject({ contact_id: null, left_count: 0 });
  const left = (await api.get(`/tickets/${old.id}`)).expect(200).data;
  expect(left).toMatchObject({
    ...{ subject: '[erased]', description: '[erased]', requester_email: null, contact_id: null, cc_emails: [] },
    ...{ status: 'closed', tags: 'vpn,escalated', csat_score: 4, csat_comment: null },
    ...{ custom_fields: { floor: 3 }, code: old.code, created_at: old.created_at },
  });
  expect(left.anonymised_at).not.toBeNull();
  (await api.get(`/attachments/${file.id}`)).expect(404);
  for (const word of [
    'zzsubjectzz',
    'zzdescriptionzz',
    'zzanswerzz',
    'zzreasonzz',
    'zzratedzz',
    'zznotezz',
    'zzcopyzz',
  ])
    expect([word, (await tracesOf(sql, workspace, word)).filter((name) => name !== 'search_words')]).toEqual([
      word,
      [],
    ]);
  // Whoever asked is known as long as something else is theirs.
  expect((await api.get(`/tickets/${other.id}`)).data).toMatchObject({ subject: 'zzotherzz', ...requester });
  for (const kept of [held, young]) expect((await api.get(`/tickets/${kept.id}`)).data.subject).toBe(kept.subject);
  const history = (await api.get(`/tickets/${old.id}/history?per_page=100`)).expect(200);
  expect(history.text).not.toMatch(/zz(subject|ada|copy|note)/);
  expect(history.text).toContain('ticket.anonymised');
  expect(await swept(workspace)).toHaveLength(1);
  await keep(workspace, 30);
  expect((await swept(workspace)).map(({ rule }) => rule)).toEqual(['anonymise', 'tickets']);
  expect(await idsOf(workspace)).toEqual([held.id, young.id, other.id]);
});

it('keeps logs for less long where the workspace wants it, but for what is held', async () => {
  const workspace = await makeWorkspace(server);
  const { api, id } = workspace;
  const held = await makeTicket(api, { tags: 'legal-hold' });
  const ticket = await makeTicket(api);
  await drained(server, workspace);
  const logs = (await api.get('/audit-logs?per_page=100')).rows.length;
  await sql.rows(`UPDATE audit_logs SET created_at = now() - interval '10 days' WHERE workspace_id = $1`, [id]);
  const foreign = await makeWorkspace(server);
  const entries = async (of = api): Promise<unknown[]> =>
    (await of.get('/audit-logs?per_page=100&resource=ticket')).rows.map((entry) => entry.resource_id);
  const asked = (await api.get('/retention-runs/preview?log_days=7')).expect(200).data;
  expect(asked.logs).toMatchObject({ days: 7, counts: { audit_logs: logs - 1, outgoing_mails: 0 } });
  expect(await entries()).toEqual([ticket.id, held.id]);
  await drained(server, foreign);
  const theirs = (await foreign.api.get('/audit-logs')).rows.length;
  (await api.patch('/workspace', { settings: { retention_log_days: 7 } })).expect(200);
  const [run] = await swept(workspace);
  expect(run).toMatchObject({ rule: 'logs', days: 7, status: 'completed', deleted_count: logs - 1 });
  expect(await entries()).toEqual([held.id]);
  expect((await foreign.api.get('/audit-logs')).rows).toHaveLength(theirs);
  expect((await api.get(`/tickets/${ticket.id}/history`)).rows).toHaveLength(1);
  // Once a day is enough.
  expect(await swept(workspace)).toHaveLength(1);
});

it('refuses rules that are none, and takes the longest', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const refused = async (settings: object): Promise<unknown> =>
    (await api.patch('/workspace', { settings })).expect(422).codes;
  for (const days of [0, -1, 36_501, 1.5, '30']) expect(await refused({ retention_ticket_days: days })).toBeDefined();
  expect(await refused({ retention_hold_tag: 'a,b' })).toBeDefined();
  expect(await refused({ retention_hold_tag: null })).toBeDefined();
  (await api.get('/retention-runs/preview?ticket_days=0')).expect(422);
  (await api.get('/retention-runs/preview?ticket_days=36501')).expect(422);
  const { id } = await closed(workspace, 36_000);
  await keep(workspace, 36_500);
  expect(await swept(workspace)).toEqual([]);
  expect(await idsOf(workspace)).toEqual([id]);
  await keep(workspace, null);
  expect(await swept(workspace)).toEqual([]);
});

it('is decided by owners, and seen by admins', async () => {
  const workspace = await makeWorkspace(server);
  const admin = await userApi(server, workspace, { role: 'admin' });
  const owner = await userApi(server, workspace, { role: 'owner' });
  const agent = await userApi(server, workspace, { role: 'agent' });
  const rule = { settings: { retention_ticket_days: 90 } };
  const refused = (await admin.api.patch('/workspace', rule)).expect(403);
  expect(refused.error.message).toContain('workspace.retention');
  (await owner.api.patch('/workspace', rule)).expect(200);
  // Sent back as it was read, it changes nothing.
  (await admin.api.patch('/workspace', { settings: { ...rule.settings, csat_request: true } })).expect(200);
  (await admin.api.get('/retention-runs/preview')).expect(200);
  (await agent.api.get('/retention-runs/preview')).expect(403);
  (await agent.api.get('/retention-runs')).expect(403);
});

it('follows the clock of a sandbox, works through many, and stops when the rule is taken back', async () => {
  const workspace = await makeWorkspace(server, { sandbox: true });
  for (let index = 0; index < 23; index++) await makeTicket(workspace.api, { status: 'closed' });
  await keep(workspace, 365);
  await letPass(workspace, 'P364D');
  expect(await idsOf(workspace)).toHaveLength(23);
  await letPass(workspace, 'P2D');
  await rested(workspace);
  expect(await idsOf(workspace)).toEqual([]);
  const { rows } = await workspace.api.get('/retention-runs?sort=id');
  expect(rows.reduce((sum, { deleted_count: count }) => sum + Number(count), 0)).toBe(23);
});
