import { Category } from '../../src/areas/categories/category.entity';
import { User } from '../../src/areas/users/user.entity';
import { Database } from '../../src/platform/database/database';
import { WorkspaceRepository } from '../../src/platform/database/workspace-repository';
import { useApp } from '../support/app';
import { make } from '../support/cast';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const SYSTEM = { type: 'system', id: null, name: 'system' } as const;
let database: Database;
let categories: WorkspaceRepository<Category>;
let [mine, foreign]: TestWorkspace[] = [];
let ids: { mine: number; foreign: number };

beforeAll(async () => {
  database = server.app.get(Database);
  categories = new WorkspaceRepository(database, Category);
  [mine, foreign] = [await makeWorkspace(server), await makeWorkspace(server)];
  const [own, other] = [await make(mine.api, '/categories'), await make(foreign.api, '/categories')];
  ids = { mine: own.id, foreign: other.id };
});

/** Runs in the first workspace. */
function inMine<T>(work: () => Promise<T>): Promise<T> {
  return database.inWorkspace(mine?.id ?? 0, SYSTEM, work);
}

/** Every way of asking, with a condition that the records of both workspaces meet. */
async function everything(): Promise<Record<string, unknown>> {
  const both = [{ id: ids.mine }, { id: ids.foreign }, { id: ids.foreign, workspace_id: foreign?.id ?? 0 }];
  return {
    all: (await categories.find({})).map(({ id }) => id),
    any: (await categories.find({ where: both })).map(({ id }) => id),
    by: (await categories.findBy(both)).map(({ id }) => id),
    one: (await categories.findOne({ where: { id: ids.foreign } }))?.id,
    oneBy: (await categories.findOneBy({ id: ids.foreign, workspace_id: foreign?.id ?? 0 }))?.id,
    count: await categories.countBy(both),
    exists: await categories.existsBy({ id: ids.foreign }),
  };
}

const onlyMine = (): object => ({
  all: [ids.mine],
  any: [ids.mine],
  by: [ids.mine],
  count: 1,
  exists: false,
});

it('reads rows of the current workspace alone', async () => {
  expect(await inMine(everything)).toEqual(onlyMine());
});

it('says so in every statement, even where row-level security does not hold', async () => {
  const found = await inMine(() =>
    database.transaction(async () => {
      await database.query('SET LOCAL ROLE helpdesk_system');
      return everything();
    }),
  );
  expect(found).toEqual(onlyMine());
});

it('is confined by row-level security besides', async () => {
  const found = await inMine(() =>
    database.transaction(async () => {
      await database.query(`SELECT set_config('app.workspace_id', $1, true)`, [foreign?.id]);
      return [await categories.find({}), await categories.countBy({ id: ids.mine })];
    }),
  );
  expect(found).toEqual([[], 0]);
});

it('joins the open unit of work, and holds what it locks', async () => {
  await inMine(() =>
    database.transaction(async () => {
      await database.query(`UPDATE categories SET description = 'held' WHERE id = $1`, [ids.mine]);
      const lock = { mode: 'pessimistic_write' } as const;
      const own = await categories.findOne({ select: { description: true }, where: { id: ids.mine }, lock });
      expect(own).toEqual({ description: 'held' });
      const free = `SELECT id FROM categories WHERE workspace_id = $1 AND id = $2 FOR UPDATE SKIP LOCKED`;
      const beside = await database.system(() => database.query(free, [mine?.id, ids.mine]));
      expect(beside).toEqual([]);
    }),
  );
});

it('answers rows as answers do: the selected columns, moments in ISO 8601, ids as numbers', async () => {
  const api = mine?.api;
  const team = api && (await make(api, '/teams'));
  const user = api && (await make(api, '/users', { email: 'row@people.example', team_ids: [team?.id] }));
  const select = { id: true, name: true, team_ids: true, created_at: true } as const;
  const found = await inMine(() =>
    new WorkspaceRepository(database, User).findOne({ select, where: { id: user?.id ?? 0 } }),
  );
  expect(found).toEqual({ id: user?.id, name: user?.name, team_ids: [team?.id], created_at: user?.created_at });
});
