import { RunApplier } from '../../src/areas/active-directory/runs/run-applier';
import type { Api, Fields } from '../support/api';
import { make, makeTicket, makeUser } from '../support/cast';
import { pushed, runToItsEnd } from '../support/directory';
import { eventsOf } from '../support/event-log';
import { runJob } from '../support/jobs';
import { useScratchApp } from '../support/scratch-app';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

// A database of its own, and nobody at work but who is asked: each run is done by the test, step by step where it matters.
const { server, sql } = useScratchApp();

const staff = (...members: string[]): object => ({ object_guid: 'staff', name: 'Staff', members });
const MAPPED = { role_mappings: [{ group: 'staff', role: 'agent' }] };

/** A workspace with a directory that is sent to it. */
async function connected(values: object = MAPPED): Promise<{ workspace: TestWorkspace; api: Api; connection: Fields }> {
  const workspace = await makeWorkspace(server);
  const body = { type: 'json', name: 'Head office', ...values };
  const connection = (await workspace.api.post('/active-directory/connections', body)).expect(201).data;
  return { workspace, api: workspace.api, connection };
}

/** Sends and does it. */
async function push(workspace: TestWorkspace, body: object): Promise<Fields> {
  const { id } = (await workspace.api.post('/active-directory/import', body)).expect(200).data;
  return runToItsEnd(server, workspace, id);
}

const usersOf = async (api: Api): Promise<Fields[]> =>
  (await api.get('/users?sort=email&fields=id,email,name,role,status,team_ids,source,manager_id,directory_user_id'))
    .rows;
const peopleOf = async (api: Api): Promise<Fields[]> =>
  (await api.get('/active-directory/users?sort=display_name')).rows;
const changesOf = async (api: Api, run: Fields): Promise<unknown[]> =>
  (await api.get(`/active-directory/sync/runs/${run.id}/changes?object=user`)).rows.map(
    ({ object_guid, action, result }) => [object_guid, action, result].join(' '),
  );

