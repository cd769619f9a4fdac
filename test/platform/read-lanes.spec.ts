import { type BeforeApplicationShutdown, Injectable, Module } from '@nestjs/common';
import fc from 'fast-check';
import { Database } from '../../src/platform/database/database';
import type { RawRow, Statement } from '../../src/platform/postgres/statement-batch';
import { startApp, useOwnApp } from '../support/app';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

/** What a job does that is still at work while the process ends. */
@Injectable()
class LastReads implements BeforeApplicationShutdown {
  answered = 0;

  constructor(private readonly database: Database) {}

  async beforeApplicationShutdown(): Promise<void> {
    const quick = { text: 'SELECT 1', quick: true };
    for (; this.answered < 20; this.answered++)
      await this.database.inWorkspace(workspaces[0]!.id, { type: 'system', id: null, name: 'test' }, () =>
        this.database.rawRead(quick),
      );
  }
}

@Module({ providers: [LastReads] })
class LastReadsModule {}

const server = useOwnApp();
const sql = useSql();
const SETTING = `SELECT current_setting('app.workspace_id'), pg_backend_pid(), count(*) FROM tickets`;

let workspaces: TestWorkspace[];
beforeAll(async () => {
  workspaces = [await makeWorkspace(server), await makeWorkspace(server), await makeWorkspace(server)];
  for (const [index, { api }] of workspaces.entries())
    for (let n = 0; n <= index; n++) (await api.post('/tickets', { subject: 'one' })).expect(201);
});

const read = (workspace: TestWorkspace | undefined, statement: Statement): Promise<RawRow[]> => {
  const database = server.app.get(Database);
  return database.inWorkspace(workspace?.id ?? 0, { type: 'system', id: null, name: 'test' }, () =>
    database.rawRead({ ...statement, quick: true }),
  );
};

/** Backends that several reads at once are answered by. */
async function backends(): Promise<Set<string>> {
  const rows = await Promise.all(Array.from({ length: 30 }, () => read(workspaces[0], { text: SETTING })));
  return new Set(rows.map(([row]) => row?.[1] ?? ''));
}

/** Until reads of one moment are asked together: the first of a process go through the pool. */
async function sharing(): Promise<void> {
  const one = (id: number): Statement => ({
    text: `SELECT 'one' WHERE $1::bigint <> $2::bigint`,
    values: [0, id],
    several: (ids) => ({ text: `SELECT 'some', unnest($1::text[])`, values: [ids] }),
  });
  await until('reads are asked together', async () => {
    const answers = await Promise.all([1, 2].map((id) => read(workspaces[0], one(id))));
    return answers.every(([row]) => row?.[0] === 'some');
  });
}

describe('quick reads that share connections', () => {
  it('see their own workspace alone, in any order, whatever fails among them', async () => {
    const step = fc.record({ workspace: fc.nat(2), fails: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async (steps) => {
        const answers = await Promise.allSettled(
          steps.map(({ workspace, fails }, index) => {
            const text = fails ? `${SETTING} WHERE 1 / (id - id) = ${index % 3}` : SETTING;
            return read(workspaces[workspace], { text });
          }),
        );
        answers.forEach((answer, index) => {
          const { workspace, fails } = steps[index]!;
          const told = answer.status === 'fulfilled' && answer.value[0];
          expect(told ? [told[0], told[2]] : 'failed').toEqual(
            fails ? 'failed' : [String(workspaces[workspace]!.id), String(workspace + 1)],
          );
        });
      }),
      { numRuns: 30 },
    );
  });

  it('of one record each are asked together, and each is answered its own', async () => {
    await sharing();
    const where = 'FROM tickets t WHERE t.workspace_id = $1';
    const ids = await sql.rows<{ id: number; workspace_id: number }>(
      'SELECT id, workspace_id FROM tickets WHERE workspace_id = ANY($1)',
      [workspaces.map(({ id }) => id)],
    );
    const record = (of: number, id: number): Statement => ({
      text: `SELECT t.subject, 'one' ${where} AND t.id = $2`,
      values: [of, id],
      several: (all) => ({ text: `SELECT t.id, 'some', t.id ${where} AND t.id = ANY($2)`, values: [of, all] }),
    });
    const asked = fc.record({ of: fc.nat(2), id: fc.nat(ids.length) });
    let together = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(asked, { minLength: 1, maxLength: 40 }), async (some) => {
        const answers = await Promise.all(
          some.map(({ of, id }) => read(workspaces[of], record(workspaces[of]!.id, ids[id]?.id ?? 0))),
        );
        answers.forEach((rows, index) => {
          const { of, id } = some[index]!;
          const isOwn = ids[id]?.workspace_id === workspaces[of]!.id;
          expect(rows).toHaveLength(isOwn ? 1 : 0);
          if (rows[0]?.[1] !== 'some') return;
          together++;
          expect(rows[0]).toEqual([String(ids[id]!.id), 'some', String(ids[id]!.id)]);
        });
      }),
      { numRuns: 30 },
    );
    expect(together).toBeGreaterThan(0);
  });

  it('fail together where they were asked together, and no others with them', async () => {
    await sharing();
    const of = workspaces[0]!.id;
    const text = `SELECT 'one' FROM tickets t WHERE t.workspace_id = $1 AND t.id = $2`;
    const bad = (id: number): Statement => ({ text, values: [of, id], several: () => ({ text: 'SELECT 1 / 0' }) });
    const answers = await Promise.allSettled([
      ...[1, 2, 3].map((id) => read(workspaces[0], bad(id))),
      ...[0, 1, 2].map((index) => read(workspaces[index], { text: SETTING })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      ...['rejected', 'rejected', 'rejected'],
      ...['fulfilled', 'fulfilled', 'fulfilled'],
    ]);
  });

  it('do not wait for one that takes long', async () => {
    await backends();
    let isOver = false;
    const slow = read(workspaces[0], { text: 'SELECT pg_sleep(30)' }).finally(() => (isOver = true));
    const ended = expect(slow).rejects.toMatchObject({ status: 503 });
    // Some are sent right behind it, the others find out.
    for (let round = 0; round < 20; round++) {
      const some = await Promise.race([read(workspaces[1], { text: SETTING }), ended.then(() => null)]);
      if (some === null) break;
    }
    expect(isOver).toBe(false);
    const own = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(30)' AND state = 'active'`;
    await sql.rows(own);
    await ended;
  });

  it('fail when their connection is lost, and are answered by others from then on', async () => {
    const before = await backends();
    const under = Promise.allSettled(
      Array.from({ length: 12 }, () => read(workspaces[2], { text: `SELECT pg_sleep(0.05), ${SETTING.slice(7)}` })),
    );
    await sql.rows('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [[...before]]);
    for (const answer of await under)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ status: 503 });
    await until('reads are answered', async () => {
      const after = await backends().catch(() => before);
      return [...after].every((pid) => !before.has(pid));
    });
    for (const [index, { api }] of workspaces.entries())
      expect((await api.get('/tickets')).expect(200).meta.total).toBe(index + 1);
  });

  it('keep no connection of a process that ends, though its first comes only then', async () => {
    const ending = await startApp({ role: 'api' }, { modules: [LastReadsModule] });
    const reads = ending.app.get(LastReads, { strict: false });
    await ending.close();
    expect(reads.answered).toBe(20);
  });
});
