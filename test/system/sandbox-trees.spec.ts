import { useApp } from '../support/app';
import { make } from '../support/cast';
import { rested } from '../support/sandbox';
import { useSql } from '../support/sql';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

it('a sandbox is emptied of trees, however many records stand between a whole and its parts', async () => {
  const sandbox = await makeWorkspace(server, { sandbox: true });
  const { api } = sandbox;
  const rack = await make(api, '/assets', { name: 'Rack' });
  await sql.rows(
    `INSERT INTO assets (workspace_id, name, asset_tag, currency) SELECT $1, 'Spare', 'S-' || n, 'EUR' FROM generate_series(1, 600) n`,
    [sandbox.id],
  );
  const shelf = await make(api, '/assets', { name: 'Shelf', parent_id: rack.id });
  await make(api, '/assets', { name: 'Disk', parent_id: shelf.id });
  (await api.post('/sandbox/reset')).expect(202);
  await rested(sandbox);
  expect((await api.get('/assets')).meta.total).toBe(0);
});