describe('a push', () => {
  it('says what it would do, does it, and has nothing to do the second time', async () => {
    const { workspace, api, connection } = await connected({});
    const team = await make(api, '/teams');
    const mapping = { group: 'CN=Helpdesk\\, EU,DC=acme', role: 'supervisor', team_ids: [team.id] };
    (await api.patch(`/active-directory/connections/${connection.id}`, { role_mappings: [mapping] })).expect(200);
    const own = await makeUser(api, { email: 'grace@acme.example', role: 'admin' });
    const body = {
      mode: 'full',
      users: [
        pushed('ada', { manager: 'cn=grace,dc=acme', title: 'Engineer', phone: '+49 30 1', department: 'IT' }),
        pushed('grace', { distinguished_name: 'CN=Grace,DC=acme' }),
        pushed('guest', { user_account_control: 514 }),
      ],
      groups: [
        { object_guid: 'G1', name: 'Helpdesk', distinguished_name: 'cn=helpdesk\\2C eu,dc=ACME', members: ['g2'] },
        { object_guid: 'G2', name: 'Inner', members: ['ADA', 'cn=grace , dc=acme', 'guest', 'G1', 'nobody'] },
      ],
    };
    const dry = await push(workspace, { ...body, dry_run: true });
    expect(dry).toMatchObject({ status: 'completed', is_dry_run: true, counts: { created: 1, linked: 1, skipped: 1 } });
    expect(await changesOf(api, dry)).toContain('ada create planned');
    expect([(await usersOf(api)).length, (await peopleOf(api)).length]).toEqual([1, 0]);

    const run = await push(workspace, body);
    expect(run).toMatchObject({
      status: 'completed',
      mode: 'full',
      trigger: 'push',
      error: null,
      duration_ms: expect.any(Number) as number,
    });
    expect(run.counts).toMatchObject({ scanned: 5, created: 1, linked: 1, skipped: 1 });
    const [ada, grace] = await usersOf(api);
    expect(ada).toMatchObject({
      role: 'supervisor',
      source: 'ad',
      team_ids: [team.id],
      manager_id: own.id,
      status: 'active',
    });
    // The role that was given here stays.
    expect(grace).toMatchObject({ id: own.id, role: 'admin', team_ids: [team.id], name: 'Person grace' });
    const people = await peopleOf(api);
    expect(people.map(({ object_guid, link_status, enabled }) => [object_guid, link_status, enabled])).toEqual([
      ['ada', 'linked', true],
      ['grace', 'linked', true],
      ['guest', 'unlinked', false],
    ]);
    expect(ada?.directory_user_id).toBe(people[0]?.id);
    const [created] = await sql.rows(
      `SELECT actor FROM events WHERE object = 'user' AND object_id = $1 ORDER BY id LIMIT 1`,
      [ada?.id],
    );
    expect(created?.actor).toEqual({ type: 'directory', id: connection.id, name: 'Head office' });
    const groups = (await api.get('/active-directory/groups?sort=name')).rows;
    expect(groups.map(({ name, member_count }) => [name, member_count])).toEqual([
      ['Helpdesk', 1],
      ['Inner', 5],
    ]);
    const [outer, inner] = groups;
    expect(outer?.nested_group_ids).toEqual([inner?.id]);
    expect((await api.get(`/active-directory/groups/${outer?.id}/members`)).expect(200).meta.total).toBe(3);
    expect((await api.get(`/active-directory/users?group_id=${outer?.id}`)).meta.total).toBe(0);

    const again = await push(workspace, body);
    expect([again.status, await changesOf(api, again)]).toEqual(['completed', []]);
    expect((await api.get('/active-directory/sync')).data.id).toBe(again.id);
    const versions = await sql.rows('SELECT version FROM users WHERE workspace_id = $1 ORDER BY email', [workspace.id]);
    await push(workspace, { ...body, mode: 'delta' });
    expect(await sql.rows('SELECT version FROM users WHERE workspace_id = $1 ORDER BY email', [workspace.id])).toEqual(
      versions,
    );
  });

  it('comes in parts, one at a time, of which a group may have several', async () => {
    const { workspace, api } = await connected();
    const part = { mode: 'full', complete: false, users: [pushed('a')], groups: [staff('a')] };
    const { id } = (await api.post('/active-directory/import', part)).expect(200).data;
    (await api.post('/active-directory/import', part)).expect(409);
    expect((await api.post('/active-directory/sync', {})).expect(200).meta.already_running).toBe(true);
    const rest = { run_id: id, users: [pushed('b')], groups: [staff('b')] };
    expect((await api.post('/active-directory/import', rest)).expect(200).data.status).toBe('queued');
    (await api.post('/active-directory/import', rest)).expect(409);
    expect((await runToItsEnd(server, workspace, id)).counts).toMatchObject({ created: 2 });
    expect(await sql.rows('SELECT FROM directory_parts WHERE workspace_id = $1', [workspace.id])).toEqual([]);
    // One that nobody completes ends by itself.
    const open = (await api.post('/active-directory/import', part)).expect(200).data;
    await sql.rows(`UPDATE directory_runs SET updated_at = now() - interval '2 hours' WHERE id = $1`, [open.id]);
    await runJob(server, 'directory-upkeep');
    expect((await api.get(`/active-directory/sync/runs/${open.id}`)).data).toMatchObject({
      status: 'failed',
      error: { code: 'not_in_time' },
    });
    expect((await api.get('/active-directory/connections')).rows[0]).toMatchObject({
      status: 'error',
      failure_count: 1,
    });
  });

  it('changes nothing of whoever fails, says why, and lets nobody go then', async () => {
    const { workspace, api } = await connected();
    await push(workspace, { mode: 'full', users: [pushed('a'), pushed('b')], groups: [staff('a', 'b')] });
    const broken = {
      mode: 'full',
      users: [pushed('a', { email: 'no address', title: 'New' })],
      groups: [staff('a', 'b')],
    };
    const run = await push(workspace, broken);
    expect(run).toMatchObject({ status: 'completed_with_errors', counts: { failed: 1 } });
    const rows = (await api.get(`/active-directory/sync/runs/${run.id}/changes`)).rows;
    expect(rows.map(({ object_guid, result, error }) => [object_guid, result, (error as Fields | null)?.code])).toEqual(
      [
        ['a', 'failure', 'format'],
        ['b', 'skipped', 'unclean'],
      ],
    );
    expect((await peopleOf(api)).map(({ title, sync_status }) => [title, sync_status])).toEqual([
      [null, 'synced'],
      [null, 'synced'],
    ]);
    expect((await usersOf(api)).map(({ email, status }) => [email, status])).toEqual([
      ['a@acme.example', 'active'],
      ['b@acme.example', 'active'],
    ]);
  });
});

