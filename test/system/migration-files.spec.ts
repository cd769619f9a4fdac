import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Inspection } from '../../src/areas/migration/files/inspected';
import { MigrationFiles } from '../../src/areas/migration/files/migration-files';
import { MigrationJobsController } from '../../src/areas/migration/jobs/migration-jobs.controller';
import { zammad } from '../../src/areas/migration/services/sources/zammad';
import { FileFetcher } from '../../src/areas/migration/services/file-fetcher';
import { SERVICES } from '../../src/areas/migration/services/services';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../src/platform/context/runtime-config';
import { FileStore } from '../../src/platform/files/file-store';
import { uploadRulesOf } from '../../src/platform/http/upload/upload';
import type { Fields } from '../support/api';
import { rowsOf } from '../support/counted-rows';
import { migratedFrom, outcomeOf, useMigrationApp, worked } from '../support/migrations';
import { endless, useServiceServer } from '../support/old-desks/fake-service';
import { TWO_FILES } from '../support/old-desks/old-desk';
import { zendeskServer } from '../support/old-desks/zendesk-server';
import { type Reply, useReceiver } from '../support/receiver';
import { until } from '../support/until';
import { hungUp, type Sending, sending } from '../support/uploads';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const { server, sql } = useMigrationApp();
const old = useServiceServer();
const elsewhere = useReceiver();
let workspace: TestWorkspace;

beforeEach(async () => {
  old.become(zendeskServer);
  old.desk.files.push(...TWO_FILES);
  workspace = await makeWorkspace(server);
});

const body = (more: object = {}): object => ({
  source: 'zendesk',
  connection: zendeskServer.connection(old.base),
  ...more,
});
const failures = async (id: unknown): Promise<Fields[]> =>
  (await workspace.api.get(`/migration/jobs/${String(id)}/records?entity=attachments&status=failed`)).rows;
const stored = async (): Promise<string[]> =>
  (await server.app.get(FileStore).list(null, 1_000))
    .map(({ key }) => key)
    .filter((key) => key.startsWith(`${workspace.id}/`));
type Content = Exclude<Reply, number> | 'cut' | 'endless' | undefined;
/** What is answered in place of the content of files, by their ids; cut = it breaks off. */
const contents = (by: (id: string) => Content): void =>
  old.receiver.answer((request, response) => {
    const [, id] = /^\/attachments\/token\/(\d+)$/.exec(request.path) ?? [];
    const content = id === undefined ? undefined : by(id);
    if (content === 'endless') {
      endless(response);
      return 'hang';
    }
    if (content !== 'cut') return content ?? old.reply(request);
    response.writeHead(200, { 'content-length': '1000' });
    response.write('half');
    setImmediate(() => response.destroy());
    return 'hang';
  });
const codeOf = ({ error }: Fields): string => (error as { code: string }).code;

