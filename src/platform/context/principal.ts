import type { Actor } from './actor';
import { type Access, type ActingUser, type Reach } from './access';
import { type Permission, type Rights, rightsOfPermissions, rightsOfRole } from './permission-table';

/** What a call takes of a token: all that reads takes `read`, all that changes something `write`. */
export type Scope = 'read' | 'write';

/** The scope of what is done within a permission, unless its route says another (`requirePermission`). */
export const scopeOf = (permission: Permission): Scope => (permission.endsWith('.read') ? 'read' : 'write');

/** Why something is not allowed: the token lacks the scope, or the role the permission. */
export type Lack = 'scope' | 'permission';

/** What somebody may do; where it comes from is nobody's business. */
export interface Permissions {
  allows(permission: Permission): boolean;
  /** What is missing for it; null when it is allowed. @param scope that of the token that it takes; what the permission's name says */
  lackOf(permission: Permission, scope?: Scope): Lack | null;
  /** Whether that is everything there is, and will be. */
  readonly isFull: boolean;
}

/** What somebody with limits sees of the records of others. */
export interface Sight {
  /** Those with the same key see by the same conditions, each of their own records. */
  readonly key: string;
  readonly reach: Reach;
  readonly userId: number;
  readonly teamIds: readonly number[];
  /** Their role reads everything: what they do not see is somebody's own, or no ticket of theirs. */
  readonly readsAll: boolean;
  /** By the role alone. */
  allows(permission: Permission): boolean;
}

/** Who is calling, however that was proved. */
export interface Principal {
  /** How: a bearer token, or a signed link that was sent to somebody without one. */
  kind: 'token' | 'link';
  /** As whom events and the audit log name them. */
  actor: Actor;
  /** The user of the workspace who is calling, or on whose behalf the token calls; null when there is none. */
  userId: number | null;
  user: Access['user'];
  /** Settings of the workspace; null where they were not read (links). */
  workspace: Access['workspace'] | null;
  permissions: Permissions;
  /** What the role of the user allows; null where no user acts, and scopes alone decide. */
  rights: Rights | null;
  /** Null when everything is seen: by tokens of no user, links, owners and admins. */
  sight: Sight | null;
}

/** Scope that lets a token without a user say on whose behalf it acts. */
export const IMPERSONATE = 'impersonate';

/**
 * The scopes of a token: `read` is every permission to read, `write` every other one, `*` is both. Any other names what alone the
 * token is good for: the first part of its permissions.
 */
export function scopePermissions(scopes: readonly string[]): Permissions {
  const isFull = scopes.includes('*');
  const has = { read: isFull || scopes.includes('read'), write: isFull || scopes.includes('write') };
  const lackOf = (permission: Permission, scope = scopeOf(permission)): Lack | null =>
    has[scope] || scopes.includes(permission.split('.', 1)[0] ?? '') ? null : 'scope';
  return { isFull, allows: (permission) => lackOf(permission) === null, lackOf };
}

const principals = new WeakMap<Access, Principal>();

/** The caller behind a bearer token; worked out once for each record of it. */
export function tokenPrincipal(access: Access): Principal {
  let principal = principals.get(access);
  if (!principal) principals.set(access, (principal = principalOf(access)));
  return principal;
}

/** The record of a token that says for one request on whose behalf it acts. */
export function onBehalfOf(access: Access, user: ActingUser): { access: Access; principal: Principal } {
  const record = { ...access, user };
  const principal = tokenPrincipal(record);
  const { id, name } = access.token;
  return {
    access: record,
    principal: { ...principal, actor: { ...principal.actor, via: { type: 'token', id, name } } },
  };
}

/** Who called once, for what is done on their behalf later: within the role that they have now, whatever the scopes of the token were. */
export function laterPrincipal(actor: Actor, user: ActingUser | null): Principal {
  return acting(actor, user, null, scopePermissions(['*']));
}

function principalOf({ token, user, workspace }: Access): Principal {
  const actor: Actor = user
    ? { type: 'user', id: user.id, name: user.name }
    : { type: 'token', id: token.id, name: token.name };
  return acting(actor, user, workspace, scopePermissions(token.scopes));
}

function acting(
  actor: Actor,
  user: ActingUser | null,
  workspace: Principal['workspace'],
  scopes: Permissions,
): Principal {
  const caller = { kind: 'token', actor, user, workspace } as const;
  if (!user) return { ...caller, userId: null, permissions: scopes, rights: null, sight: null };
  const rights = rightsOf(user);
  const permissions = withRights(scopes, rights);
  return { ...caller, userId: user.id, permissions, rights, sight: sightOf(user, rights) };
}

/** What the role of a user allows. */
export function rightsOf({ role, permissions }: Pick<ActingUser, 'role' | 'permissions'>): Rights {
  return permissions === null ? rightsOfRole(role) : rightsOfPermissions(permissions);
}

/** Somebody who came by a signed link, which opens nothing but what it is about. */
export function linkPrincipal(actor: Actor, permissions: readonly Permission[]): Principal {
  const allows = (permission: Permission): boolean => permissions.includes(permission);
  return {
    kind: 'link',
    actor,
    userId: null,
    user: null,
    workspace: null,
    permissions: { isFull: false, allows, lackOf: (permission) => (allows(permission) ? null : 'permission') },
    rights: null,
    sight: null,
  };
}

/** Scopes are the outer bound, the role the inner one. */
function withRights(scopes: Permissions, rights: Rights): Permissions {
  const lackOf = (permission: Permission, scope?: Scope): Lack | null =>
    scopes.lackOf(permission, scope) ?? (rights.has(permission) ? null : 'permission');
  return { isFull: false, allows: (permission) => lackOf(permission) === null, lackOf };
}

function sightOf({ id, ticket_scope: reach, team_ids }: ActingUser, rights: Rights): Sight | null {
  if (rights.readsAll && reach === 'all') return null;
  const allows = (permission: Permission): boolean => rights.has(permission);
  const { readsAll } = rights;
  return { key: `${reach} ${rights.key}`, reach, userId: id, teamIds: team_ids, readsAll, allows };
}
