import fc from 'fast-check';
import { planRun } from '../../src/areas/active-directory/engine/plan-run';
import type { PlannedChange } from '../../src/areas/active-directory/engine/plan';
import type { ImportObjects } from '../../src/areas/active-directory/push/import.dto';
import { merged, partOf } from '../../src/areas/active-directory/push/part';
import { comparisonOf } from '../../src/areas/active-directory/runs/comparison';
import { localOf, rulesOf } from '../../src/areas/active-directory/runs/known';
import { populationOf } from '../../src/areas/active-directory/runs/touched';
import type { DirectoryConnection } from '../../src/areas/active-directory/connections/connection.entity';
import { Database } from '../../src/platform/database/database';
import { make, makeUser } from '../support/cast';
import { pushed, runToItsEnd } from '../support/directory';
import { useScratchApp } from '../support/scratch-app';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

// Nobody at work but who is asked: each run is done by the test.
const { server } = useScratchApp();

const SYSTEM = { type: 'system', id: null, name: 'system' } as const;
const GUIDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const GROUPS = ['staff', 'inner', 'deep', 'other'];

interface Told {
  people: { guid: string; at: number; enabled: boolean; email: string | null; manager: string | null }[];
  groups: { guid: string; members: string[] }[];
  removed: string[];
  meanwhile: string;
}

/** Those that are named by their place stay there: what a group of a directory names moves with it. */
const PLACED = ['g', 'h'];
const dn = (guid: string, at: number): string => `CN=${guid}\\, X,OU=${PLACED.includes(guid) ? 0 : at},DC=acme`;
const guid = fc.constantFrom(...GUIDS);
const reference = fc.oneof(
  guid,
  fc.constantFrom(...GROUPS),
  fc.constantFrom(...PLACED).map((who) => dn(who, 0).replace('\\,', '\\2c').toLowerCase()),
);
const told: fc.Arbitrary<Told> = fc.record({
  people: fc.uniqueArray(
    fc.record({
      guid,
      at: fc.nat(1),
      enabled: fc.boolean(),
      email: fc.constantFrom('p', 'q', 'r', 's', 't', null),
      manager: fc.option(guid),
    }),
    { selector: (each) => each.guid, maxLength: 3 },
  ),
  groups: fc.uniqueArray(
    fc.record({ guid: fc.constantFrom(...GROUPS), members: fc.uniqueArray(reference, { maxLength: 5 }) }),
    {
      selector: (each) => each.guid,
      maxLength: 2,
    },
  ),
  removed: fc.uniqueArray(fc.oneof(guid, fc.constantFrom(...GROUPS)), { maxLength: 1 }),
  meanwhile: fc.constantFrom('nothing', 'nothing', 'deactivate', 'promote', 'unlink', 'ignore', 'address', 'map'),
});

function bodyOf({ people, groups, removed }: Told): ImportObjects {
  const gone = removed.filter((each) => ![...people, ...groups].some((object) => object.guid === each));
  const users = people.map(({ guid: id, at, enabled, email, manager }) =>
    pushed(id, { enabled, manager, email: email && `${email}@acme.example`, distinguished_name: dn(id, at) }),
  );
  // Half of the groups are found by their name.
  const all = groups.map(({ guid: id, members }) => ({
    ...{ object_guid: `${id}-id`, name: id, members },
    ...(id === 'inner' ? { distinguished_name: 'CN=inner,DC=acme' } : {}),
  }));
  return {
    mode: 'delta',
    users,
    groups: all,
    removed: gone.map((each) => (GROUPS.includes(each) ? `${each}-id` : each)),
  };
}

/** What somebody here does in between. */
async function meddle({ api }: TestWorkspace, connection: number, what: string, step: number): Promise<void> {
  const [person] = (await api.get('/active-directory/users?link_status=linked&sort=-display_name&per_page=1')).rows;
  if (what === 'map') {
    const group = (await api.get('/active-directory/groups?per_page=1')).rows[0];
    if (group) (await api.patch(`/active-directory/groups/${group.id}`, { mapped_role: 'light_agent' })).expect(200);
    const role_mappings = [{ group: step % 2 ? 'staff' : 'staff-id', role: 'supervisor' }];
    (await api.patch(`/active-directory/connections/${connection}`, { role_mappings })).expect(200);
  }
  if (!person) return;
  if (what === 'unlink' || what === 'ignore')
    (await api.post(`/active-directory/users/${person.id}/${what}`)).expect(200);
  if (what === 'promote') (await api.patch(`/users/${String(person.user_id)}`, { role: 'admin' })).expect(200);
  if (what === 'address')
    (await api.patch(`/users/${String(person.user_id)}`, { email: `x${step}@acme.example` })).expect(200);
  if (what === 'deactivate')
    (await api.patch(`/users/${String(person.user_id)}`, { status: 'deactivated' })).expect(200);
}

