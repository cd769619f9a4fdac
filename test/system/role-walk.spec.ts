import {
  BUILT_IN_ROLES,
  declaredPermissions,
  rightsOfPermissions,
  rightsOfRole,
  type Rights,
} from '../../src/platform/context/permission-table';
import type { Answer, Api } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { allOperations, fillPath, type Operation, requiredSample } from '../support/operations';
import { makePerson, type Person } from '../support/people';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let home: TestWorkspace;
let operations: Operation[];

beforeAll(async () => {
  home = await makeWorkspace(server);
  operations = (await allOperations()).filter(({ open, uploads }) => !open && !uploads);
});

/** Names nothing of this workspace. */
const FOREIGN = 900_000_000_000;

function call(api: Api, { method, path, slots, body }: Operation, id: number): Promise<Answer> {
  const ids = slots.map((_, index) => (index === 0 ? id : FOREIGN));
  const url = fillPath(path, ids);
  return api.send(method, url, body ? { body: requiredSample(body) } : {});
}

interface Denied {
  permission?: string;
  code?: string;
}

/** What is wrong with an answer, given what the role may; null when nothing is. */
function surprise({ permission, path, slots }: Operation, answer: Answer, rights: Rights): string | null {
  const may = rights.has(permission ?? 'no.permission');
  const [denied] = answer.status === 403 ? (answer.error.details as unknown as Denied[]) : [];
  if (answer.status >= 500 || answer.status === 401) return 'failed';
  if (!may) return denied?.code === 'permission' && denied.permission === permission ? null : 'allowed';
  // What is asked for besides the permission of the route is lacking indeed.
  if (denied) return rights.has((denied.permission ?? 'me.read') as 'me.read') ? 'refused' : null;
  const isForeign = slots.length > 0 && answer.status < 300 && !path.startsWith('/events');
  return isForeign ? 'found' : null;
}

async function walk({ api }: Person, rights: Rights, walked: readonly Operation[]): Promise<string[]> {
  const surprises: string[] = [];
  for (const operation of walked) {
    const answer = await call(api, operation, FOREIGN);
    const found = surprise(operation, answer, rights);
    if (found !== null) surprises.push(`${operation.method} ${operation.path}: ${found}, ${answer.status}`);
  }
  return surprises;
}

/** Of every second permission an operation that takes it; in each turn the other half, and another operation. */
function someOfEach(turn: number): Operation[] {
  const permissions = [...new Set(operations.map(({ permission }) => permission))];
  return permissions.flatMap((permission, index) => {
    if (index % 2 !== turn % 2) return [];
    const group = operations.filter((operation) => operation.permission === permission);
    return group.slice(turn % group.length).slice(0, 1);
  });
}

// What a role may is a table; that each operation asks for its permission is tried with the halves of all permissions below.
it.each(BUILT_IN_ROLES.map((role, turn) => [role, turn] as const))(
  'what takes a permission does for %s what the table says, and finds nothing foreign',
  async (role, turn) => {
    const person = await makePerson(server, await makeWorkspace(server), { role });
    expect(await walk(person, rightsOfRole(role), someOfEach(turn))).toEqual([]);
  },
);

it.each([0, 1])('every operation does for a custom role what it names: half of the permissions (%i)', async (half) => {
  const permissions = declaredPermissions().flatMap(({ name }, index) => (index % 2 === half ? [name] : []));
  const place = await makeWorkspace(server);
  const role = await make(place.api, '/roles', { permissions });
  const person = await makePerson(server, place, { role_id: role.id });
  expect(await walk(person, rightsOfPermissions(permissions), operations)).toEqual([]);
});

it('every operation on a ticket finds what its caller sees, and nothing else', async () => {
  const own = await makePerson(server, home, { role: 'admin', ticket_scope: 'assigned' });
  const surprises: string[] = [];
  for (const operation of operations.filter(({ path }) => /^\/tickets\/\{id\}/.test(path))) {
    const [mine, theirs] = [await makeTicket(home.api, { assigned_to: own.id }), await makeTicket(home.api)];
    const isRecord = operation.slots.length === 1;
    const seen = await call(own.api, operation, mine.id);
    const hidden = await call(own.api, operation, theirs.id);
    const name = `${operation.method} ${operation.path}`;
    if (isRecord && seen.status === 404) surprises.push(`${name}: own is not found`);
    // A body that is not right is refused before anybody looks for the ticket.
    if (hidden.status !== 404 && !(hidden.status === 422 && seen.status === 422))
      surprises.push(`${name}: foreign answers ${hidden.status}`);
  }
  expect(surprises).toEqual([]);
});
