import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../src/platform/context/runtime-config';
import type { Fields } from '../support/api';
import { planned, turn, useMigrationApp, worked } from '../support/migrations';
import { userApi } from '../support/people';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const { server, sql } = useMigrationApp();
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

const settings = (): RuntimeConfig => server.app.get<RuntimeConfig>(RUNTIME_CONFIG);
const inbox = async (): Promise<string[]> => {
  const folder = join(settings().files.folder, 'inbox');
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return found
    .filter((each) => each.isFile() && `${each.parentPath}/`.includes(`/inbox/${workspace.id}/`))
    .map(({ name }) => name);
};
const plan = (body: object, headers: Record<string, string> = {}): ReturnType<TestWorkspace['api']['post']> =>
  workspace.api.post('/migration/jobs', { source: 'json', mode: 'import', ...body }, headers);
const validated = async (id: unknown): Promise<Fields> => {
  (await workspace.api.post(`/migration/jobs/${String(id)}/validate`)).expect(200);
  return worked(server, workspace, Number(id));
};
const done = async (id: unknown): Promise<Fields> => {
  await validated(id);
  (await workspace.api.post(`/migration/jobs/${String(id)}/start`)).expect(200);
  return worked(server, workspace, Number(id));
};
const ROWS = {
  contacts: [{ id: 7, mail: 'Ada@Old.example', Name: 'Ada' }],
  tickets: [
    {
      key: 'A-1',
      summary: 'Jammed\nagain',
      reporter: 'ada@old.example',
      state: 'Offen',
      created: '2019-03-01T08:00:00Z',
    },
    { key: 'A-2', summary: 'Empty', reporter: 'new@old.example', state: 'erledigt', created: 1_551_427_200 },
  ],
  ticket_comments: [{ id: 1, ticket: 'A-1', text: 'On my way', created: '2019-03-01T09:00:00Z' }],
};

