import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ArchiveParts } from '../../src/areas/exports/archive/archive-parts';
import { ExportWriter } from '../../src/areas/exports/export-writer';
import { Database } from '../../src/platform/database/database';
import { installed } from '../support/areas';
import type { Api, Fields } from '../support/api';
import { makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { largeTeams, manifestOf, recordsOf, unpacked } from '../support/archives';
import { runJob } from '../support/jobs';
import { useScratchApp } from '../support/scratch-app';
import { opened, restOf } from '../support/tables';
import { userApi } from '../support/people';
import { until } from '../support/until';
import { uploaded } from '../support/uploads';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

// A store and a database of its own, and nobody at work but who is asked: archives are made by the test, and compared with what is there.
const dataDir = mkdtempSync(join(tmpdir(), 'helpdesk-exports-'));
const { server, sql } = useScratchApp({ dataDir });
afterAll(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

const at = (...names: string[]): string => join(dataDir, 'attachments', ...names);

/** Keys of the parts of a workspace that are in the store. */
function stored({ id }: { id: number }): string[] {
  const folder = at('archives', String(id));
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((part) => readdirSync(join(folder, part)).map((name) => `${id}/${part}/${name}`));
}

const SYSTEM = { type: 'system', id: null, name: 'system' } as const;

function within<T>({ id }: { id: number }, work: (writer: ExportWriter) => Promise<T>): Promise<T> {
  return server.app.get(Database).inWorkspace(id, SYSTEM, () => work(server.app.get(ExportWriter)));
}

async function asked(api: Api, body: object = {}): Promise<Fields> {
  return (await api.post('/exports', { ...body })).expect(201).data;
}

/** Asks for an export and makes it. */
async function exported(workspace: TestWorkspace, body: object = {}): Promise<number> {
  const { id } = await asked(workspace.api, body);
  await within(workspace, async (writer) => {
    await writer.begin(id);
    while (await writer.piece(id));
  });
  return id;
}

const archiveUrl = (id: number): string => `${server.url}/v1/exports/${id}/download`;

async function archiveOf({ token }: TestWorkspace, id: number): Promise<(path: string) => Buffer> {
  return unpacked(dataDir, await restOf(await opened(archiveUrl(id), token)));
}

describe('an export', () => {
  it('has every record as the API shows it, the files, counts and checksums, and nothing of another workspace', async () => {
    const [workspace, other] = [await makeWorkspace(server), await makeWorkspace(server)];
    await makeTicket(other.api, { subject: 'zzforeignzz' });
    const content = Buffer.from('13:02 paper jam\n'.repeat(5_000));
    const [file, empty, lost] = [
      await uploaded(workspace.api, content, 'Drücker & Co — 100 % "final".log'),
      await uploaded(workspace.api, '', `${'long '.repeat(45)}.txt`),
      await uploaded(workspace.api, 'gone'),
    ];
    const ticket = await makeTicket(workspace.api, { subject: 'Ours', attachment_ids: [file.id, empty.id, lost.id] });
    const [row] = await sql.rows<{ key: string }>('SELECT storage_key AS key FROM attachments WHERE id = $1', [
      lost.id,
    ]);
    rmSync(at(row?.key ?? ''));
    await sql.rows(`INSERT INTO teams (workspace_id, name) SELECT $1, 'Team ' || n FROM generate_series(1, 2500) n`, [
      workspace.id,
    ]);
    const id = await exported(workspace);
    const shown = (await workspace.api.get(`/exports/${id}`)).expect(200).data;
    expect(shown).toMatchObject({ status: 'completed', progress: 100, error: null, resources: [], with_files: true });
    expect(Date.parse(String(shown.expires_at))).toBeGreaterThan(Date.now());
    const whole = await restOf(await opened(archiveUrl(id), workspace.token));
    expect(whole).toHaveLength(shown.size_bytes as number);
    const of = unpacked(dataDir, whole);
    const { contents, checksums } = manifestOf(of);
    expect(contents.map(({ name }) => name)).toEqual([
      ...installed.resources.map(({ name }) => name).filter((name) => name !== 'exports'),
      'files',
    ]);
    expect(contents).toContainEqual({ name: 'teams', files: 3, records: 2_500 });
    expect(contents).toContainEqual({ name: 'files', files: 2, records: 0, lost: 1 });
    expect(contents.reduce((sum, { records }) => sum + records, 0)).toBe(shown.record_count);
    for (const { name, sha256 } of checksums) expect(createHash('sha256').update(of(name)).digest('hex')).toBe(sha256);
    const teams = [1, 2, 3].flatMap((number) => recordsOf(of(`teams/00000${number}.ndjson`)));
    expect(new Set(teams.map((team) => team.id)).size).toBe(2_500);
    expect(recordsOf(of('tickets/000001.ndjson'))).toEqual([(await workspace.api.get(`/tickets/${ticket.id}`)).data]);
    expect(of(`files/${file.id}/${String(file.filename)}`).equals(content)).toBe(true);
    expect(of(`files/${empty.id}/${String(empty.filename)}`)).toHaveLength(0);
    const told = (await eventsOf(server, workspace, 'export', id)).map(({ type }) => type);
    expect(told).toEqual(['export.created', 'export.started', 'export.completed']);
    const texts = contents.flatMap(({ name, files }) =>
      name === 'files' ? [] : Array.from({ length: files }, (_, index) => of(`${name}/00000${index + 1}.ndjson`)),
    );
    expect(texts.some((text) => text.includes('zzforeignzz'))).toBe(false);
    expect(texts.some((text) => text.includes('Ours'))).toBe(true);
  });

  it('is made by a worker that hears of it', async () => {
    const workspace = await makeWorkspace(server);
    const { id } = await asked(workspace.api, { resources: ['sla_policies'] });
    const jobs = await sql.rows(`SELECT kind, subject_id FROM work WHERE workspace_id = $1 AND kind = 'export'`, [
      workspace.id,
    ]);
    expect(jobs).toEqual([{ kind: 'export', subject_id: id }]);
  });

  it('goes on behind the last part that counts, whoever died or comes second', async () => {
    const workspace = await makeWorkspace(server);
    await largeTeams(sql, workspace, 22);
    const { id } = await asked(workspace.api, { resources: ['teams'] });
    await within(workspace, (writer) => writer.begin(id));
    // One that died when its part was in the store.
    const parts = server.app.get(ArchiveParts);
    const orphan = await within(workspace, () => parts.put(Readable.from(['half a part'])));
    // Two at the same part: when this one has stored it, the other one counts already.
    const put = parts.put.bind(parts);
    jest.spyOn(parts, 'put').mockImplementationOnce(async (content) => {
      const key = await put(content);
      expect(await within(workspace, (writer) => writer.piece(id))).toBe(true);
      return key;
    });
    expect(await within(workspace, (writer) => writer.piece(id))).toBe(true);
    const running = (await workspace.api.get(`/exports/${id}`)).data;
    expect(running).toMatchObject({ status: 'running', record_count: 10, progress: 0 });
    expect(stored(workspace)).toHaveLength(2);
    (await workspace.api.get(`/exports/${id}/download`)).expect(409);
    await within(workspace, async (writer) => {
      while (await writer.piece(id));
    });
    const of = await archiveOf(workspace, id);
    const { contents, checksums } = manifestOf(of);
    expect(contents).toEqual([{ name: 'teams', files: 5, records: 22 }]);
    expect(checksums.map(({ name }) => name)).toEqual([1, 2, 3].map((part) => `checksums/00000${part}.sha256`));
    const names = [1, 2, 3, 4, 5].flatMap((number) =>
      recordsOf(of(`teams/00000${number}.ndjson`)).map(({ name }) => name),
    );
    expect(new Set(names).size).toBe(22);
    // What nobody tells of goes when it is old; the rest stays.
    const old = new Date(Date.now() - 2 * 3_600_000);
    for (const key of stored(workspace)) utimesSync(at('archives', key), old, old);
    await runJob(server, 'exports-compare');
    expect(stored(workspace)).toHaveLength(3);
    expect(stored(workspace)).not.toContain(orphan);
  });

  it('leaves nothing of a part that breaks off', async () => {
    const workspace = await makeWorkspace(server);
    const file = await uploaded(workspace.api, 'a text of some length');
    // The store has less than the row tells.
    const [row] = await sql.rows<{ key: string }>('SELECT storage_key AS key FROM attachments WHERE id = $1', [
      file.id,
    ]);
    writeFileSync(at(row?.key ?? ''), 'cut');
    const { id } = await asked(workspace.api, { resources: ['attachments'] });
    await within(workspace, (writer) => writer.begin(id));
    await expect(within(workspace, (writer) => writer.piece(id))).rejects.toThrow('Size mismatch');
    expect(stored(workspace)).toEqual([]);
    expect((await workspace.api.get(`/exports/${id}`)).data).toMatchObject({ status: 'running', size_bytes: 0 });
    await sql.rows(`UPDATE exports SET touched_at = now() - interval '4 hours' WHERE id = $1`, [id]);
    await runJob(server, 'exports-over');
    expect((await workspace.api.get(`/exports/${id}`)).data).toMatchObject({
      status: 'failed',
      error: 'It could not be made; try again.',
    });
    const told = (await eventsOf(server, workspace, 'export', id)).map(({ type }) => type);
    expect(told.at(-1)).toBe('export.failed');
  });
});

describe('an archive', () => {
  it('is downloaded in one go, from any byte on, and by a link, in its workspace alone', async () => {
    const workspace = await makeWorkspace(server);
    const { api, token } = workspace;
    await largeTeams(sql, workspace, 11);
    const id = await exported(workspace, { resources: ['teams', 'sla_policies'], with_files: false });
    const url = archiveUrl(id);
    const first = await opened(url, token);
    expect(first.headers).toMatchObject({
      'content-type': 'application/gzip',
      'content-disposition': expect.stringContaining(`export-${id}-`) as string,
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
    });
    const whole = await restOf(first);
    const parts = await sql.rows<{ bytes: number }>(
      'SELECT bytes::float8 AS bytes FROM export_parts WHERE export_id = $1 ORDER BY number',
      [id],
    );
    expect(parts).toHaveLength(2);
    const seam = parts[0]?.bytes ?? 0;
    for (const start of [0, 10, seam - 1, seam, seam + 1]) {
      const part = await opened(url, token, { range: `bytes=${start}-`, 'if-range': String(first.headers.etag) });
      expect([part.statusCode, part.headers['content-range']]).toEqual([
        206,
        `bytes ${start}-${whole.length - 1}/${whole.length}`,
      ]);
      expect((await restOf(part)).equals(whole.subarray(start))).toBe(true);
    }
    const across = await opened(url, token, { range: `bytes=${seam - 3}-${seam + 3}` });
    expect((await restOf(across)).equals(whole.subarray(seam - 3, seam + 4))).toBe(true);
    expect((await opened(url, token, { range: `bytes=${whole.length}-` })).statusCode).toBe(416);
    expect((await opened(url, token, { 'if-none-match': String(first.headers.etag) })).statusCode).toBe(304);
    const link = String((await api.post(`/exports/${id}/link`)).expect(200).data.url);
    expect((await restOf(await opened(link, 'none'))).equals(whole)).toBe(true);
    expect((await opened(`${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`, 'none')).statusCode).toBe(404);
    const other = await makeWorkspace(server);
    for (const path of ['', '/download']) (await other.api.get(`/exports/${id}${path}`)).expect(404);
    (await other.api.post(`/exports/${id}/link`)).expect(404);
    const [key = ''] = stored(workspace);
    rmSync(at('archives', key));
    for (const gone of stored(workspace)) rmSync(at('archives', gone));
    (await api.get(`/exports/${id}/download`)).expect(404);
  });

  it('is for admins and for tokens that may read and write, of names that there are, and five at most', async () => {
    const workspace = await makeWorkspace(server);
    const { api, readApi } = workspace;
    (await readApi.post('/exports', {})).expect(403);
    const supervisor = await userApi(server, workspace, { role: 'supervisor' });
    for (const answer of [await supervisor.api.get('/exports'), await supervisor.api.post('/exports', {})])
      answer.expect(403);
    // May use exports, and does not see every ticket.
    const narrow = await userApi(server, workspace, { role: 'admin', ticket_scope: 'assigned' });
    const { id: whole } = await asked(api, { resources: ['teams'] });
    for (const path of ['/exports', `/exports/${whole}/link`]) (await narrow.api.post(path, {})).expect(403);
    (await narrow.api.get(`/exports/${whole}/download`)).expect(403);
    (await api.delete(`/exports/${whole}`)).expect(200);
    const { api: writeApi } = await makeWorkspace(server, { scopes: ['write'] });
    const { id: written } = await asked(writeApi, { resources: ['teams'] });
    (await writeApi.get(`/exports/${written}/download`)).expect(403);
    (await writeApi.post(`/exports/${written}/link`)).expect(403);
    expect((await api.post('/exports', { resources: ['tickets', 'nothing'] })).expect(422).codes).toEqual({
      resources: 'enum',
    });
    expect((await api.post('/exports', { resources: ['exports'] })).expect(422).codes).toEqual({ resources: 'enum' });
    const answers = await Promise.all(Array.from({ length: 7 }, () => api.post('/exports', {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 409, 409]);
    const { id } = answers.find(({ status }) => status === 201)?.data ?? { id: 0 };
    (await api.delete(`/exports/${id}`)).expect(200);
    await asked(api);
    (await readApi.get('/exports')).expect(200);
  });

  it('goes with its export: cancelled, deleted, or when its time is over', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    await largeTeams(sql, workspace, 11);
    const { id: stopped } = await asked(api, { resources: ['teams'] });
    await within(workspace, async (writer) => {
      await writer.begin(stopped);
      await writer.piece(stopped);
    });
    expect(stored(workspace)).toHaveLength(1);
    (await api.post(`/exports/${stopped}/cancel`)).expect(200);
    expect((await api.post(`/exports/${stopped}/cancel`)).expect(200).data.status).toBe('cancelled');
    await until('its part is gone', () => stored(workspace).length === 0);
    expect(await within(workspace, (writer) => writer.piece(stopped))).toBe(false);
    const [one, two] = [
      await exported(workspace, { resources: ['sla_policies'] }),
      await exported(workspace, { resources: ['sla_policies'] }),
    ];
    expect(stored(workspace)).toHaveLength(2);
    const link = String((await api.post(`/exports/${one}/link`)).expect(200).data.url);
    (await api.delete(`/exports/${one}`)).expect(200);
    expect((await opened(link, 'none')).statusCode).toBe(404);
    await sql.rows(`UPDATE exports SET expires_at = now() WHERE id = $1`, [two]);
    (await api.get(`/exports/${two}/download`)).expect(409);
    await runJob(server, 'exports-over');
    expect((await api.get(`/exports/${two}`)).data.status).toBe('expired');
    await until('both are gone', () => stored(workspace).length === 0);
  });
});
