import { fail } from '../errors/api-error';
import { current, currentOrNone } from './current';
import type { Permission } from './permission-table';
import { type Principal, type Scope, scopeOf, type Sight } from './principal';

/** Refuses (403) a caller who may not; jobs may everything. For what a route's own permission does not settle. */
export function demand(permission: Permission): void {
  const { principal } = current();
  if (principal) requireOf(principal, permission);
}

/** Whether the caller may; jobs may everything. */
export function may(permission: Permission): boolean {
  return current().principal?.permissions.allows(permission) ?? true;
}

/**
 * What callers may do is decided here and by their permissions alone, whatever those come from (scopes of a token, a role, a link).
 *
 * @param scope of the token, where it is another one than the permission's name says
 * @throws ApiError 403
 */
export function requireOf(
  { kind, user, permissions }: Principal,
  permission: Permission,
  scope: Scope = scopeOf(permission),
): void {
  const lack = permissions.lackOf(permission, scope);
  if (lack === null) return;
  if (lack === 'scope')
    refuse(`This call needs a token with the scope "${scope}".`, { field: 'Authorization', code: lack, scope });
  if (kind === 'link') refuse('This link does not allow that.', { field: 'token', code: lack, permission });
  const role = user?.role_name ?? user?.role ?? '';
  const message = `This call needs the permission "${permission}", which the role "${role}" does not have.`;
  refuse(message, { field: 'role', code: lack, permission });
}

/** The 403 of somebody who may not. */
export function refuse(
  message: string,
  detail: { field: string; code: 'scope' | 'permission'; [more: string]: string },
): never {
  fail('insufficient_scope', message, { details: [{ ...detail, message }] });
}

/** The limits of what the caller sees; null when there are none, and in jobs. */
export function currentSight(): Sight | null {
  return currentOrNone()?.principal?.sight ?? null;
}

/**
 * Refuses (403) callers who see only some tickets, whatever their role says: what they ask for is about all of them.
 *
 * @param message why, and who may
 */
export function demandWholeSight(message: string): void {
  if ((currentSight()?.reach ?? 'all') === 'all') return;
  refuse(message, { field: 'ticket_scope', code: 'permission' });
}
