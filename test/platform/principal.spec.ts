import type { Access } from '../../src/platform/context/access';
import { linkPrincipal, scopePermissions, tokenPrincipal } from '../../src/platform/context/principal';

describe('scopes', () => {
  it.each([
    [['read'], true, false, false],
    [['write'], false, true, false],
    [['read', 'write'], true, true, false],
    [['*'], true, true, true],
    [[], false, false, false],
  ])('%j give permissions: to read %j, to do anything else %j, all of them %j', (scopes, reads, writes, isFull) => {
    const permissions = scopePermissions(scopes);
    expect(permissions.allows('tickets.read')).toBe(reads);
    expect([permissions.allows('tickets.write'), permissions.allows('assets.checkout')]).toEqual([writes, writes]);
    expect(permissions.isFull).toBe(isFull);
  });
});

describe('a principal', () => {
  const token = { id: 7, name: 'CI', scopes: ['read'], user_id: 3 } as unknown as Access['token'];
  const workspace = { id: 1, timezone: 'UTC' } as Access['workspace'];

  it('of a token acts as its user, else as itself', () => {
    const user = {
      ...{ id: 3, name: 'Ada', email: 'ada@example.com', role: 'agent', role_id: null, role_name: null },
      ...{ permissions: null, ticket_scope: 'all', team_ids: [] },
    };
    const access = { token, workspace, user } as unknown as Access;
    expect(tokenPrincipal(access)).toMatchObject({
      kind: 'token',
      userId: 3,
      workspace,
      actor: { type: 'user', id: 3, name: 'Ada' },
    });
    expect(tokenPrincipal({ ...access, user: null }).actor).toEqual({ type: 'token', id: 7, name: 'CI' });
  });

  it('of a link may do what the link is for, and nothing else', () => {
    const actor = { type: 'requester', id: null, name: 'customer' } as const;
    const { kind, permissions, userId } = linkPrincipal(actor, ['quotes.answer']);
    expect([kind, userId, permissions.isFull]).toEqual(['link', null, false]);
    expect([permissions.allows('quotes.answer'), permissions.allows('quotes.read')]).toEqual([true, false]);
  });
});
