import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { make } from '../support/cast';
import { pushed } from '../support/directory';
import { drained } from '../support/jobs';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

// With workers: runs are done as they are anywhere.
const server = useApp();
const CONTACTS = {
  role_mappings: [{ group: 'staff', role: 'agent' }],
  users_without_mapping: 'contact',
  safety: { max_deactivations_pct: 100, max_deactivations_abs: 100 },
};
const staff = (...members: string[]): object => ({ object_guid: 'staff', name: 'Staff', members });

interface World {
  workspace: TestWorkspace;
  api: Api;
  connection: Fields;
}

/** A workspace with a directory that is sent to it, whose people are contacts unless they are staff. */
async function connected(values: object = {}, at?: TestWorkspace): Promise<World> {
  const workspace = at ?? (await makeWorkspace(server));
  const body = { type: 'json', name: at ? 'Branch office' : 'Head office', ...CONTACTS, ...values };
  const connection = (await workspace.api.post('/active-directory/connections', body)).expect(201).data;
  return { workspace, api: workspace.api, connection };
}

/** Sends objects, and waits for the end of the run. */
async function push({ workspace, api, connection }: World, body: object): Promise<Fields> {
  const { id } = (await api.post('/active-directory/import', { connection_id: connection.id, ...body })).expect(
    200,
  ).data;
  await drained(server, workspace);
  return (await api.get(`/active-directory/sync/runs/${id}`)).expect(200).data;
}
const changesOf = async ({ api }: World, run: Fields): Promise<Fields[]> =>
  (await api.get(`/active-directory/sync/runs/${run.id}/changes?sort=id&limit=100`)).rows;
const contactsOf = async ({ api }: World): Promise<Fields[]> => (await api.get('/contacts?sort=email&limit=100')).rows;
const contactOf = async (world: World, email: string): Promise<Fields | undefined> =>
  (await contactsOf(world)).find((each) => each.email === email);
const personOf = async ({ api, connection }: World, guid: string): Promise<Fields | undefined> =>
  (await api.get(`/active-directory/users?object_guid=${guid}&connection_id=${connection.id}`)).rows[0];