describe('the body of a file that is sent', () => {
  const rules = uploadRulesOf(Reflect.get(MigrationJobsController.prototype, 'file'));
  const lines = `id,subject\n${'1,x\n'.repeat(10_000)}`;
  let jumped = 0;
  beforeEach(() => {
    jumped = 0;
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + jumped);
  });
  afterEach(() => jest.restoreAllMocks());

  /** Everything that is on the disk of it, arriving or there. */
  const onDisk = async (): Promise<string[]> => {
    const { files } = server.app.get<RuntimeConfig>(RUNTIME_CONFIG);
    const found = await readdir(join(files.folder, 'inbox'), { recursive: true, withFileTypes: true }).catch(() => []);
    return found.filter((each) => each.isFile()).map(({ name }) => name);
  };
  const begun = async (): Promise<{ id: number; body: Sending }> => {
    const { id } = (await workspace.api.post('/migration/jobs', { source: 'csv' })).expect(201).data;
    const headers = { authorization: `Bearer ${workspace.token}`, 'content-type': 'text/csv' };
    const body = sending(server.url, `/migration/jobs/${id}/files`, headers);
    await body.write(lines);
    await until('it arrives', async () => (await onDisk()).length > 0);
    return { id, body };
  };
  const goesWithoutTrace = async (id: number): Promise<void> => {
    await until('nothing is left', async () => (await onDisk()).length === 0);
    expect((await workspace.api.get(`/migration/jobs/${id}`)).data).toMatchObject({ status: 'draft', files: [] });
  };

  it('is given up where its sender falls silent, never ends, sends too much or hangs up, and leaves nothing', async () => {
    const silent = await begun();
    jumped += 11_000;
    expect((await silent.body.answer).body.error).toMatchObject({ type: 'request_timeout', status: 408 });
    await goesWithoutTrace(silent.id);

    // It goes on and on, a little at a time.
    const endless = await begun();
    for (let n = 0; n < 3; n++) await endless.body.write(lines);
    jumped += 3_601_000;
    expect((await endless.body.answer).body.error).toMatchObject({
      ...{ type: 'request_timeout', status: 408 },
      message: expect.stringContaining('3600 seconds') as string,
    });
    await goesWithoutTrace(endless.id);

    if (!rules) throw new Error('It is an upload.');
    jest.replaceProperty(rules, 'maxBytes', 3 * lines.length);
    const much = await begun();
    for (let n = 0; n < 4; n++) await much.body.write(lines);
    expect((await much.body.answer).status).toBe(413);
    await goesWithoutTrace(much.id);
    jest.restoreAllMocks();

    const gone = await begun();
    gone.body.hangUp();
    await goesWithoutTrace(gone.id);

    // The same job takes one that ends.
    const whole = Buffer.from(lines);
    const headers = { 'content-type': 'text/csv' };
    (await workspace.api.post(`/migration/jobs/${gone.id}/files`, whole, headers)).expect(200);
    expect(await onDisk()).toHaveLength(1);
  });

  it('is whole where its sender hangs up while its row is written', async () => {
    const files = server.app.get(MigrationFiles);
    const keep = files.keep.bind(files);
    let goOn: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    let isWriting = false;
    jest.spyOn(files, 'keep').mockImplementationOnce(async (...asked) => {
      await keep(...asked);
      isWriting = true;
      await gate;
    });
    const before = await onDisk();
    const { id, body } = await begun();
    body.end();
    await until('the row is being written', () => isWriting);
    await hungUp(server, body);
    goOn();
    const job = async (): Promise<Fields> => (await workspace.api.get(`/migration/jobs/${id}`)).expect(200).data;
    await until('the job has it', async () => ((await job()).files as Fields[]).length === 1);
    expect(await onDisk()).toHaveLength(before.length + 1);
  });

  it('may unpack to so much and no more', async () => {
    const bomb = async function* (): AsyncGenerator<Buffer> {
      for (;;) yield await Promise.resolve(Buffer.alloc(65_536));
    };
    const inspection = new Inspection(() => undefined, 1_048_576);
    const read = async (): Promise<void> => {
      for await (const chunk of inspection.through(bomb())) expect(chunk.length).toBe(65_536);
    };
    await expect(read()).rejects.toMatchObject({ type: 'payload_too_large' });
    expect(inspection.bytes).toBe(1_048_576 + 65_536);
  });
});

