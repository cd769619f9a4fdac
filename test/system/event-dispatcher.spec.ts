import { Database } from '../../src/platform/database/database';
import type { OutboxEvent } from '../../src/platform/events/event-consumer';
import { EventDispatcher } from '../../src/platform/events/event-dispatcher';
import { startApp, type TestApp } from '../support/app';
import { type ScratchDatabase, scratchDatabase } from '../support/scratch-database';
import { notePauses, pausesOf } from '../support/pauses';
import { until } from '../support/until';
import { drained } from '../support/jobs';
import { consumerModule } from '../support/job-probe';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

let scratch: ScratchDatabase;
const servers: TestApp[] = [];
const received: { server: number; event: OutboxEvent }[] = [];
/** What the consumers do besides noting what they get; each test sets its own. */
let act: (events: readonly OutboxEvent[], database: Database) => Promise<void>;

beforeAll(async () => {
  scratch = await scratchDatabase({ migrated: true });
  for (const server of [0, 1]) {
    const probe = consumerModule(async (events, database) => {
      await act(events, database);
      // Only what is committed counts.
      database.afterCommit(() => void received.push(...events.map((event) => ({ server, event }))));
    });
    servers.push(await startApp({ databaseUrl: scratch.serviceUrl }, { modules: [probe] }));
  }
});

beforeEach(() => {
  act = () => Promise.resolve();
});

afterAll(async () => {
  for (const server of servers) await server.close();
  await scratch.drop();
});

function system<R extends object>(text: string, values: readonly unknown[] = []): Promise<R[]> {
  const database = servers[0]!.app.get(Database);
  return database.system(() => database.query<R>(text, values));
}

/** The team's events; making a workspace writes some, too. */
function receivedBy(workspace: TestWorkspace): OutboxEvent[] {
  return received
    .map(({ event }) => event)
    .filter(({ workspace_id, object }) => workspace_id === workspace.id && object === 'team');
}

/** The same once there are at least so many: what is committed is noted a moment later. */
async function arrived(workspace: TestWorkspace, count: number): Promise<OutboxEvent[]> {
  await until(`${count} events have come`, () => receivedBy(workspace).length >= count);
  return receivedBy(workspace);
}

async function createTeams(workspace: TestWorkspace, names: readonly string[]): Promise<number[]> {
  const answers = await Promise.all(names.map((name) => workspace.api.post('/teams', { name })));
  return answers.map((answer) => answer.expect(201).data.id);
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `Team ${index}`);
}

it('hands every event to the consumers exactly once, however many nodes dispatch', async () => {
  const [first, second] = [await makeWorkspace(servers[0]!), await makeWorkspace(servers[1]!)];
  await Promise.all([createTeams(first, numbered(120)), createTeams(second, numbered(120))]);
  await drained(servers[0]!);
  for (const workspace of [first, second]) {
    const written = await system<{ uid: string }>(
      "SELECT uid FROM events WHERE workspace_id = $1 AND object = 'team'",
      [workspace.id],
    );
    expect(written).toHaveLength(120);
    const uids = (await arrived(workspace, 120)).map(({ uid }) => uid);
    expect(uids.sort()).toEqual(written.map(({ uid }) => uid).sort());
  }
  expect(await system('SELECT * FROM event_outbox')).toEqual([]);
});

it('says which event it is', async () => {
  const workspace = await makeWorkspace(servers[0]!);
  const [id] = await createTeams(workspace, ['Only one']);
  await drained(servers[0]!);
  const [row] = await system<{ id: number; uid: string }>(
    "SELECT id, uid FROM events WHERE workspace_id = $1 AND object = 'team'",
    [workspace.id],
  );
  expect(await arrived(workspace, 1)).toEqual([
    { id: row!.id, workspace_id: workspace.id, uid: row!.uid, type: 'team.created', object: 'team', object_id: id },
  ]);
});

it('keeps the order of events that wait together', async () => {
  const workspace = await makeWorkspace(servers[0]!);
  const [id] = await createTeams(workspace, ['Renamed']);
  for (let n = 0; n < 20; n++) (await workspace.api.patch(`/teams/${id}`, { name: `Renamed ${n}` })).expect(200);
  await drained(servers[0]!);
  await arrived(workspace, 21);
  // Enters all of them anew, back to front. Two nodes that take at the same moment would share them.
  const resting = jest.spyOn(servers[1]!.app.get(EventDispatcher), 'dispatch').mockResolvedValue();
  const database = servers[0]!.app.get(Database);
  received.length = 0;
  await database.system(() =>
    database.query(
      `INSERT INTO event_outbox (workspace_id, event_id) SELECT workspace_id, id FROM events WHERE workspace_id = $1 AND object = 'team' ORDER BY id DESC`,
      [workspace.id],
    ),
  );
  await drained(servers[0]!);
  const ids = (await arrived(workspace, 21)).map((event) => event.id);
  resting.mockRestore();
  expect(ids).toHaveLength(21);
  expect(ids).toEqual([...ids].sort((one, other) => one - other));
});

