import fc from 'fast-check';
import { settleAddresses } from '../../src/areas/active-directory/engine/addresses';
import { comparableName } from '../../src/areas/active-directory/engine/distinguished-name';
import { type Plan, STAGES } from '../../src/areas/active-directory/engine/plan';
import type { Rules } from '../../src/areas/active-directory/engine/objects';
import { planRun } from '../../src/areas/active-directory/engine/plan-run';
import { carriedOut, group, nothingKnown, person, snapshot, type World } from '../support/directory-world';

const RULES: Rules = {
  mappings: [{ group: 'staff', role: 'agent', role_id: null, team_ids: [7], include_nested: true, priority: 0 }],
  users_without_mapping: 'skip',
  deprovision: 'deactivate',
  preserve_manual_roles: true,
  safety: { max_deactivations_pct: 10, max_deactivations_abs: 50 },
};
const LAX: Rules = { ...RULES, safety: { max_deactivations_pct: 100, max_deactivations_abs: 1_000 } };

const staff = (...members: string[]) => group('staff', members);
const actions = ({ changes }: Plan): string[] =>
  changes.filter(({ object }) => object === 'user').map(({ guid, action }) => `${guid} ${action}`);

/** Plans and carries out. */
function run(world: World, read: Parameters<typeof snapshot>[0], rules = LAX): { world: World; plan: Plan } {
  const plan = planRun(snapshot(read), world, rules);
  return { world: carriedOut(world, plan), plan };
}

const userOf = (world: World, guid: string) =>
  world.users.find(({ id }) => id === world.people.find((each) => each.guid === guid)?.user_id);