describe('people who lose access', () => {
  const all = Array.from({ length: 10 }, (_, index) => `p${index}`);
  const body = (guids: readonly string[]): object => ({
    ...{ mode: 'full', users: guids.map((guid) => pushed(guid)), groups: [staff(...all)] },
  });

  it('are two in ten only once somebody has approved it, after two runs without them', async () => {
    const { workspace, api, connection } = await connected();
    await push(workspace, body(all));
    const [first] = await usersOf(api);
    await makeTicket(api, { assigned_to: first?.id });
    expect(await push(workspace, body(all.slice(2)))).toMatchObject({ status: 'completed', approval: null });
    expect((await api.get('/active-directory/users?sync_status=missing')).meta.total).toBe(2);
    const waiting = await push(workspace, body(all.slice(2)));
    expect(waiting).toMatchObject({ status: 'awaiting_approval', counts: { disabled: 2 } });
    expect((await api.get('/users?status=deactivated')).meta.total).toBe(0);
    expect((await api.get(`/active-directory/connections/${connection.id}`)).data.status).toBe('quarantined');
    const running = (await api.post('/active-directory/sync', {})).expect(200);
    expect([running.data.id, running.meta.already_running]).toEqual([waiting.id, true]);

    (await api.post(`/active-directory/sync/runs/${waiting.id}/approve`, {})).expect(200);
    const done = await runToItsEnd(server, workspace, waiting.id);
    expect(done).toMatchObject({ status: 'completed', approval: { approved_by: { type: 'token' } } });
    expect((await api.get('/users?status=deactivated')).rows.map(({ email }) => email).sort()).toEqual([
      'p0@acme.example',
      'p1@acme.example',
    ]);
    (await api.post(`/active-directory/sync/runs/${waiting.id}/approve`, {})).expect(422);
    expect((await api.get(`/active-directory/connections/${connection.id}`)).data.status).toBe('active');
    expect((await push(workspace, body(all))).counts).toMatchObject({ enabled: 2 });
    expect((await api.get('/users?status=deactivated')).meta.total).toBe(0);
  });

  it('are nobody when the run is stopped, and never the last owner', async () => {
    const { workspace, api } = await connected({
      ...MAPPED,
      safety: { max_deactivations_pct: 0, max_deactivations_abs: 0 },
    });
    await makeUser(api, { email: 'p0@acme.example', role: 'owner' });
    await push(workspace, body(all));
    const off = { users: all.map((guid) => pushed(guid, { enabled: false })) };
    const waiting = await push(workspace, off);
    expect(waiting).toMatchObject({ status: 'awaiting_approval', counts: { disabled: 9 } });
    expect((await api.post(`/active-directory/sync/runs/${waiting.id}/cancel`, {})).expect(200).data.status).toBe(
      'cancelled',
    );
    await runToItsEnd(server, workspace, waiting.id);
    expect((await api.get('/users?status=active')).meta.total).toBe(10);
    const again = await push(workspace, off);
    (await api.post(`/active-directory/sync/runs/${again.id}/approve`, {})).expect(200);
    await runToItsEnd(server, workspace, again.id);
    expect((await api.get('/users?status=active')).rows.map(({ role }) => role)).toEqual(['owner']);
    expect(await changesOf(api, again)).toContain('p0 none skipped');
  });
});

it('a worker that dies in the middle, and two at once, leave the same as one', async () => {
  const { workspace, api } = await connected();
  const guids = Array.from({ length: 50 }, (_, index) => `p${String(index).padStart(2, '0')}`);
  const body = {
    mode: 'full',
    users: guids.map((guid) => pushed(guid, { manager: 'p00' })),
    groups: [staff(...guids)],
  };
  const { id } = (await api.post('/active-directory/import', body)).expect(200).data;
  const applier = server.app.get(RunApplier);
  const piece = applier.piece.bind(applier);
  let pieces = 0;
  const dying = jest.spyOn(applier, 'piece').mockImplementation(async (...given) => {
    if (++pieces === 3) throw new Error('It died.');
    return piece(...given);
  });
  await expect(runToItsEnd(server, workspace, id)).rejects.toThrow('It died.');
  dying.mockRestore();
  expect((await api.get('/users')).meta.total).toBe(39);
  await Promise.all([runToItsEnd(server, workspace, id), runToItsEnd(server, workspace, id)]);
  const run = (await api.get(`/active-directory/sync/runs/${id}`)).data;
  expect(run).toMatchObject({ status: 'completed', counts: { created: 50, updated: 49, scanned: 51 } });
  const users = (await api.get('/users?per_page=100&sort=email')).rows;
  expect(users).toHaveLength(50);
  expect(users.slice(1).every(({ manager_id }) => manager_id === users[0]?.id)).toBe(true);
  const told = await eventsOf(server, workspace, 'directory_run', id);
  expect(told.map(({ type }) => type)).toEqual([
    'directory_run.created',
    'directory_run.started',
    'directory_run.planned',
    'directory_run.completed',
  ]);
});
