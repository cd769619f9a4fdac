import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MigrationRunner } from '../../src/areas/migration/run/migration-runner';
import type { RuntimeConfig } from '../../src/platform/context/runtime-config';
import { Database } from '../../src/platform/database/database';
import type { JobOutcome } from '../../src/platform/queue/job-handler';
import type { Fields } from './api';
import { type TestApp, useOwnApp } from './app';
import { scratchDatabase } from './scratch-database';
import { openSql, type Sql } from './sql';
import type { TestWorkspace } from './workspace';

/** A service with a store and a database of its own, and nobody at work but who is asked. */
export function useMigrationApp(): { server: TestApp; sql: Sql } {
  const dataDir = mkdtempSync(join(tmpdir(), 'helpdesk-migration-'));
  const overrides: Partial<RuntimeConfig> = { dataDir, role: 'api' };
  let own: (Sql & { end(): Promise<void> }) | undefined;
  let drop = (): Promise<void> => Promise.resolve();
  beforeAll(async () => {
    const scratch = await scratchDatabase({ migrated: true });
    Object.assign(overrides, { databaseUrl: scratch.serviceUrl });
    own = openSql(scratch.url);
    drop = () => scratch.drop();
  });
  const server = useOwnApp(overrides);
  afterAll(async () => {
    await own?.end();
    await drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const sql: Sql = {
    rows: (text, values) => {
      if (!own) throw new Error('The database is made before the first test.');
      return own.rows(text, values);
    },
  };
  return { server, sql };
}

const SYSTEM = { type: 'system', id: null, name: 'system' } as const;

/** One turn of a worker at a job, and when it is to go on. */
export function outcomeOf(
  { app }: Pick<TestApp, 'app'>,
  { id: workspaceId }: { id: number },
  id: number,
): Promise<JobOutcome> {
  const job = { id: 1, workspace_id: workspaceId, kind: 'migration', subject_id: id, group_id: id, attempt: 1 };
  return app.get(Database).inWorkspace(workspaceId, SYSTEM, () => app.get(MigrationRunner).perform(job));
}

/** The same. @returns whether it is to go on */
export async function turn(app: Pick<TestApp, 'app'>, workspace: { id: number }, id: number): Promise<boolean> {
  return (await outcomeOf(app, workspace, id)).retryInMs !== undefined;
}

/** All turns of a worker, and the job as it is then. */
export async function worked(server: Pick<TestApp, 'app'>, workspace: TestWorkspace, id: number): Promise<Fields> {
  while (await turn(server, workspace, id));
  return (await workspace.api.get(`/migration/jobs/${id}`)).expect(200).data;
}

/** Sends a table, or what it is told to be. */
export async function sent(
  { api }: TestWorkspace,
  id: number,
  entity: string,
  content: string | Buffer,
  type = 'text/csv',
): Promise<Fields> {
  const path = `/migration/jobs/${id}/files?entity=${entity}`;
  return (await api.post(path, Buffer.from(content), { 'content-type': type })).expect(200).data;
}

/** A job with files, by entity. */
export async function planned(
  workspace: TestWorkspace,
  files: Readonly<Record<string, string | Buffer>>,
  body: object = {},
): Promise<number> {
  const { id } = (await workspace.api.post('/migration/jobs', { source: 'csv', mode: 'import', ...body })).expect(
    201,
  ).data;
  for (const [entity, content] of Object.entries(files)) await sent(workspace, id, entity, content);
  return id;
}

/** The same, validated and done. */
export async function migrated(
  server: Pick<TestApp, 'app'>,
  workspace: TestWorkspace,
  files: Readonly<Record<string, string | Buffer>>,
  body: object = {},
): Promise<Fields> {
  const id = await planned(workspace, files, body);
  return broughtIn(server, workspace, id);
}

/** A job that reads a service, validated and done. */
export async function migratedFrom(
  server: Pick<TestApp, 'app'>,
  workspace: TestWorkspace,
  body: object,
): Promise<Fields> {
  const { id } = (await workspace.api.post('/migration/jobs', { mode: 'import', ...body })).expect(201).data;
  return broughtIn(server, workspace, id);
}

async function broughtIn(server: Pick<TestApp, 'app'>, workspace: TestWorkspace, id: number): Promise<Fields> {
  (await workspace.api.post(`/migration/jobs/${id}/validate`)).expect(200);
  await worked(server, workspace, id);
  (await workspace.api.post(`/migration/jobs/${id}/start`)).expect(200);
  return worked(server, workspace, id);
}

/** A migration of rows, by entity, validated and done; what would not do is thrown. */
export async function migratedRows(
  server: Pick<TestApp, 'app'>,
  workspace: TestWorkspace,
  rows: object,
  more: object = {},
): Promise<Fields> {
  const { api } = workspace;
  const body = { source: 'json', mode: 'import', rows, ...more };
  const { id } = (await api.post('/migration/jobs', body)).expect(201).data;
  (await api.post(`/migration/jobs/${id}/validate`)).expect(200);
  const looked = await worked(server, workspace, id);
  if (looked.status !== 'ready') throw new Error(JSON.stringify(looked.validation));
  (await api.post(`/migration/jobs/${id}/start`)).expect(200);
  const done = await worked(server, workspace, id);
  if (done.status === 'failed') throw new Error(String(done.last_error));
  return done;
}

/** Takes a migration back. */
export async function takenBack(
  server: Pick<TestApp, 'app'>,
  workspace: TestWorkspace,
  { id }: { id: number },
): Promise<void> {
  (await workspace.api.post(`/migration/jobs/${id}/rollback`)).expect(200);
  const { status } = await worked(server, workspace, id);
  if (status !== 'rolled_back') throw new Error(`It is ${String(status)}.`);
}
