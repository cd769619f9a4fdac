import { ArchiveParts } from '../../src/areas/exports/archive/archive-parts';
import { ExportWriter } from '../../src/areas/exports/export-writer';
import { Database } from '../../src/platform/database/database';
import { Keepers } from '../../src/platform/privacy/keepers';
import { useApp } from '../support/app';
import { eventsOf } from '../support/event-log';
import { useSql } from '../support/sql';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

it('is begun anew when somebody was erased meanwhile, and the part on its way does not count', async () => {
  const workspace = await makeWorkspace(server);
  const { app } = server;
  // Without a job: nobody else makes it.
  const [row] = await sql.rows<{ id: number }>(
    `INSERT INTO exports (workspace_id, resources) VALUES ($1, '{sla_policies}') RETURNING id`,
    [workspace.id],
  );
  const id = row?.id ?? 0;
  const [database, parts, writer] = [app.get(Database), app.get(ArchiveParts), app.get(ExportWriter)];
  const within = <T>(work: () => Promise<T>): Promise<T> =>
    database.inWorkspace(workspace.id, { type: 'system', id: null, name: 'test' }, work);
  const erased = (): Promise<void> => within(() => database.transaction(() => app.get(Keepers).remakeWholes()));
  await within(() => writer.begin(id));
  const real = parts.put.bind(parts);
  const put = jest.spyOn(parts, 'put').mockImplementationOnce(async (content) => {
    const key = await real(content);
    await erased();
    return key;
  });
  try {
    expect(await within(() => writer.piece(id))).toBe(true);
    expect(await sql.rows('SELECT 1 FROM export_parts WHERE workspace_id = $1', [workspace.id])).toEqual([]);
    expect(await within(() => writer.piece(id))).toBe(false);
  } finally {
    put.mockRestore();
  }
  const { data } = (await workspace.api.get(`/exports/${id}`)).expect(200);
  expect(data).toMatchObject({ status: 'completed', progress: 100 });
  await erased();
  expect((await workspace.api.get(`/exports/${id}`)).data).toMatchObject({ status: 'expired' });
  expect(await sql.rows('SELECT 1 FROM export_parts WHERE workspace_id = $1', [workspace.id])).toEqual([]);
  (await workspace.api.get(`/exports/${id}/download`)).expect(409);
  const told = (await eventsOf(server, workspace, 'export', id)).map(({ type }) => type);
  expect(told).toEqual(['export.started', 'export.completed', 'export.expired']);
});