describe('the files of a service', () => {
  it('come once, stay away where nobody asks for them, and go when they are taken back', async () => {
    const { api } = workspace;
    const before = await rowsOf(sql, workspace);
    const without = await migratedFrom(
      server,
      workspace,
      body({ entities: ['users', 'contacts', 'tickets', 'ticket_comments'] }),
    );
    expect((await api.get('/attachments')).meta.total).toBe(0);
    const again = body({ options: { updated_since: null, namespace: undefined } });
    const done = await migratedFrom(server, workspace, again);
    expect(done).toMatchObject({
      status: 'completed',
      progress: { by_entity: { attachments: { created: 2, pending: 0 } } },
    });
    const second = await migratedFrom(server, workspace, again);
    expect(second).toMatchObject({ progress: { by_entity: { attachments: { created: 0, skipped: 2 } } } });
    expect(await stored()).toHaveLength(2);
    for (const id of [second.id, done.id, without.id]) {
      (await api.post(`/migration/jobs/${String(id)}/rollback`)).expect(200);
      expect(await worked(server, workspace, id)).toMatchObject({ status: 'rolled_back' });
      if (id === done.id) {
        const [thanks] = (await api.get('/tickets?external_id=101')).rows;
        const comments = (await api.get(`/tickets/${thanks?.id}/comments`)).rows;
        expect(comments.map(({ attachments }) => attachments)).toEqual(comments.map(() => []));
      }
    }
    expect(await rowsOf(sql, workspace)).toEqual(before);
  });

  it('cost themselves alone: those that lead elsewhere, are refused or too large come another time', async () => {
    const limit = server.app.get<RuntimeConfig>(RUNTIME_CONFIG).files.maxBytes;
    const huge = { id: 705, ticket: 103, comment: 904, name: 'huge.bin', content: 'x', size: limit + 1 };
    old.desk.files.push(
      { id: 703, ticket: 101, comment: null, name: 'elsewhere.txt', content: 'x' },
      { id: 704, ticket: 102, comment: null, name: 'gone.txt', content: 'x' },
      huge,
    );
    const moved = (location: string): Content => ({ status: 302, headers: { location } });
    const answers: Record<string, Content> = {
      701: moved(elsewhere.at('/file')),
      702: moved('http://169.254.169.254/latest/meta-data'),
      703: moved('file:///etc/passwd'),
      704: { status: 403 },
    };
    contents((id) => answers[id]);
    const done = await migratedFrom(server, workspace, body());
    expect(done).toMatchObject({ status: 'completed_with_errors', progress: { failed: 5 } });
    const failed = await failures(done.id);
    const codes = Object.fromEntries(failed.map((each) => [each.external_id, codeOf(each)]));
    expect(codes).toEqual({ 701: 'host', 702: 'host', 703: 'host', 704: 'refused', 705: 'too_large' });
    expect(elsewhere.requests).toEqual([]);
    expect((await workspace.api.get('/tickets')).meta.total).toBe(3);
    expect(await stored()).toEqual([]);
    expect(JSON.stringify(failed)).not.toContain('token/');

    contents(() => undefined);
    (await workspace.api.post(`/migration/jobs/${String(done.id)}/retry-failed`)).expect(200);
    const mended = await worked(server, workspace, done.id);
    expect(mended).toMatchObject({ progress: { failed: 1, by_entity: { attachments: { created: 4 } } } });
    expect(await stored()).toHaveLength(4);
  });

  it('break off, and nobody sees a half of one; who is asked to wait waits', async () => {
    const { api } = workspace;
    const { id } = (await api.post('/migration/jobs', { mode: 'import', ...body() })).expect(201).data;
    (await api.post(`/migration/jobs/${id}/validate`)).expect(200);
    await worked(server, workspace, id);
    (await api.post(`/migration/jobs/${id}/start`)).expect(200);
    let asked = 0;
    contents(() => (++asked <= 2 ? { status: 429, headers: { 'retry-after': '60' } } : 'cut'));
    let outcome = await outcomeOf(server, workspace, id);
    while (outcome.retryInMs === 0) outcome = await outcomeOf(server, workspace, id);
    expect(outcome).toEqual({ retryInMs: 60_000 });
    expect((await api.get('/attachments')).meta.total).toBe(0);
    const done = await worked(server, workspace, id);
    expect(done).toMatchObject({ status: 'completed_with_errors', progress: { failed: 2 } });
    expect((await failures(id)).map(codeOf)).toEqual(['broken_off', 'broken_off']);
    expect([asked, await stored(), (await api.get('/attachments')).meta.total]).toEqual([8, [], 0]);
  });

  it('that do not come to an end are given up at the largest size that files have', async () => {
    contents((id) => (id === '701' ? 'endless' : undefined));
    const done = await migratedFrom(server, workspace, body());
    expect(done).toMatchObject({ status: 'completed_with_errors', progress: { failed: 1 } });
    const [failed] = await failures(done.id);
    const { maxBytes } = server.app.get<RuntimeConfig>(RUNTIME_CONFIG).files;
    expect(failed?.error).toMatchObject({
      code: 'too_large',
      message: `A file has at most ${maxBytes / 1_048_576} MB.`,
    });
    expect(await stored()).toHaveLength(1);
  });

  it('have no room where the workspace is full', async () => {
    await sql.rows(
      `INSERT INTO attachment_usage (workspace_id, bytes) VALUES ($1, $2) ON CONFLICT (workspace_id) DO UPDATE SET bytes = $2`,
      [workspace.id, Number.MAX_SAFE_INTEGER],
    );
    const done = await migratedFrom(server, workspace, body());
    expect(done).toMatchObject({ status: 'completed_with_errors', progress: { failed: 2 } });
    expect((await failures(done.id)).map(codeOf)).toEqual(['quota', 'quota']);
  });
});

describe('hosts of files', () => {
  it('are those that the documentation of a service names, over HTTPS, and no others', async () => {
    const open = async (source: (typeof SERVICES)[keyof typeof SERVICES], url: string): Promise<unknown> =>
      server.app
        .get(FileFetcher)
        .open({ source, settings: { base_url: 'https://desk.invalid', email: 'a@b.example', api_token: 'x' } }, { url })
        .catch((error: unknown) => (error as { code: string }).code);
    const hosts = (source: keyof typeof SERVICES): RegExp => SERVICES[source].fileHosts ?? /^$/;
    expect(hosts('zendesk').test('p18.zdusercontent.com')).toBe(true);
    for (const host of ['zdusercontent.com.evil.example', 'evilzdusercontent.com', '127.0.0.1', 'xzendesk.com'])
      expect(hosts('zendesk').test(host)).toBe(false);
    expect(hosts('freshdesk').test('s3.eu-central-1.amazonaws.com')).toBe(true);
    expect(hosts('freshdesk').test('s3.evil.example')).toBe(false);
    for (const url of [
      ...[
        'http://p18.zdusercontent.com/x',
        'https://p18.zdusercontent.com:8443/x',
        'https://u:p@p18.zdusercontent.com/x',
      ],
      ...[
        'https://evil.example/x',
        'javascript:alert(1)',
        `https://p18.zdusercontent.com/${'x'.repeat(9_000)}`,
        'no address',
      ],
    ])
      expect(['host', 'address']).toContain(await open(SERVICES.zendesk, url));
    expect(await open(zammad, 'https://help.evil.example/x')).toBe('host');
  });
});
