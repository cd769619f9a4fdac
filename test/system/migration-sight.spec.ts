import type { Fields } from '../support/api';
import { migrated, migratedRows, useMigrationApp } from '../support/migrations';
import { makePerson } from '../support/people';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const { server } = useMigrationApp();
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

it('is for who sees every ticket: others are shown nothing of what its records say', async () => {
  const tickets = 'id,subject,status\n1,Secret of one,nowhere\n2,Two,open\n';
  const { id } = await migrated(server, workspace, { tickets });
  const path = `/migration/jobs/${id}`;
  const [failed] = (await workspace.api.get(`${path}/records?status=failed`)).expect(200).rows as [Fields];
  expect(failed.payload).toMatchObject({ subject: 'Secret of one' });
  const narrow = await makePerson(server, workspace, { role: 'admin', ticket_scope: 'assigned' });
  const all = await makePerson(server, workspace, { role: 'admin' });
  const inside = ['', '/records', `/records/${failed.id}`, '/logs', '/report', '/progress'].map((end) => path + end);
  for (const each of inside) {
    expect([each, (await narrow.api.get(each)).status]).toEqual([each, 404]);
    expect([each, (await all.api.get(each)).status]).toEqual([each, 200]);
  }
  expect((await narrow.api.get('/migration/jobs')).expect(200).meta.total).toBe(0);
  expect((await narrow.api.get('/events?limit=100')).expect(200).text).not.toContain('migration_job');
  for (const [method, action] of [
    ['post', '/pause'],
    ['post', '/cancel'],
    ['post', '/validate'],
    ['delete', ''],
  ] as const)
    expect((await narrow.api[method](path + action)).status).toBe(404);
});

it('takes the day that is written, whatever zone stands behind it', async () => {
  const assets = [
    { id: 1, name: 'Laptop', type: 'laptop', purchased: '2024-01-01T00:00:00+02:00' },
    { id: 2, name: 'Dock', type: 'peripheral', purchased: '2024-06-30T23:30:00-05:00' },
    { id: 3, name: 'Server', type: 'server', purchased: '2024-02-29' },
    { id: 4, name: 'Phone', type: 'phone', purchased: '2024-02-30T00:00:00+02:00' },
  ];
  const mapping = { assets: { fields: { purchased: 'purchase_date' } } };
  const job = await migratedRows(server, workspace, { assets }, { mapping });
  expect(job.progress).toMatchObject({ created: 3, failed: 1 });
  const { rows } = (await workspace.api.get('/assets?sort=name')).expect(200);
  expect(rows.map(({ name, purchase_date: day }) => [name, day])).toEqual([
    ['Dock', '2024-06-30'],
    ['Laptop', '2024-01-01'],
    ['Server', '2024-02-29'],
  ]);
});

it('loses a record alone whose code cannot be one', async () => {
  const tickets = 'id,subject,Ticketcode\n1,One,TCK-\0\n2,Two,TCK-999999\n';
  const job = await migrated(server, workspace, { tickets }, { options: { match_by: 'code' } });
  expect(job).toMatchObject({ status: 'completed_with_errors', progress: { created: 1, failed: 1 } });
  const { rows } = await workspace.api.get(`/migration/jobs/${job.id}/records?status=failed`);
  expect(rows).toMatchObject([{ error: { code: 'format' } }]);
});
