import type { Actor } from './actor';
import type { Access } from './access';

/** What is done to what: `tickets.read`, `tickets.write`, `quotes.answer`. All that ends in `.read` changes nothing. */
export type Permission = `${string}.${string}`;

/** What somebody may do; where it comes from is nobody's business. */
export interface Permissions {
  allows(permission: Permission): boolean;
  /** Whether that is everything there is, and will be. */
  readonly isFull: boolean;
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
}

/** The scopes of a token: `read` is every permission to read, `write` every other one, `*` is both. */
export function scopePermissions(scopes: readonly string[]): Permissions {
  const isFull = scopes.includes('*');
  const reads = isFull || scopes.includes('read');
  const writes = isFull || scopes.includes('write');
  return { isFull, allows: (permission) => (permission.endsWith('.read') ? reads : writes) };
}

/** The caller behind a bearer token. */
export function tokenPrincipal(access: Access): Principal {
  const { token, user, workspace } = access;
  const actor: Actor = user
    ? { type: 'user', id: user.id, name: user.name }
    : { type: 'token', id: token.id, name: token.name };
  return {
    kind: 'token',
    actor,
    userId: token.user_id,
    user,
    workspace,
    permissions: scopePermissions(token.scopes),
  };
}

/** Somebody who came by a signed link, which opens nothing but what it is about. */
export function linkPrincipal(actor: Actor, permissions: readonly Permission[]): Principal {
  return {
    kind: 'link',
    actor,
    userId: null,
    user: null,
    workspace: null,
    permissions: { isFull: false, allows: (permission) => permissions.includes(permission) },
  };
}
