import type { Fields } from '../support/api';
import { makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { rowsOf } from '../support/counted-rows';
import { migratedRows, takenBack, useMigrationApp } from '../support/migrations';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const { server, sql } = useMigrationApp();
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

const run = (rows: object, more?: object): Promise<Fields> => migratedRows(server, workspace, rows, more);
const back = (job: Fields): Promise<void> => takenBack(server, workspace, job);
const assets = async (): Promise<Fields[]> => (await workspace.api.get('/assets?per_page=50&sort=id')).rows;
const recordsOf = async (job: Fields, status: string): Promise<Fields[]> =>
  (await workspace.api.get(`/migration/jobs/${job.id}/records?status=${status}&limit=50&sort=id`)).rows;

const ROWS = {
  companies: [{ id: 1, name: 'Acme' }],
  contacts: [{ id: 5, email: 'ada@acme.example', name: 'Ada' }],
  assets: [
    { id: 'a2', name: 'Dock', category: 'Dock', brand: 'Dell', parent: 'a1' },
    {
      ...{ id: 'a1', name: 'Notebook of Ada', 'Asset number': 'INV-1', category: 'Notebook', state: 'Deployed' },
      ...{ serial: 'SN-1', mac: 'AA-BB-CC-00-11-22', contact: 'ada@acme.example', company: 'acme', price: '1.299,90' },
      ...{ created: '2019-03-01T08:00:00Z', updated: '2020-01-01T00:00:00Z', warranty: '2021-02-01', floor: 3 },
    },
    {
      id: 'a3',
      name: 'Server',
      category: 'server',
      state: 'ausgemustert',
      user: 'eve@acme.example',
      price: 10,
      currency: 'jpy',
    },
    {
      id: 'a4',
      name: 'Beamer',
      category: 'other',
      user: 'eve@acme.example',
      due: '2030-01-01',
      owner: 'eve@acme.example',
    },
  ],
};
const MAPPING = { assets: { fields: { due: 'expected_return_at' } } };

describe('assets of another system', () => {
  it('come in with who has them, what they are part of and since when, and leave no trace', async () => {
    const { api } = workspace;
    const eve = await makeUser(api, { email: 'eve@acme.example', role: 'agent' });
    (await api.patch(`/users/${eve.id}`, { status: 'deactivated' })).expect(200);
    const before = await rowsOf(sql, workspace);
    const job = await run(ROWS, { mapping: MAPPING });
    expect(job).toMatchObject({
      status: 'completed',
      progress: { created: 6, failed: 0 },
      validation: { problems: [] },
    });
    expect(job.mapping).toMatchObject({
      assets: {
        fields: {
          'Asset number': 'asset_tag',
          serial: 'serial_number',
          floor: 'custom_fields.floor',
          owner: 'managed_by',
        },
        values: { type: { Notebook: 'laptop', Dock: 'peripheral' }, status: { Deployed: 'in_use' } },
      },
    });
    const shown = (await api.get('/assets?expand=contact,company,parent&sort=name')).rows;
    const [beamer, dock, notebook, old] = shown;
    expect(notebook).toMatchObject({
      ...{ external_id: 'a1', asset_tag: 'INV-1', type: 'laptop', status: 'in_use', serial_number: 'SN-1' },
      ...{
        mac_address: 'aa:bb:cc:00:11:22',
        contact: { name: 'Ada' },
        company: { name: 'Acme' },
        purchase_cost: 1299.9,
      },
      ...{
        created_at: '2019-03-01T08:00:00.000Z',
        updated_at: '2020-01-01T00:00:00.000Z',
        custom_fields: { floor: 3 },
      },
    });
    expect(dock).toMatchObject({ parent: { id: notebook?.id }, manufacturer: 'Dell', status: 'in_stock' });
    // Whoever has left keeps what they had; what is out of service is with nobody.
    expect(beamer).toMatchObject({ assigned_to: eve.id, managed_by: eve.id, status: 'in_use', usage_type: 'loaner' });
    expect(old).toMatchObject({ assigned_to: null, status: 'retired', currency: 'JPY', purchase_cost: 10 });
    expect((await recordsOf(job, 'created')).flatMap(({ warnings }) => warnings as string[])).toEqual([
      expect.stringMatching(/^assigned_to: /) as string,
    ]);
    expect((await api.get(`/assets/${notebook?.id}/history`)).rows).toMatchObject([
      { action: 'created', created_at: '2019-03-01T08:00:00.000Z', to: { serial_number: 'SN-1' } },
    ]);
    expect(await eventsOf(server, workspace, 'asset', Number(notebook?.id))).toEqual([]);
    expect((await api.get('/assets?q=notebook')).meta.total).toBe(1);

    const after = await rowsOf(sql, workspace);
    expect((await run(ROWS, { mapping: MAPPING })).progress).toMatchObject({ created: 0, skipped: 6, failed: 0 });
    expect(await rowsOf(sql, workspace)).toEqual(after);
    const report = (await api.get(`/migration/jobs/${job.id}/report`)).data;
    expect(report.entities).toEqual(
      expect.arrayContaining([expect.objectContaining({ entity: 'assets', source: 4, present: 4, gone: 0 })]),
    );
    await back(job);
    expect(await rowsOf(sql, workspace)).toEqual(before);
    expect((await api.get('/assets')).meta.total).toBe(0);
  });

  it('are brought up to date with a line in their history, and go back; what somebody changed stays', async () => {
    const { api } = workspace;
    const job = await run({
      assets: [
        { id: 1, name: 'One', os: 'A', mac: 'aabbccddeeff' },
        { id: 2, name: 'Two', os: 'A' },
      ],
    });
    const [one, two] = await assets();
    (await api.patch(`/assets/${two?.id}`, { os: 'mine' })).expect(200);
    const anew = [
      { id: 1, name: 'One', os: 'B', mac: '11:22:33:44:55:66', state: 'retired', updated: '2022-01-01T00:00:00Z' },
      { id: 2, name: 'Two', os: 'B' },
    ];
    const later = await run({ assets: anew }, { options: { on_duplicate: 'update' } });
    expect(later.progress).toMatchObject({ updated: 1, skipped: 1, failed: 0 });
    expect(await assets()).toMatchObject([
      { os: 'B', mac_address: '11:22:33:44:55:66', status: 'retired', updated_at: '2022-01-01T00:00:00.000Z' },
      { os: 'mine' },
    ]);
    expect((await api.get(`/assets/${one?.id}/history`)).rows).toMatchObject([
      { action: 'retired', from: { os: 'A' }, to: { os: 'B' } },
      { action: 'created' },
    ]);
    const again = await run({ assets: anew }, { options: { on_duplicate: 'update' } });
    expect(again.progress).toMatchObject({ updated: 0, skipped: 2 });
    await back(later);
    expect(await assets()).toMatchObject([
      { os: 'A', mac_address: 'aa:bb:cc:dd:ee:ff', status: 'in_stock' },
      { os: 'mine' },
    ]);
    await back(job);
    expect(await assets()).toMatchObject([{ id: two?.id, os: 'mine' }]);
    const left = await sql.rows('SELECT DISTINCT asset_id FROM asset_history WHERE workspace_id = $1', [workspace.id]);
    expect(left).toEqual([{ asset_id: two?.id }]);
  });

  it('cost themselves alone where they are wrong, and never touch those of others', async () => {
    const other = await makeWorkspace(server);
    const theirs = (await other.api.post('/assets', { name: 'Theirs', asset_tag: 'T-1' })).expect(201).data;
    const here = (await workspace.api.post('/assets', { name: 'Here', asset_tag: 'T-2', serial_number: 'S-2' })).expect(
      201,
    ).data;
    const deep = [1, 2, 3, 4, 5, 6].map((n) => ({
      id: `d${n}`,
      name: `Level ${n}`,
      ...(n > 1 ? { parent: `d${n - 1}` } : {}),
    }));
    const job = await run(
      {
        contacts: [{ id: 5, email: 'ada@acme.example' }],
        assets: [
          { id: 1, name: 'Taken', tag: 't-2' },
          { id: 2, name: 'Known', serial: 's-2' },
          { id: 3, name: 'Two holders', user: 'eve@acme.example', contact: 5 },
          { id: 4, name: 'Mac', mac: 'nonsense' },
          { id: 5, name: 'Coins', price: 0.5, currency: 'JPY' },
          { id: 6, name: 'Currency', currency: 'Taler' },
          { id: 7, name: 'Kind', category: 'spaceship' },
          { id: 8, name: 'Theirs', parent: theirs.id },
          { id: 9, name: 'Itself', parent: 9 },
          { id: 11, name: 'Huge', price: 9e15 },
          { id: 12 },
          ...deep,
        ],
      },
      { options: { unresolved: 'fail' } },
    );
    const failed = (await recordsOf(job, 'failed')).map(({ external_id, error }) => [
      external_id,
      (error as Fields).field,
    ]);
    expect(Object.fromEntries(failed)).toEqual({
      ...{ 1: 'asset_tag', 3: 'assigned_to', 4: 'mac_address', 5: 'purchase_cost', 6: 'currency', 7: 'type' },
      ...{ 8: 'parent_id', 9: 'parent_id', 11: 'purchase_cost', 12: 'name', d6: 'parent_id' },
    });
    expect((await recordsOf(job, 'skipped')).map(({ local_id }) => local_id)).toEqual([here.id]);
    expect(job.validation).toMatchObject({
      unmapped: expect.arrayContaining([expect.objectContaining({ value: 'spaceship' })]) as object,
    });
    expect((await other.api.get('/assets')).meta.total).toBe(1);
    await back(job);
    expect((await assets()).map(({ id }) => id)).toEqual([here.id]);
  });

  it('never make a circle, on the way here or back', async () => {
    const { api } = workspace;
    const update = { options: { on_duplicate: 'update' } };
    await run({
      assets: [
        { id: 1, name: 'One' },
        { id: 2, name: 'Two', parent: 1 },
        { id: 3, name: 'Three' },
      ],
    });
    const [one, three, two] = await assets();
    const round = await run({ assets: [{ id: 1, name: 'One', parent: 2 }] }, update);
    expect((await recordsOf(round, 'failed')).map(({ error }) => (error as Fields).code)).toEqual(['cycle']);
    const away = await run({ assets: [{ id: 2, name: 'Two', parent: 3 }] }, update);
    expect(await assets()).toMatchObject([{ parent_id: null }, { parent_id: null }, { parent_id: three?.id }]);
    (await api.patch(`/assets/${one?.id}`, { parent_id: two?.id })).expect(200);
    await back(away);
    // Two was a part of One, which is a part of Two by now.
    expect(await assets()).toMatchObject([{ parent_id: two?.id }, { parent_id: null }, { parent_id: three?.id }]);
    const [record] = (await api.get(`/migration/jobs/${away.id}/records?entity=assets`)).rows;
    expect(record?.warnings).toEqual(expect.arrayContaining([expect.stringContaining('parent_id')]));
  });

  it('are told of where somebody is to be told, with what they came with', async () => {
    const { api } = workspace;
    const options = { suppress_events: false };
    const rows = {
      assets: [{ id: 1, name: 'One' }],
      leads: [{ id: 1, name: 'L', phone: '1' }],
      deals: [{ id: 1, title: 'D' }],
    };
    const job = await run(rows, { options });
    const told = async (kind: string, path: string): Promise<unknown[]> => {
      const [{ id } = { id: 0 }] = (await api.get(`${path}?external_id=1`)).rows;
      const events = await eventsOf(server, workspace, kind, id);
      return events.map(({ type, related }) => [type, related?.imported]);
    };
    expect(await told('asset', '/assets')).toEqual([['asset.created', true]]);
    expect(await told('lead', '/crm/leads')).toEqual([['lead.created', true]]);
    const won = { deals: [{ id: 1, title: 'D', state: 'won' }] };
    const later = await run(won, { options: { ...options, on_duplicate: 'update' } });
    expect(later.progress).toMatchObject({ updated: 1 });
    expect(await told('deal', '/crm/deals')).toEqual([
      ['deal.created', true],
      ['deal.updated', true],
    ]);
    expect(job.status).toBe('completed');
  });
});
