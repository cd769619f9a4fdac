import { Injectable, Module } from '@nestjs/common';
import { areas } from '../../src/app.module';
import { defineArea } from '../../src/platform/area/area';
import type { ActionExecutor, ActionPerformer } from '../../src/platform/area/rules';
import { ApiError } from '../../src/platform/errors/api-error';
import { JobQueue } from '../../src/platform/queue/job-queue';
import { Pool } from 'pg';
import { startApp, type TestApp } from '../support/app';
import { commentsOf, makeRule, runsOf } from '../support/automations';
import { makeTicket, makeUser } from '../support/cast';
import { scratchDatabase, type ScratchDatabase } from '../support/scratch-database';
import { until } from '../support/until';
import { drained } from '../support/jobs';
import { makeWorkspace } from '../support/workspace';

let away = true;

@Injectable()
class Crashing implements ActionPerformer {
  readonly executors: readonly ActionExecutor[] = [
    {
      type: 'probe_crash',
      kind: 'direct',
      execute: () => (away ? Promise.reject(new ApiError('service_unavailable', 'away')) : Promise.resolve()),
    },
  ];
}

@Module({ providers: [Crashing] })
class ProbeModule {}

/** An area from elsewhere, with an action and a condition of its own. */
const probeArea = defineArea({
  name: 'probe',
  module: ProbeModule,
  actions: [{ type: 'probe_crash', label: 'Crash', kind: 'field' }],
  performers: [Crashing],
  conditions: [
    {
      object: 'ticket',
      field: 'is_loud',
      spec: { type: 'boolean' },
      value: ({ subject }) => subject === String(subject).toUpperCase(),
    },
  ],
});

// A database of its own: the applications of other tests do not know the action that fails here.
let scratch: ScratchDatabase;
let server: TestApp;
let pool: Pool;

beforeAll(async () => {
  scratch = await scratchDatabase({ migrated: true });
  server = await startApp({ databaseUrl: scratch.serviceUrl }, { areas: [...areas, probeArea] });
  pool = new Pool({ connectionString: scratch.url, max: 1 });
});

afterAll(async () => {
  await pool.end();
  await server.close();
  await scratch.drop();
});

const sql = {
  rows: async (text: string, values: unknown[]): Promise<object[]> => (await pool.query<object>(text, values)).rows,
};

const comment = (body: string): Record<string, unknown> => ({ type: 'add_comment', body, is_internal: true });

describe('a run that breaks off', () => {
  it('is made again without the rules that had finished', async () => {
    const workspace = await makeWorkspace(server);
    await makeRule(workspace, {
      name: 'first',
      actions: [comment('once'), { type: 'notify', user_ids: [(await makeUser(workspace.api)).id], message: 'hello' }],
    });
    await makeRule(workspace, {
      name: 'second',
      conditions: { all: [{ field: 'is_loud', operator: 'eq', value: true }] },
      actions: [comment('undone'), { type: 'probe_crash' }],
    });
    await makeRule(workspace, { name: 'third', actions: [comment('last')] });
    const ticket = await makeTicket(workspace.api, { subject: 'HELP' });
    // And further than it was: nobody makes it again meanwhile.
    await until('the run was put off', async () => {
      const rows = await sql.rows(
        `UPDATE work SET due_at = now() + interval '1 hour' WHERE workspace_id = $1 AND kind = 'automation_pass' AND state = 'scheduled' RETURNING 1`,
        [workspace.id],
      );
      return rows.length > 0;
    });
    expect((await commentsOf(workspace, ticket.id)).map(({ body }) => body)).toEqual(['once']);
    expect(
      await sql.rows(`SELECT FROM work WHERE workspace_id = $1 AND kind = 'automation_effect'`, [workspace.id]),
    ).toEqual([]);
    away = false;
    await sql.rows(`UPDATE work SET due_at = now(), state = 'waiting' WHERE workspace_id = $1`, [workspace.id]);
    server.app.get(JobQueue).wake();
    await drained(server, workspace);
    expect((await commentsOf(workspace, ticket.id)).map(({ body }) => body)).toEqual(['once', 'undone', 'last']);
    const runs = await runsOf(workspace, 'tickets', ticket.id);
    // What failed for a moment is told as such, beside the attempt that followed; as often as a slow machine let it fail.
    const again = (index: number): boolean => [runs[index], runs[index - 1]].every((run) => run?.status === 'skipped');
    const told = runs.filter((_run, index) => !again(index));
    expect(told.map(({ automation_name, status }) => [automation_name, status])).toEqual([
      ['first', 'executed'],
      ['second', 'skipped'],
      ['second', 'executed'],
      ['third', 'executed'],
    ]);
    expect(await sql.rows(`SELECT FROM outgoing_mails WHERE workspace_id = $1`, [workspace.id])).toHaveLength(1);
    expect(await sql.rows(`SELECT FROM automation_passes WHERE workspace_id = $1`, [workspace.id])).toEqual([]);
    expect(await sql.rows(`SELECT FROM automation_effects WHERE workspace_id = $1`, [workspace.id])).toEqual([]);
  });
});
