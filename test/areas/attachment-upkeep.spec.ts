import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Plans } from '../../src/platform/auth/plans.service';
import { Provisioning } from '../../src/platform/auth/provisioning.service';
import { PeriodicJobs } from '../../src/platform/schedule/periodic-jobs';
import { makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { runJob } from '../support/jobs';
import { useScratchApp } from '../support/scratch-app';
import { uploaded } from '../support/uploads';
import { makePlan, makeWorkspace } from '../support/workspace';

// A store and a database of its own: what is compared with the rows is everything that is there, and another application of
// the run would take the waste for its own and look for the files where they are not.
const dataDir = mkdtempSync(join(tmpdir(), 'helpdesk-files-'));
const { server, sql } = useScratchApp({ dataDir });

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const at = (key: string): string => join(dataDir, 'attachments', key);

async function keyOf(id: number): Promise<string> {
  const [row] = await sql.rows<{ storage_key: string }>('SELECT storage_key FROM attachments WHERE id = $1', [id]);
  return row?.storage_key ?? '';
}

const age = (id: number): Promise<unknown> =>
  sql.rows(`UPDATE attachments SET created_at = now() - interval '25 hours' WHERE id = $1`, [id]);

describe('upkeep', () => {
  it('drops what no record has named for a day, with its file', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const [old, taken, young] = [await uploaded(api, '1'), await uploaded(api, '2'), await uploaded(api, '3')];
    await makeTicket(api, { attachment_ids: [taken.id] });
    for (const { id } of [old, taken]) await age(id);
    const keys = await Promise.all([old, taken, young].map(({ id }) => keyOf(id)));
    await runJob(server, 'attachments-unattached');
    await runJob(server, 'attachments-waste');
    expect((await api.get('/attachments?sort=id&fields=id')).rows).toEqual([{ id: taken.id }, { id: young.id }]);
    expect(keys.map((key) => existsSync(at(key)))).toEqual([false, true, true]);
    const types = (await eventsOf(server, workspace, 'attachment', old.id)).map(({ type }) => type);
    expect(types).toEqual(['attachment.created', 'attachment.deleted']);
  });

  it('drops the others where one cannot be dropped, and that one once it can', async () => {
    const { api } = await makeWorkspace(server);
    const files = [await uploaded(api, '1'), await uploaded(api, '2')];
    for (const { id } of files) await age(id);
    await sql.rows(`UPDATE attachments SET created_at = created_at - interval '1 hour' WHERE id = $1`, [files[0]?.id]);
    await sql.rows(`CREATE FUNCTION kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'It stays.'; END $$`);
    await sql.rows(
      `CREATE TRIGGER kept BEFORE DELETE ON attachments FOR EACH ROW WHEN (OLD.id = ${files[0]?.id}) EXECUTE FUNCTION kept()`,
    );
    const jobs = server.app.get(PeriodicJobs);
    expect(await jobs.runNow('attachments-unattached')).toBe(false);
    expect((await api.get('/attachments?fields=id')).rows).toEqual([{ id: files[0]?.id }]);
    await sql.rows('DROP TRIGGER kept ON attachments');
    await runJob(server, 'attachments-unattached');
    expect((await api.get('/attachments?fields=id')).rows).toEqual([]);
  });

  it('removes files of records that are gone, and of workspaces', async () => {
    const workspace = await makeWorkspace(server);
    const file = await uploaded(workspace.api, 'x');
    const ticket = await makeTicket(workspace.api, { attachment_ids: [file.id] });
    const key = await keyOf(file.id);
    (await workspace.api.delete(`/tickets/${ticket.id}`)).expect(200);
    (await workspace.api.get(`/attachments/${file.id}`)).expect(404);
    const other = await keyOf((await uploaded(workspace.api, 'y')).id);
    await sql.rows('DELETE FROM workspaces WHERE id = $1', [workspace.id]);
    await runJob(server, 'attachments-waste');
    expect([key, other].map((each) => existsSync(at(each)))).toEqual([false, false]);
  });

  it('removes old files without rows, and nothing else', async () => {
    const { api, id } = await makeWorkspace(server);
    const key = await keyOf((await uploaded(api, 'x')).id);
    const [lost, fresh] = [`${id}/00/lost`, `${id}/00/fresh`];
    for (const each of [lost, fresh]) {
      mkdirSync(dirname(at(each)), { recursive: true });
      writeFileSync(at(each), 'x');
    }
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    utimesSync(at(lost), yesterday, yesterday);
    utimesSync(at(key), yesterday, yesterday);
    await runJob(server, 'attachments-compare');
    expect([lost, fresh, key].map((each) => existsSync(at(each)))).toEqual([false, true, true]);
  });
});

describe('the quota', () => {
  it('is exact, however many files arrive at once, and counts what is deleted', async () => {
    const plan = await makePlan(server, {});
    await server.app
      .get(Plans)
      .put({ key: plan, rate_limit_per_minute: 0, monthly_quota: 0, overage_enabled: false, storage_mb: 1 });
    const { api, slug, id } = await makeWorkspace(server);
    await server.app.get(Provisioning).activateSubscription(slug, plan);
    const content = Buffer.alloc(300_000, 'x');
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => api.post('/attachments', content, { 'content-type': 'text/plain' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 422, 422, 422]);
    expect(answers.find(({ status }) => status === 422)?.codes).toEqual({ file: 'quota' });
    const used = `SELECT bytes::float8 AS bytes FROM attachment_usage WHERE workspace_id = $1`;
    expect(await sql.rows(used, [id])).toEqual([{ bytes: 900_000 }]);
    const kept = answers.find(({ status }) => status === 201);
    (await api.delete(`/attachments/${kept?.data.id}`)).expect(200);
    await uploaded(api, content);
    expect(await sql.rows(used, [id])).toEqual([{ bytes: 900_000 }]);
  });
});