/** What a run would change that looks at what it touches, and one that looks at everything. */
async function bothPlans(
  workspace: TestWorkspace,
  id: number,
  body: ImportObjects,
): Promise<{ some: PlannedChange[]; all: PlannedChange[]; isSome: boolean; same: boolean }> {
  const database = server.app.get(Database);
  return database.inWorkspace(workspace.id, SYSTEM, () =>
    database.transaction(async () => {
      const [connection] = await database.query<DirectoryConnection>(
        'SELECT * FROM directory_connections WHERE workspace_id = $1 AND id = $2',
        [workspace.id, id],
      );
      if (!connection) throw new Error('The connection is gone.');
      const snapshot = { ...merged([partOf(body)]), mode: 'delta' as const, unreadable: [] };
      const rules = await rulesOf(database, connection);
      const { local } = await comparisonOf(database, connection, Number.MAX_SAFE_INTEGER, snapshot, rules);
      const population = await populationOf(database, connection);
      const some = planRun(snapshot, local.referenced ? { ...local, population } : local, rules);
      const all = planRun(snapshot, await localOf(database, connection), rules);
      const same = some.population === all.population && JSON.stringify(some.approval) === JSON.stringify(all.approval);
      return { some: some.changes, all: all.changes, isSome: local.referenced !== undefined, same };
    }),
  );
}

/** Whether nothing but the manager changes. */
function isOfManager(after: unknown): boolean {
  const { manager: _, user = {}, ...others } = (after ?? {}) as Record<string, unknown>;
  const { manager_id: __, ...more } = user as Record<string, unknown>;
  return Object.keys({ ...others, ...more }).length === 0;
}

it('changes the same where only what it touches is looked at, and in the end everything is as one full run would have it', async () => {
  let looked = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(told, { minLength: 3, maxLength: 6 }), async (steps) => {
      const workspace = await makeWorkspace(server);
      const { api } = workspace;
      const team = await make(api, '/teams');
      await makeUser(api, { email: 'p@acme.example', role: 'supervisor' });
      const { id } = (
        await api.post('/active-directory/connections', {
          ...{ type: 'json', name: 'Acme', safety: { max_deactivations_pct: 100, max_deactivations_abs: 1_000 } },
          role_mappings: [
            { group: 'staff', role: 'agent', team_ids: [team.id] },
            { group: 'CN=INNER, DC=acme', role: 'light_agent', include_nested: false },
          ],
        })
      ).expect(201).data;
      const people = new Map<string, object>();
      const groups = new Map<string, { members: readonly string[] }>();
      for (const [step, each] of steps.entries()) {
        const body = bodyOf(each);
        const { some, all, isSome, same } = await bothPlans(workspace, id, body);
        expect(some).toEqual(all);
        expect(same).toBe(true);
        if (isSome) looked++;
        const run = (await api.post('/active-directory/import', body)).expect(200).data;
        await runToItsEnd(server, workspace, run.id);
        for (const user of body.users ?? []) people.set(user.object_guid, user);
        for (const group of body.groups ?? [])
          groups.set(group.object_guid, Object.assign({}, group, { members: group.members ?? [] }));
        for (const gone of body.removed ?? []) if (!people.delete(gone)) groups.delete(gone);
        await meddle(workspace, id, each.meanwhile, step);
        // What somebody did here is for the next changes, or for a comparison of everybody.
        const isLast = step === steps.length - 1;
        if (isLast || step % 2 === 1)
          await runToItsEnd(server, workspace, (await api.post('/active-directory/sync', {})).expect(200).data.id);
      }
      const whole = { mode: 'full', users: [...people.values()], groups: [...groups.values()] };
      const last = (await api.post('/active-directory/import', whole)).expect(200).data;
      await runToItsEnd(server, workspace, last.id);
      const changes = (await api.get(`/active-directory/sync/runs/${last.id}/changes?object=user&per_page=100`)).rows;
      // A manager who was not known when somebody came is found when all of them come.
      const made = changes.filter(({ action, after }) => action !== 'none' && !isOfManager(after));
      expect(made).toEqual([]);
    }),
    { numRuns: 12, endOnFailure: true },
  );
  expect(looked).toBeGreaterThan(0);
});
