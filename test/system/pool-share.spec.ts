import { Controller, Get, Module, Post } from '@nestjs/common';
import { Client } from 'pg';
import { currentWorkspaceId } from '../../src/platform/context/current';
import { Database } from '../../src/platform/database/database';
import type { Answer, Api } from '../support/api';
import { useApp } from '../support/app';
import { patience } from '../support/machine';
import { testServices } from '../support/services';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { makeWorkspace } from '../support/workspace';

const POOL = 6;
const SHARE = 3;

/** Statements that hang until the test lets go of the lock of their workspace, or for as long as a lock is waited for. */
@Controller('hang')
class HangController {
  constructor(private readonly database: Database) {}

  @Get()
  async read(): Promise<object> {
    await this.database.read({ text: `SELECT pg_advisory_xact_lock(4242, $1)`, values: [currentWorkspaceId()] });
    return { data: {} };
  }

  /** A unit of work, with a second one and a read inside it. */
  @Post()
  async write(): Promise<object> {
    await this.database.transaction(() => this.database.transaction(() => this.read()));
    return { data: {} };
  }
}

@Module({ controllers: [HangController] })
class HangModule {}

/** What waits in vain is waited for here: no longer than the machine needs. */
const bounds = { databaseWaitMs: patience(3_000), slowness: patience(1_000) / 1_000 };
const server = useApp({ databasePoolSize: POOL, role: 'api', ...bounds }, { modules: [HangModule] });
const sql = useSql();

/** Statements of the workspace that hang right now: each holds a connection. */
async function hanging(workspaceId: number): Promise<number> {
  const [row] = await sql.rows<{ count: number }>(
    `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 4242 AND objid = $1 AND NOT granted`,
    [workspaceId],
  );
  return row?.count ?? 0;
}

/** Runs `work` while every statement of `hang` hangs. */
async function whileHeld(workspaceId: number, work: () => Promise<void>): Promise<void> {
  const holder = new Client({ connectionString: testServices().adminUrl });
  await holder.connect();
  try {
    await holder.query('SELECT pg_advisory_lock(4242, $1)', [workspaceId]);
    await work();
  } finally {
    await holder.end();
  }
}

it.each<[string, (api: Api) => Promise<Answer>]>([
  ['reads', (api) => api.get('/hang')],
  ['units of work', (api) => api.post('/hang')],
])(
  'one workspace with hanging %s holds half of the pool, and the others are served from the rest',
  async (_what, hang) => {
    const [busy, other] = [await makeWorkspace(server), await makeWorkspace(server)];
    (await busy.api.get('/me')).expect(200);
    (await other.api.get('/me')).expect(200);
    await whileHeld(busy.id, async () => {
      const hung = Array.from({ length: 2 * POOL }, () => hang(busy.api));
      await until('the share is taken', async () => (await hanging(busy.id)) === SHARE);
      const served = await Promise.all([
        ...Array.from({ length: POOL }, () => other.api.get('/tickets')),
        other.api.post('/tickets', { subject: 'x' }),
      ]);
      expect(served.map(({ status }) => status)).toEqual([...Array.from({ length: POOL }, () => 200), 201]);
      expect(await hanging(busy.id)).toBeLessThanOrEqual(SHARE);
      // Whoever waits for the share is refused like one who waits for a connection; the locks are given up at last.
      const refused = await Promise.all(hung);
      expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
      expect(refused.every((answer) => answer.header('retry-after') === '1')).toBe(true);
    });
    (await busy.api.get('/tickets')).expect(200);
  },
);

it('a unit of work needs one connection, however deep it is nested', async () => {
  const workspace = await makeWorkspace(server);
  const answers = await Promise.all(Array.from({ length: 4 * POOL }, () => workspace.api.post('/hang')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
});
