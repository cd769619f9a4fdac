import { Database } from '../../src/platform/database/database';
import { useApp } from '../support/app';
import { make } from '../support/cast';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let database: Database;
let place: TestWorkspace;
let id: number;

beforeEach(async () => {
  database = server.app.get(Database);
  place = await makeWorkspace(server);
  ({ id } = await make(place.api, '/categories', { description: '' }));
});

const unit = <T>(work: () => Promise<T>): Promise<T> =>
  database.inWorkspace(place.id, { type: 'system', id: null, name: 'system' }, () => database.transaction(work));

/** Adds a sign to the description of the category. */
const sign = (text: string): Promise<void> =>
  database.later([
    {
      text: 'UPDATE categories SET description = description || $3 WHERE workspace_id = $1 AND id = $2',
      values: [place.id, id, text],
    },
  ]);

async function seen(): Promise<unknown> {
  const text = 'SELECT description FROM categories WHERE workspace_id = $1 AND id = $2';
  const [row] = await database.read<{ description: string }>({ text, values: [place.id, id] });
  return row?.description;
}

const stored = (): Promise<unknown> =>
  database.inWorkspace(place.id, { type: 'system', id: null, name: 'system' }, seen);

it.each([
  ['the next statement', (): Promise<unknown> => seen()],
  ['a statement of the driver', (): Promise<unknown> => database.query('SELECT 1')],
  ['a savepoint', (): Promise<unknown> => database.savepoint(() => Promise.resolve())],
  ['the commit', (): Promise<unknown> => Promise.resolve()],
])('statements that wait leave in their order, ahead of %s', async (_, next) => {
  await unit(async () => {
    await sign('a');
    await sign('b');
    await next();
    await sign('c');
  });
  expect(await stored()).toBe('abc');
});

it('are seen by what comes behind them, and know when the unit of work began', async () => {
  const [before, moment, again] = await unit(async () => {
    await sign('a');
    const first = await seen();
    const at = await database.moment();
    await sign('b');
    return [first, at, [await seen(), await database.moment()]] as const;
  });
  expect([before, again]).toEqual(['a', ['ab', moment]]);
});

it('go with a unit of work that fails, and make one fail', async () => {
  const failing = unit(async () => {
    await sign('a');
    throw new Error('Not today.');
  });
  await expect(failing).rejects.toThrow('Not today.');
  const broken = unit(async () => {
    await sign('a');
    await database.later([{ text: 'SELECT 1 / 0' }]);
  });
  await expect(broken).rejects.toThrow('division by zero');
  expect(await stored()).toBe('');
});