describe('people without a mapping who become contacts', () => {
  it('are told of by a dry run, made or taken over by a run, and known by the next one', async () => {
    const world = await connected();
    const { api } = world;
    const elsewhere = await makeWorkspace(server);
    await make(elsewhere.api, '/contacts', { email: 'b@acme.example', name: 'Other tenant' });
    const byHand = await make(api, '/contacts', {
      email: 'b@acme.example',
      name: 'By hand',
      notes: 'Likes tea',
      phone: '1',
    });
    const users = [
      pushed('a'),
      pushed('b', { title: 'Head of IT', mobile: '+49 170 1' }),
      pushed('c'),
      pushed('off', { enabled: false }),
      pushed('nobody', { email: null }),
      pushed('wrong', { email: 'no address' }),
      pushed('twin', { email: 'C@acme.example' }),
    ];
    const groups = [staff('a')];
    const dry = await push(world, { users, groups, dry_run: true });
    expect((await contactsOf(world)).map(({ name }) => name)).toEqual(['By hand']);
    const planned = await changesOf(world, dry);
    const of = (guid: string): Fields | undefined => planned.find(({ object_guid }) => object_guid === guid);
    expect(of('a')).toMatchObject({ object: 'user', action: 'create' });
    expect(of('b')).toMatchObject({
      ...{ object: 'contact', action: 'link', result: 'planned' },
      before: { contact: { id: byHand.id, name: 'By hand', job_title: null } },
      after: { contact: { id: byHand.id, name: 'Person b', job_title: 'Head of IT', mobile: '+49 170 1' } },
    });
    expect(of('c')).toMatchObject({
      object: 'contact',
      action: 'create',
      after: { contact: { email: 'c@acme.example' } },
    });
    expect(of('off')).toMatchObject({ object: 'user', action: 'none', error: { code: 'disabled' } });
    expect(of('nobody')).toMatchObject({ object: 'contact', action: 'none', error: { code: 'no_email' } });
    expect(of('twin')).toMatchObject({ object: 'contact', action: 'none', error: { code: 'claimed_twice' } });
    const run = await push(world, { users, groups });
    expect(run).toMatchObject({
      status: 'completed_with_errors',
      counts: { created: 2, linked: 1, warnings: 1, failed: 1 },
    });
    expect(await contactsOf(world)).toMatchObject([
      {
        id: byHand.id,
        email: 'b@acme.example',
        name: 'Person b',
        notes: 'Likes tea',
        phone: '1',
        job_title: 'Head of IT',
      },
      { email: 'c@acme.example', name: 'Person c', status: 'active' },
    ]);
    expect(await personOf(world, 'b')).toMatchObject({ contact_id: byHand.id, user_id: null, link_status: 'linked' });
    expect(await personOf(world, 'twin')).toMatchObject({ contact_id: null, link_status: 'conflict' });
    expect((await api.get(`/active-directory/users?contact_id=${byHand.id}&expand=contact`)).rows).toMatchObject([
      { object_guid: 'b', contact: { email: 'b@acme.example' } },
    ]);
    expect((await elsewhere.api.get('/contacts')).rows).toMatchObject([{ name: 'Other tenant' }]);
    const settled = users.slice(0, 4);
    await push(world, { users: settled, groups });
    const again = await push(world, { users: settled, groups });
    expect((await changesOf(world, again)).filter(({ object_guid }) => object_guid !== 'twin')).toEqual([]);
  });

  it('keep what was changed here, go from contact to user and back, and stop asking with the directory', async () => {
    const world = await connected();
    const { api } = world;
    await push(world, { users: [pushed('b'), pushed('c')] });
    const b = await contactOf(world, 'b@acme.example');
    (await api.patch(`/contacts/${b?.id}`, { name: 'Said here', phone: '77' })).expect(200);
    const changed = await push(world, { users: [pushed('b', { title: 'Lead' })] });
    expect(await changesOf(world, changed)).toMatchObject([{ object: 'contact', action: 'update', result: 'success' }]);
    expect(await contactOf(world, 'b@acme.example')).toMatchObject({
      name: 'Said here',
      phone: '77',
      job_title: 'Lead',
    });
    // Events are listed once everything that is older is there, whoever writes it.
    const actors = async (): Promise<unknown[]> =>
      (await api.get('/events?type=contact.updated')).rows.map(({ actor }) => (actor as Fields).type);
    await until('both are told', async () => (await actors()).length === 2);
    expect((await actors()).sort()).toEqual(['directory', 'token']);
    await push(world, { users: [pushed('b', { title: 'Lead', display_name: 'Said there' })], groups: [staff('b')] });
    expect((await personOf(world, 'b'))?.user_id).toEqual(expect.any(Number));
    expect(await contactOf(world, 'b@acme.example')).toMatchObject({ id: b?.id, name: 'Said here' });
    const parted = await push(world, { groups: [staff()] });
    expect(await changesOf(world, parted)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ object: 'user', action: 'disable' }),
        expect.objectContaining({ object: 'contact', action: 'update' }),
      ]),
    );
    expect(await contactOf(world, 'b@acme.example')).toMatchObject({ id: b?.id, name: 'Said there', status: 'active' });
    // Disabled there, blocked here, and back; not so whoever somebody has blocked here.
    const c = await contactOf(world, 'c@acme.example');
    (await api.patch(`/contacts/${c?.id}`, { status: 'blocked' })).expect(200);
    const off = { enabled: false };
    const gone = await push(world, { users: [pushed('b', { ...off, title: 'Lead' }), pushed('c', off)] });
    expect((await changesOf(world, gone)).filter(({ action }) => action === 'disable')).toHaveLength(1);
    expect((await contactsOf(world)).map(({ status }) => status)).toEqual(['blocked', 'blocked']);
    await push(world, { users: [pushed('b', { title: 'Lead' }), pushed('c')] });
    expect((await contactsOf(world)).map(({ status }) => status)).toEqual(['active', 'blocked']);
    await api.patch(`/active-directory/connections/${world.connection.id}`, { deprovision: 'none' });
    await push(world, { users: [pushed('b', { ...off, title: 'Lead' })] });
    expect(await contactOf(world, 'b@acme.example')).toMatchObject({ status: 'active' });
  });

  it('change addresses in circles, and wait where somebody else has one', async () => {
    const world = await connected();
    await push(world, { users: [pushed('b'), pushed('c')] });
    const [b, c] = await contactsOf(world);
    const swapped = [pushed('b', { email: 'c@acme.example' }), pushed('c', { email: 'b@acme.example' })];
    expect(await push(world, { users: swapped })).toMatchObject({ status: 'completed' });
    expect(await contactsOf(world)).toMatchObject([{ id: c?.id }, { id: b?.id }]);
    const branch = await connected({}, world.workspace);
    const twice = await push(branch, { users: [pushed('x', { email: 'b@acme.example' })] });
    expect(await changesOf(branch, twice)).toMatchObject([
      { object: 'contact', result: 'warning', error: { code: 'taken' } },
    ]);
    expect(await personOf(branch, 'x')).toMatchObject({ contact_id: null, link_status: 'conflict' });
    const holder = (await world.api.get(`/active-directory/users?contact_id=${c?.id}`)).rows[0];
    (await world.api.post(`/active-directory/users/${holder?.id}/ignore`, {})).expect(200);
    expect(await personOf(world, 'c')).toMatchObject({ contact_id: null, link_status: 'ignored' });
    await push(branch, { users: [pushed('x', { email: 'b@acme.example', title: 'New' })] });
    expect(await personOf(branch, 'x')).toMatchObject({ contact_id: c?.id, link_status: 'linked' });
    await push(world, { users: [pushed('c', { email: 'b@acme.example', display_name: 'Ignored' })] });
    expect(await contactOf(world, 'b@acme.example')).toMatchObject({ id: c?.id, name: 'Person x', job_title: 'New' });
  });

  it('wait for approval where many would be gone, and are left alone where they were merged, deleted or erased', async () => {
    const world = await connected({ safety: { max_deactivations_pct: 10, max_deactivations_abs: 50 } });
    const { api } = world;
    const all = ['b', 'c', 'd', 'e', 'f'].map((guid) => pushed(guid));
    await push(world, { users: all, mode: 'full' });
    const kept = all.slice(0, 2);
    await push(world, { users: kept, mode: 'full' });
    const waiting = await push(world, { users: kept, mode: 'full' });
    expect(waiting).toMatchObject({ status: 'awaiting_approval', approval: { required: true } });
    expect((await contactsOf(world)).every(({ status }) => status === 'active')).toBe(true);
    (await api.post(`/active-directory/sync/runs/${waiting.id}/approve`)).expect(200);
    await drained(server, world.workspace);
    expect((await contactsOf(world)).map(({ status }) => status)).toEqual([
      ...['active', 'active'],
      ...['blocked', 'blocked', 'blocked'],
    ]);
    await api.patch(`/active-directory/connections/${world.connection.id}`, { status: 'active' });
    await push(world, { users: all, mode: 'full' });
    expect((await contactsOf(world)).every(({ status }) => status === 'active')).toBe(true);
    const id = async (email: string): Promise<unknown> => (await contactOf(world, `${email}@acme.example`))?.id;
    (await api.post(`/contacts/${String(await id('d'))}/merge`, { into_id: await id('e') })).expect(200);
    (await api.delete(`/contacts/${String(await id('f'))}`)).expect(200);
    (await api.post(`/contacts/${String(await id('c'))}/erase`)).expect(202);
    await drained(server, world.workspace);
    const titled = all.map((each) => ({ ...each, title: 'Lead' }));
    await push(world, { users: titled, mode: 'full' });
    const rows = await contactsOf(world);
    const titles = rows.map(({ email, job_title }) => [String(email).split('@')[0], job_title]);
    expect(titles.filter(([name]) => ['b', 'd', 'e', 'f'].includes(String(name)))).toEqual([
      ['b', 'Lead'],
      ['e', 'Lead'],
      ['f', 'Lead'],
    ]);
    expect(rows.some(({ email }) => email === 'c@acme.example')).toBe(false);
    expect((await personOf(world, 'd'))?.contact_id).toBe(await id('e'));
    const last = await push(world, { users: titled, mode: 'full' });
    expect((await changesOf(world, last)).filter(({ action }) => action !== 'none')).toEqual([]);
  });
});