describe('a plan', () => {
  it('makes users of mapped people alone, links who is there by the address, and is empty once carried out', () => {
    const world = nothingKnown([{ id: 1, email: 'B@x.example', role: 'supervisor' }]);
    const read = { people: [person('a'), person('b'), person('c')], groups: [staff('a', 'b')] };
    const first = run(world, read);
    expect(actions(first.plan).sort()).toEqual(['a create', 'b link', 'c none']);
    expect(userOf(first.world, 'a')).toMatchObject({ role: 'agent', team_ids: [7], email: 'a@x.example' });
    // The role was given here.
    expect(userOf(first.world, 'b')).toMatchObject({ id: 1, role: 'supervisor', name: 'Person b' });
    expect(run(first.world, read).plan.changes).toEqual([]);
  });

  it('finds members of groups of groups, in circles, too', () => {
    const groups = [staff('inner'), group('inner', ['deep']), group('deep', ['staff', 'a'])];
    expect(actions(run(nothingKnown(), { people: [person('a')], groups }).plan)).toEqual(['a create']);
  });

  it('takes a move and a new name for what they are', () => {
    const before = run(nothingKnown(), {
      people: [person('a', { distinguished_name: 'CN=A,OU=One,DC=x' })],
      groups: [staff('a')],
    });
    const moved = person('a', { distinguished_name: 'CN=A B,OU=Two,DC=x', email: 'new@x.example' });
    const { plan, world } = run(before.world, { people: [moved], groups: [staff('CN=a b, ou=two, dc=X')] });
    expect(actions(plan)).toEqual(['a update']);
    expect(userOf(world, 'a')?.email).toBe('new@x.example');
    expect(world.users).toHaveLength(1);
  });

  it('lets nobody go who is missing once, and everybody who is missing twice', () => {
    const people = Array.from({ length: 10 }, (_, index) => person(`p${index}`));
    const whole = { people, groups: [staff(...people.map(({ guid }) => guid))] };
    const cut = { ...whole, people: people.slice(2) };
    const known = run(nothingKnown(), whole).world;
    const once = run(known, cut, RULES);
    expect(once.plan).toMatchObject({ deactivations: 0, approval: null });
    expect(actions(once.plan)).toEqual(['p0 none', 'p1 none']);
    // Whoever comes back was never away.
    expect(run(once.world, whole).plan.deactivations).toBe(0);
    const twice = planRun(snapshot(cut), once.world, RULES);
    expect(twice).toMatchObject({ deactivations: 2, population: 10, approval: { code: 'safety' } });
    expect(twice.changes.every(({ stage }) => stage === STAGES.missing)).toBe(true);
    const back = run(carriedOut(once.world, twice), whole);
    expect(actions(back.plan)).toEqual(['p0 enable', 'p1 enable']);
  });

  it('misses nobody in a delta, and nobody where something could not be read', () => {
    const known = run(nothingKnown(), { people: [person('a'), person('b')], groups: [staff('a', 'b')] }).world;
    expect(run(known, { mode: 'delta' }).plan.changes).toEqual([]);
    const unreadable = [{ guid: 'b', name: 'b', message: 'broken' }];
    const { plan } = run(known, { people: [], groups: [], unreadable });
    expect(plan.changes.map(({ result, guid }) => [result, guid])).toEqual([['failure', 'b']]);
  });

  it('deactivates who is disabled, and brings nobody back whom somebody here deactivated', () => {
    const whole = { people: [person('a'), person('b')], groups: [staff('a', 'b')] };
    const known = run(nothingKnown(), whole).world;
    const off = { ...whole, people: [person('a', { enabled: false }), person('b')] };
    const after = run(known, off);
    expect(userOf(after.world, 'a')?.status).toBe('deactivated');
    const byHand = { ...after.world, users: after.world.users.map((user) => ({ ...user, status: 'deactivated' })) };
    const back = run(byHand, whole);
    expect(actions(back.plan)).toEqual(['a enable']);
    expect(run(back.world, whole).plan.changes).toEqual([]);
  });

  it('leaves the last owner, and what was changed here', () => {
    const world = nothingKnown([{ id: 1, email: 'a@x.example', role: 'owner' }]);
    const known = run(world, { people: [person('a'), person('b')], groups: [staff('a', 'b')] }).world;
    const edited = known.users.map((user) =>
      user.id === 1 ? { ...user, name: 'Boss' } : { ...user, role: 'admin', team_ids: [7, 9] },
    );
    const { plan, world: after } = run(
      { ...known, users: edited },
      { people: [person('a', { enabled: false }), person('b')], groups: [group('staff', [])] },
    );
    expect(plan.changes.filter(({ error }) => error?.code === 'last_owner')).toHaveLength(1);
    expect(after.users.map(({ name, status, role }) => [name, status, role])).toEqual([
      ['Boss', 'active', 'owner'],
      ['Person b', 'active', 'admin'],
    ]);
  });

  it('sets managers once both are there, and none in a circle', () => {
    const people = [
      person('a', { manager: 'b' }),
      person('b', { manager: 'c' }),
      person('c', { manager: 'd' }),
      person('d', { manager: 'c' }),
      person('e', { manager: 'zz' }),
    ];
    const { world } = run(nothingKnown(), { people, groups: [staff('a', 'b', 'c', 'd', 'e')] });
    const managerOf = (guid: string) => userOf(world, guid)?.manager_id ?? null;
    expect(['a', 'b', 'c', 'd', 'e'].map(managerOf)).toEqual([
      userOf(world, 'b')?.id,
      userOf(world, 'c')?.id,
      null,
      null,
      null,
    ]);
  });

  it('gives the user of somebody who is gone to whoever comes with the address', () => {
    const known = run(nothingKnown(), { people: [person('a')], groups: [staff('a')] }).world;
    const removed = run(known, { mode: 'delta', removed: ['a'] }).world;
    expect(userOf(removed, 'a')?.status).toBe('deactivated');
    const { world, plan } = run(removed, {
      mode: 'delta',
      people: [person('n', { email: 'a@x.example' })],
      groups: [staff('n')],
    });
    expect(actions(plan)).toEqual(['n link']);
    expect(world.users).toHaveLength(1);
    expect(userOf(world, 'n')?.status).toBe('active');
  });

  it('leaves who was gone and is back their user, whoever else comes with the address at once', () => {
    const known = run(nothingKnown(), { people: [person('a')], groups: [staff('a')] }).world;
    const removed = run(known, { mode: 'delta', removed: ['a'] }).world;
    const moved = person('a', { email: 'moved@x.example' });
    const others = ['n', 'm'].map((guid) => person(guid, { email: 'a@x.example' }));
    const read = { people: [...others, moved], groups: [staff('a', 'n', 'm')] };
    const { world, plan } = run(removed, read);
    expect(actions(plan).sort()).toEqual(['a enable', 'm none', 'n create']);
    expect(userOf(world, 'a')).toMatchObject({ id: known.users[0]?.id, email: 'moved@x.example', status: 'active' });
    expect(world.users.map(({ email }) => email).sort()).toEqual(['a@x.example', 'moved@x.example']);
    // Without another address of theirs it stays taken.
    const stays = run(removed, { ...read, people: [...others, person('a')] });
    expect(actions(stays.plan).sort()).toEqual(['a enable', 'm none', 'n none']);
    expect(stays.world.users).toHaveLength(1);
  });

  it('leaves who was gone and is back their contact, too', () => {
    const contact = { id: 5, email: 'a@x.example', name: 'Person a', phone: null, mobile: null, job_title: null };
    const contacts = [{ ...contact, status: 'active', is_erased: false, is_held: false }];
    const known = {
      ...person('a'),
      ...({
        id: 1,
        user_id: null,
        link_status: 'linked',
        sync_status: 'deleted_in_source',
        mapped_role: null,
      } as const),
      ...{ missing_runs: 0, applied: null, contact_id: 5, contact_applied: { email: 'a@x.example' } },
    };
    const read = { people: [person('n', { email: 'a@x.example' }), person('a', { email: 'moved@x.example' })] };
    const rules: Rules = { ...LAX, users_without_mapping: 'contact' };
    const planned = planRun(snapshot(read), { ...nothingKnown(), people: [known], contacts }, rules);
    expect(planned.changes.map(({ guid, action, contact: said }) => [guid, action, said?.email])).toEqual([
      ['a', 'update', 'moved@x.example'],
      ['n', 'create', 'a@x.example'],
    ]);
  });

  it('is not made of what belongs to others: a conflict touches nobody', () => {
    const world = nothingKnown([{ id: 1, email: 'a@x.example', role: 'agent', directory_user_id: 99 }]);
    const { world: after } = run(world, { people: [person('a')], groups: [staff('a')] });
    expect(after.users).toEqual(world.users);
    expect(after.people[0]).toMatchObject({ link_status: 'conflict', user_id: null });
  });
});

