import type { Database } from '../../src/platform/database/database';
import { Setbacks } from '../../src/platform/search/bits/setbacks';
import { beforeRecords, type Folded, openFolded } from '../support/folded';

let folded: Folded;
beforeAll(async () => {
  folded = await openFolded(3);
});
afterAll(() => folded.close());

/** The database, where nobody can read the records of a workspace to fold them. */
function brokenFor(workspaceId: number): Database {
  return beforeRecords(folded.database, (of) =>
    of === workspaceId ? Promise.reject(new Error('cannot be folded')) : Promise.resolve(),
  );
}

const write = (workspaceId: number, from: number, to: number): Promise<unknown> =>
  folded.sql.rows(
    `INSERT INTO tickets (workspace_id, number, code, subject, status, priority)
     SELECT $1, n, 'TCK-' || n, 'a printer', 'open', 'low' FROM generate_series($2::bigint, $3::bigint) n`,
    [workspaceId, from, to],
  );

const unfolded = (): Promise<{ workspace_id: number; notes: number }[]> =>
  folded.sql.rows('SELECT workspace_id, count(*) AS notes FROM ticket_unfolded GROUP BY 1 ORDER BY 1');

it('a workspace that cannot be folded keeps no other waiting, and is tried again', async () => {
  const [broken, other] = [folded.workspace(), folded.workspace()];
  for (const id of [broken, other]) {
    await write(id, 1, 20);
    await folded.made(id);
  }
  await folded.sql.rows('DELETE FROM ticket_unfolded');
  await write(broken, 21, 25);
  await write(other, 21, 23);
  const folder = folded.folder(brokenFor(broken));
  const run = (): Promise<unknown> => folded.database.system(() => folder.run(folded.limits));
  await expect(run()).rejects.toThrow('cannot be folded');
  await run();
  expect(await unfolded()).toEqual([{ workspace_id: broken, notes: 5 }]);
  // Nothing else is to be done: it is left alone until it has waited, and whoever can do it does.
  expect(await run()).toBeNull();
  const able = folded.folder();
  await folded.database.system(() => able.run(folded.limits));
  expect(await unfolded()).toEqual([]);
});

it('a record that comes while a chunk is made, after the newest was looked for and before its notes are taken, is in it', async () => {
  const id = folded.workspace();
  await write(id, 1, 20);
  let newest = 20;
  const late = Object.assign(Object.create(folded.database) as Database, {
    query: async (text: string, values: readonly unknown[] = []) => {
      if (text.includes('DELETE FROM ticket_unfolded')) await write(id, newest + 1, ++newest);
      return folded.database.query(text, values);
    },
  });
  await folded.database.system(() => folded.step(id));
  await folded.database.system(() => folded.step(id));
  await folded.database.system(() => folded.step(id, late));
  expect(newest).toBe(21);
  expect(await unfolded()).toEqual([]);
  await folded.made(id);
  const { total } = await folded.listed(id, { q: 'printer', status: 'open' });
  expect(total).toBe(21);
});

it('waits 10 s after a first failure, twice as long after each further one, 10 minutes at most, and not at all after a success', () => {
  let now = 0;
  const setbacks = new Setbacks(() => now);
  const waits: number[] = [];
  for (let failures = 0; failures < 9; failures++) {
    setbacks.failed(7);
    const since = now;
    while (setbacks.waiting().length > 0) now += 1_000;
    waits.push((now - since) / 1_000);
  }
  expect(waits).toEqual([10, 20, 40, 80, 160, 320, 600, 600, 600]);
  setbacks.failed(7);
  setbacks.failed(8);
  setbacks.succeeded(7);
  expect(setbacks.waiting()).toEqual([8]);
  setbacks.failed(7);
  now += 10_000;
  expect(setbacks.waiting()).toEqual([]);
});
