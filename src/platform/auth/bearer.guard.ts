import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type {} from '../http/fastify-request';
import { fail } from '../errors/api-error';
import type { Access } from '../context/access';
import type { Context } from '../context/current';
import { tokenPrincipal } from '../context/principal';
import { Database } from '../database/database';
import { AccessCache } from './access-cache';
import { isPublic } from './public.decorator';
import { TokenUse } from './token-use';

const BEARER = /^Bearer +([^\s,]+)$/i;

/** Knows the caller by the bearer token; everyone else gets the one 401 text, whatever was wrong. */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly cache: AccessCache,
    private readonly use: TokenUse,
    private readonly database: Database,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (isPublic(context)) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const token = presentedToken(request);
    const access = token === null ? null : this.cache.find(token);
    if (access instanceof Promise) return access.then((found) => this.admit(request, found));
    return this.admit(request, access);
  }

  private admit(request: FastifyRequest, access: Access | null): boolean | Promise<boolean> {
    if (!access) {
      fail('unauthorized', 'A valid bearer token is required.', { headers: { 'WWW-Authenticate': 'Bearer' } });
    }
    const { helpdesk } = request;
    helpdesk.access = access;
    helpdesk.workspaceId = access.workspace.id;
    helpdesk.principal = tokenPrincipal(access);
    helpdesk.actor = helpdesk.principal.actor;
    this.use.record(access.token.id);
    const ahead = this.database.sandboxes.aheadMs(access.workspace.id);
    return ahead === 0 || setAhead(helpdesk, ahead);
  }
}

/** Whoever works in a sandbox does so by its clock, which is asked for with each request. */
async function setAhead(context: Context, ahead: number | Promise<number>): Promise<true> {
  context.clockAheadMs = await ahead;
  return true;
}

/** The bearer token of a request; null without one. */
export function presentedToken(request: Pick<FastifyRequest, 'headers' | 'raw'>): string | null {
  const header = request.headers.authorization;
  if (header === undefined || isRepeated(request.raw.rawHeaders)) return null;
  return BEARER.exec(header)?.[1] ?? null;
}

/** Node keeps the first of several Authorization headers and a proxy may have judged another one. */
function isRepeated(rawHeaders: readonly string[]): boolean {
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 13 && name.toLowerCase() === 'authorization') seen++;
  }
  return seen > 1;
}