describe('rows in the body of a job', () => {
  it('come in as a file would: proposed, looked at, once, and taken back but for what somebody has changed', async () => {
    const { api } = workspace;
    const job = (await plan({ rows: ROWS, name: 'Small' })).expect(201).data;
    expect(job).not.toHaveProperty('rows');
    expect(job.files).toMatchObject([
      { entity: 'contacts', format: 'ndjson', filename: null },
      { entity: 'ticket_comments' },
      { entity: 'tickets', encoding: 'utf-8' },
    ]);
    const looked = await validated(job.id);
    expect(looked).toMatchObject({ status: 'ready', progress: { total: 4 }, validation: { problems: [] } });
    expect(looked.mapping).toMatchObject({
      tickets: { fields: { key: 'external_id', summary: 'subject', reporter: 'requester_email', state: 'status' } },
    });
    expect((await api.get('/tickets')).rows).toEqual([]);
    expect(await done(job.id)).toMatchObject({ status: 'completed', progress: { created: 4, failed: 0 } });
    const [first] = (await api.get('/tickets?external_id=A-1')).rows;
    expect(first).toMatchObject({
      subject: 'Jammed\nagain',
      status: 'open',
      created_at: '2019-03-01T08:00:00.000Z',
      comment_count: 1,
    });
    const again = (await plan({ rows: ROWS })).expect(201).data;
    expect((await done(again.id)).progress).toMatchObject({ created: 0, updated: 0, skipped: 4, failed: 0 });
    const up = { ...ROWS, tickets: ROWS.tickets.map((row) => ({ ...row, summary: `${row.summary}!` })) };
    const later = (await plan({ rows: up, options: { on_duplicate: 'update' } })).expect(201).data;
    expect((await done(later.id)).progress).toMatchObject({ created: 0, updated: 2, skipped: 2 });
    (await api.post(`/migration/jobs/${later.id}/rollback`)).expect(200);
    await worked(server, workspace, later.id);
    (await api.patch(`/tickets/${first?.id}`, { priority: 'urgent' })).expect(200);
    (await api.post(`/migration/jobs/${job.id}/rollback`)).expect(200);
    expect((await worked(server, workspace, job.id)).status).toBe('rolled_back');
    expect((await api.get('/tickets')).rows).toMatchObject([{ id: first?.id, subject: 'Jammed\nagain' }]);
  });

  it('go on where a worker died, and are replaced by a file of the same entity', async () => {
    const many = Array.from({ length: 900 }, (_, n) => ({ id: n, subject: `No ${n}` }));
    const { id } = (await plan({ rows: { tickets: many } })).expect(201).data;
    await validated(id);
    (await workspace.api.post(`/migration/jobs/${id}/start`)).expect(200);
    // A page that is not told of is done again.
    await turn(server, workspace, id);
    await sql.rows(`UPDATE migration_jobs SET place = '{}', status = 'running' WHERE id = $1`, [id]);
    expect((await worked(server, workspace, id)).status).toBe('completed');
    expect((await workspace.api.get('/tickets?limit=1')).meta).toMatchObject({ total: 900 });
    const other = (await plan({ source: 'csv', rows: { tickets: [{ id: 1, subject: 'Row' }] } })).expect(201).data;
    await workspace.api.post(
      `/migration/jobs/${other.id}/files?entity=tickets`,
      Buffer.from('id,subject\n5000,File\n'),
      {
        'content-type': 'text/csv',
      },
    );
    expect((await done(other.id)).progress).toMatchObject({ total: 1, created: 1 });
    expect((await workspace.api.get('/tickets?external_id=5000')).rows).toMatchObject([{ subject: 'File' }]);
  });

  it('cost themselves where they are wrong, and nothing else', async () => {
    const rows = {
      tickets: [
        { id: 1, subject: 'Fine' },
        { id: 2, subject: ['a', 'list'], priority: 'high' },
        { id: 3, subject: 'Number', csat_score: 9_007_199_254_740_991 },
        { id: 4, subject: 'Status', status: { deep: { er: 1 } } },
        { id: 5, subject: 'Moment', created_at: '2019-02-31' },
        { id: { a: 1 }, subject: 'Odd id' },
        { id: 7 },
        { id: 8, subject: 'x'.repeat(70_000) },
        {},
      ],
    };
    const { id } = (await plan({ rows })).expect(201).data;
    const job = await done(id);
    expect(job.status).toBe('completed_with_errors');
    const records = (await workspace.api.get(`/migration/jobs/${id}/records?limit=50`)).rows;
    const by = (id: string): Fields | undefined => records.find(({ external_id }) => external_id === id);
    expect(by('1')).toMatchObject({ status: 'created' });
    expect(by('3')).toMatchObject({ status: 'failed', error: { field: 'csat_score' } });
    expect(by('5')).toMatchObject({ status: 'failed', error: { field: 'created_at' } });
    expect(by('7')).toMatchObject({ status: 'failed', error: { code: 'required', field: 'subject' } });
    expect(by('8')).toMatchObject({ status: 'created' });
    expect(records).toHaveLength(9);
  });

  it('are refused as a whole where they are none, and leave nothing', async () => {
    const refused = async (body: object, code: string): Promise<void> => {
      const { codes } = (await plan(body)).expect(422);
      expect(Object.values(codes)).toContain(code);
    };
    const one = { tickets: [{ id: 1, subject: 'x' }] };
    for (const source of ['api', 'archive', 'zendesk']) await refused({ source, rows: one }, 'invalid');
    await refused({ rows: { quotes: [{ id: 1 }] } }, 'enum');
    await refused({ rows: { attachments: [{ id: 1 }] } }, 'enum');
    await refused({ rows: one, entities: ['contacts'] }, 'enum');
    for (const rows of [[], 'x', 7]) await refused({ rows }, 'type');
    for (const each of [7, [], null, 'x']) await refused({ rows: { tickets: [each] } }, 'type');
    await refused({ rows: { tickets: [] } }, 'min');
    await refused({ rows: { tickets: Array.from({ length: 1_001 }, () => ({})) } }, 'max');
    await refused({ rows: { tickets: [{ subject: 'NUL \0' }] } }, 'format');
    await refused({ rows: { tickets: [{ subject: `e${'\u0301'.repeat(130_000)}` }] } }, 'too_many_marks');
    (await plan({ rows: { tickets: [{ subject: 'x'.repeat(1_100_000) }] } })).expect(413);
    (await workspace.api.patch(`/migration/jobs/${(await plan({})).data.id}`, { rows: one })).expect(422);
    const agent = await userApi(server, workspace, { role: 'agent' });
    (await agent.api.post('/migration/jobs', { source: 'json', rows: one })).expect(403);
    expect(await inbox()).toEqual([]);
    const key = { 'idempotency-key': 'small-migration' };
    const first = (await plan({ rows: one }, key)).expect(201).data;
    expect((await plan({ rows: one }, key)).expect(201).data.id).toBe(first.id);
    expect(await inbox()).toHaveLength(1);
    for (let n = 2; n < 20; n++) (await plan({})).expect(201);
    (await plan({ rows: one })).expect(409);
    await until('the file is gone', async () => (await inbox()).length === 1);
    const other = await makeWorkspace(server);
    (await other.api.get(`/migration/jobs/${first.id}`)).expect(404);
    expect((await other.api.get('/migration/jobs')).rows).toEqual([]);
  });
});

describe('what migrations of a workspace keep', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('has a bound: of rows, files, what is packed, and of several at once', async () => {
    jest.replaceProperty(settings().files, 'inboxBytes', 4_000);
    const send = (id: number, content: Buffer | string): ReturnType<TestWorkspace['api']['post']> =>
      workspace.api.post(`/migration/jobs/${id}/files?entity=tickets`, Buffer.from(content), {
        'content-type': 'text/csv',
      });
    const table = (bytes: number): string => `id,subject\n1,${'x'.repeat(bytes)}\n`;
    const id = await planned(workspace, { tickets: table(1_500) });
    const quota = { file: 'quota' };
    expect((await send(id, table(4_000))).expect(422).codes).toEqual(quota);
    expect((await send(id, gzipSync(table(1_000_000)))).expect(422).codes).toEqual(quota);
    expect((await plan({ rows: { tickets: [{ subject: 'x'.repeat(3_000) }] } })).expect(422).codes).toEqual(quota);
    // The file that is there stays until another one is.
    expect((await workspace.api.get(`/migration/jobs/${id}`)).data.files).toMatchObject([{ bytes: 1_514 }]);
    const jobs = [await planned(workspace, {}), await planned(workspace, {}), await planned(workspace, {})];
    const answers = await Promise.all(jobs.map((each) => send(each, table(1_500))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await until('the file is gone', async () => (await inbox()).length === 2);
    // Another workspace has its own.
    await planned(await makeWorkspace(server), { tickets: table(3_000) });
    (await workspace.api.delete(`/migration/jobs/${id}`)).expect(200);
    await until('the file is gone', async () => (await inbox()).length === 1);
    await planned(workspace, { tickets: table(1_500) });
    jest.replaceProperty(settings().files, 'inboxBytes', 0);
    await planned(workspace, { tickets: table(50_000) });
  });
});