it('says nothing of a change that was rolled back', async () => {
  const workspace = await makeWorkspace(servers[0]!);
  await createTeams(workspace, ['Taken']);
  (await workspace.api.post('/teams', { name: 'Taken' })).expect(422);
  await drained(servers[0]!);
  expect(await arrived(workspace, 1)).toHaveLength(1);
});

it('parks the event that a consumer cannot take, and lets all others through', async () => {
  const workspace = await makeWorkspace(servers[0]!);
  const [poison] = await createTeams(workspace, ['Poison']);
  await arrived(workspace, 1);
  received.length = 0;
  act = (events) => {
    const poisoned = events.some(({ object, object_id }) => object === 'team' && object_id === poison);
    return poisoned ? Promise.reject(new Error('as asked')) : Promise.resolve();
  };
  await system(
    `INSERT INTO event_outbox (workspace_id, event_id) SELECT workspace_id, id FROM events WHERE workspace_id = $1 AND object = 'team'`,
    [workspace.id],
  );
  await createTeams(workspace, numbered(60));
  await drained(servers[0]!, workspace);
  expect(await arrived(workspace, 60)).toHaveLength(60);
  const parked = await system<{ failures: number; error: string }>(
    `SELECT failures, error FROM event_outbox WHERE workspace_id = $1`,
    [workspace.id],
  );
  expect(parked).toEqual([
    { failures: expect.any(Number) as number, error: expect.stringContaining('as asked') as string },
  ]);

  // Once it works again the event comes, by itself.
  act = () => Promise.resolve();
  await system('UPDATE event_outbox SET retry_at = now() WHERE workspace_id = $1', [workspace.id]);
  await drained(servers[0]!, workspace);
  const all = await arrived(workspace, 61);
  expect(all.filter(({ object_id }) => object_id === poison)).toHaveLength(1);
});

it('parks an event that goes on failing for longer and longer', async () => {
  const workspace = await makeWorkspace(servers[0]!);
  await drained(servers[0]!, workspace);
  act = (events) =>
    events.some(({ workspace_id }) => workspace_id === workspace.id)
      ? Promise.reject(new Error('never'))
      : Promise.resolve();
  await notePauses(scratch.url, 'event_outbox', 'retry_at');
  await createTeams(workspace, ['Never']);
  const pauses = await pausesOf(scratch.url, workspace.id, 6, () =>
    system('UPDATE event_outbox SET retry_at = now() WHERE workspace_id = $1', [workspace.id]),
  );
  expect(pauses).toEqual([5, 30, 120, 600, 3600, 3600]);
  await system('DELETE FROM event_outbox WHERE workspace_id = $1', [workspace.id]);
});

it('loses nothing when the connection ends in the middle', async () => {
  const workspace = await makeWorkspace(servers[0]!);
  let deaths = 3;
  act = async (events, database) => {
    if (events.some(({ workspace_id }) => workspace_id === workspace.id) && deaths-- > 0)
      await database.query('SELECT pg_terminate_backend(pg_backend_pid())');
  };
  await createTeams(workspace, numbered(40));
  await until('the deaths are over', () => deaths <= 0);
  await system('UPDATE event_outbox SET retry_at = now() WHERE retry_at IS NOT NULL');
  await drained(servers[0]!, workspace);
  const uids = (await arrived(workspace, 40)).map(({ uid }) => uid);
  expect(uids).toHaveLength(40);
  expect(new Set(uids).size).toBe(40);
});

it('forgets events of a workspace that is gone', async () => {
  const workspace = await makeWorkspace(servers[0]!);
  await drained(servers[0]!, workspace);
  received.length = 0;
  await system(`INSERT INTO event_outbox (workspace_id, event_id) VALUES ($1, 987654321)`, [workspace.id]);
  await drained(servers[0]!, workspace);
  expect(received.map(({ event }) => event.id)).not.toContain(987654321);
});
