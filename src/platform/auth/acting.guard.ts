import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Access } from '../context/access';
import { refuse } from '../context/demand';
import { IMPERSONATE, onBehalfOf } from '../context/principal';
import { invalid } from '../errors/api-error';
import type {} from '../http/fastify-request';
import { AccessCache, type NamedUser } from './access-cache';
import { requirePermission } from './permission';

const HEADER = 'X-On-Behalf-Of';
const LONGEST = 320;

/**
 * Lets a token without a user act as one for this request: `X-On-Behalf-Of: <id or e-mail>`. Whether the token may is asked
 * with its scopes (`requireImpersonation`); who it is comes after the limits, so that nobody can try names out. From then on the
 * role of the user bounds what the request may do and sees.
 */
@Injectable()
export class ActingGuard implements CanActivate {
  constructor(private readonly cache: AccessCache) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const name = namedBy(request);
    const { access } = request.helpdesk;
    if (name === null || !access) return true;
    const user = this.cache.findUser(access.workspace.id, name);
    if (user instanceof Promise) return user.then((found) => this.act(context, request, access, found));
    return this.act(context, request, access, user);
  }

  private act(context: ExecutionContext, request: FastifyRequest, access: Access, found: NamedUser | null): boolean {
    if (!found) invalid(HEADER, 'not_found', `"${HEADER}" names a user that does not exist.`);
    if (!found.user)
      invalid(HEADER, 'inactive', `"${HEADER}" names a user that is ${found.status}; only active users can act.`);
    const { helpdesk } = request;
    const acting = onBehalfOf(access, found.user);
    helpdesk.access = acting.access;
    helpdesk.principal = acting.principal;
    helpdesk.actor = acting.principal.actor;
    requirePermission(context, acting.principal);
    return true;
  }
}

/** Refuses (403) a token that says on whose behalf it acts and may not. */
export function requireImpersonation(request: FastifyRequest): void {
  const { access } = request.helpdesk;
  if (!access || namedBy(request) === null) return;
  const { scopes, user_id } = access.token;
  const about = { field: HEADER, code: 'permission', permission: IMPERSONATE } as const;
  if (user_id !== null) refuse(`This token belongs to a user and acts as nobody else; leave "${HEADER}" out.`, about);
  if (!scopes.includes('*') && !scopes.includes(IMPERSONATE))
    refuse(`"${HEADER}" needs a token with the permission "${IMPERSONATE}".`, about);
}

/** On whose behalf a request is, as it says; null when it does not. */
export function namedBy({ headers }: FastifyRequest): string | null {
  const name = headers['x-on-behalf-of'];
  if (name === undefined) return null;
  return String(name).trim().slice(0, LONGEST).toLowerCase();
}