describe('any directory', () => {
  const guids = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const someone = fc.record({
    guid: guids,
    enabled: fc.boolean(),
    email: fc.constantFrom('p', 'q', 'r', 's', null),
    manager: fc.option(guids),
  });
  const reading = fc.record({
    people: fc.uniqueArray(someone, { selector: ({ guid }) => guid, maxLength: 5 }),
    groups: fc.record({
      staff: fc.array(fc.constantFrom('a', 'b', 'c', 'inner')),
      inner: fc.array(fc.constantFrom('d', 'e', 'staff')),
    }),
    mode: fc.constantFrom('full' as const, 'delta' as const),
    removed: fc.uniqueArray(guids, { maxLength: 1 }),
  });

  it('is carried out step by step with every address once, leaves an owner and the roles given here, and then nothing to do', () => {
    fc.assert(
      fc.property(fc.array(reading, { minLength: 1, maxLength: 4 }), (readings) => {
        let world = nothingKnown([
          { id: 1, email: 'p@x.example', role: 'owner' },
          { id: 2, email: 'q@x.example', role: 'supervisor' },
        ]);
        for (const { people, groups, mode, removed } of readings) {
          const all = people.map(({ guid, email, ...rest }) =>
            person(guid, { ...rest, email: email === null ? null : `${email}@x.example` }),
          );
          const read = {
            people: all,
            groups: [group('staff', groups.staff), group('inner', groups.inner)],
            mode,
            removed,
          };
          // The order of what was read makes no difference to what comes of it, and planning changes nothing.
          const frozen = JSON.stringify(world);
          const plan = planRun(snapshot(read), world, LAX);
          expect(JSON.stringify(world)).toBe(frozen);
          world = carriedOut(world, plan);
          expect(new Set(world.users.map(({ email }) => email)).size).toBe(world.users.length);
          expect(world.users.some(({ role, status }) => role === 'owner' && status === 'active')).toBe(true);
          expect(world.users.find(({ id }) => id === 2)?.role).toBe('supervisor');
          // Who is gone makes room for whoever comes with the address: that takes another run, and no third one.
          for (let more = 0; more < 2; more++)
            world = carriedOut(world, planRun(snapshot({ ...read, mode: 'delta' }), world, LAX));
          const again = planRun(snapshot({ ...read, mode: 'delta' }), world, LAX);
          expect(again.changes.filter(({ user, link }) => user ?? link)).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('settles addresses so that each is somebody’s only once at every moment', () => {
    const address = fc.constantFrom('1', '2', '3', '4', '5');
    const people = fc.uniqueArray(fc.tuple(address, address), { selector: ([from]) => from, maxLength: 5 });
    fc.assert(
      fc.property(people, fc.uniqueArray(address, { maxLength: 3 }), (moving, others) => {
        const claims = moving.map(([from, to]) => ({ guid: `g${from}`, from, to }));
        const now = new Map<string, string>(claims.map(({ guid, from }) => [guid, from]));
        const strangers = others.filter((each) => !moving.some(([from]) => from === each));
        const { order, refused, interim } = settleAddresses(claims, new Set([...now.values(), ...strangers]));
        for (const guid of interim) now.set(guid, `interim of ${guid}`);
        for (const guid of order) {
          now.set(guid, claims.find((claim) => claim.guid === guid)?.to ?? '');
          const all: string[] = [...now.values(), ...strangers];
          expect(new Set(all).size).toBe(all.length);
        }
        expect([...order, ...refused.keys()].sort()).toEqual(claims.map(({ guid }) => guid).sort());
      }),
    );
  });
});

describe('distinguished names', () => {
  it.each([
    ['CN=Doe\\, Jane,OU=Staff,DC=acme', 'cn=doe\\2C jane , ou = Staff;dc=ACME'],
    ['CN="Doe, Jane",DC=acme', 'CN=Doe\\, Jane,DC=acme'],
    ['CN=J\\C3\\BCrgen,DC=x', 'cn=JÜRGEN,dc=x'],
    ['OU=b+CN=a,DC=x', 'CN=a+OU=b,DC=x'],
    ['CN=a\\\\,DC=x', 'cn=A\\5C,dc=X'],
  ])('%s is %s', (one, other) => {
    expect(comparableName(one)).toBe(comparableName(other));
  });

  it('differ where they mean others, and take any text', () => {
    expect(comparableName('CN=a\\,DC=x')).not.toBe(comparableName('CN=a,DC=x'));
    fc.assert(fc.property(fc.string(), (text) => comparableName(comparableName(text)) === comparableName(text)));
  });
});
