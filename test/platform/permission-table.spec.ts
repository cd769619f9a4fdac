import {
  BUILT_IN_ROLES,
  declaredPermissions,
  installPermissions,
  rightsOfPermissions,
  rightsOfRole,
  usualPermission,
  usualPermissions,
} from '../../src/platform/context/permission-table';
import { allOperations } from '../support/operations';

describe('the permission that a route usually takes', () => {
  it.each([
    ['GET', '/v1/tickets', 'tickets.read'],
    ['HEAD', '/v1/tickets/:id', 'tickets.read'],
    ['POST', '/v1/tickets', 'tickets.create'],
    ['POST', '/v1/kb/articles', 'kb.create'],
    ['POST', '/v1/tickets/:id/merge', 'tickets.update'],
    ['PATCH', '/v1/tickets/{id}', 'tickets.update'],
    ['DELETE', '/v1/kb/articles/{id}', 'kb.delete'],
    ['DELETE', '/v1/tickets/:id/comments/:cid', 'tickets.update'],
    ['GET', '/v1/audit-logs', 'audit-logs.read'],
    ['POST', '/p/quotes/:token/accept', 'quotes.update'],
    ['GET', '/v1/*', 'me.read'],
    ['POST', '/*path', 'me.create'],
  ])('%s %s: %s', (method, path, permission) => {
    expect(usualPermission(method, path)).toBe(permission);
  });
});

describe('the table of permissions', () => {
  it('names what every operation takes', async () => {
    const operations = (await allOperations()).filter(({ open }) => !open);
    const names = new Set<string>(declaredPermissions().map(({ name }) => name));
    const forgotten = operations.filter(({ permission }) => !names.has(permission ?? ''));
    expect(forgotten.map(({ method, path, permission }) => `${method} ${path} ${permission ?? ''}`)).toEqual([]);
  });

  it('lets each role do all that the next one may', () => {
    for (const [index, role] of BUILT_IN_ROLES.entries()) {
      const lesser = BUILT_IN_ROLES[index + 1];
      if (lesser === undefined) continue;
      const [own, next] = [rightsOfRole(role), rightsOfRole(lesser)];
      expect(declaredPermissions().filter(({ name }) => next.has(name) && !own.has(name))).toEqual([]);
    }
  });

  it('refuses a name that is none, and one that is there twice', () => {
    const before = declaredPermissions();
    const twice = usualPermissions('a', 'things', { read: 'agent', create: 'agent', update: 'agent', delete: 'agent' });
    expect(() => installPermissions([...twice, ...twice])).toThrow('"a.read" is declared twice');
    expect(() => installPermissions([{ name: 'A.read', description: '', from: 'agent' }])).toThrow('no permission');
    expect(declaredPermissions()).toBe(before);
  });
});

it('a custom role allows what it names, what everybody may, and nothing else', () => {
  const rights = rightsOfPermissions(['tickets.read']);
  expect(['tickets.read', 'me.read', 'search.read', 'users.self'].every((name) => rights.has(name as 'me.read'))).toBe(
    true,
  );
  expect(['tickets.update', 'vehicles.read', 'no.such'].some((name) => rights.has(name as 'me.read'))).toBe(false);
  expect(rightsOfRole('admin').has('forgotten.read')).toBe(true);
  expect(rightsOfRole('agent').has('forgotten.read')).toBe(false);
});
