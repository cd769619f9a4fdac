import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Permission } from '../context/permission-table';
import { linkPrincipal } from '../context/principal';
import { Database } from '../database/database';
import type {} from '../http/fastify-request';
import { type LinkTarget, PublicLinks } from '../secrets/public-links';
import { requirePermission } from './permission';
import { Public } from './public.decorator';

interface Page {
  name: string;
  permissions: readonly Permission[];
}

const pages = new WeakMap<object, Page>();
const targets = new WeakMap<FastifyRequest, LinkTarget>();

/**
 * Routes of a controller that are opened by a signed link in place of a token, as `:token` in their path.
 *
 * @param page the page that the link must be of
 * @param permissions what the link is good for; each route takes the one that it needs (`@Needs`)
 */
export function OpenedByLink(page: string, permissions: readonly Permission[]): ClassDecorator {
  const note: ClassDecorator = (controller) => void pages.set(controller, { name: page, permissions });
  return applyDecorators(Public(), note);
}

/** What the link of this request leads to: `@Link() target: LinkTarget`. */
export const Link = createParamDecorator((_data: unknown, context: ExecutionContext): LinkTarget | undefined =>
  targets.get(context.switchToHttp().getRequest<FastifyRequest>()),
);

/**
 * Knows the caller by a link, as the bearer guard does by a token, and lets the principal's permissions decide likewise. Comes after
 * the limits, so that nobody can try links out. 404 for a link that was altered, belongs to another page, or has ended.
 */
@Injectable()
export class LinkGuard implements CanActivate {
  constructor(
    private readonly links: PublicLinks,
    private readonly database: Database,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const page = pages.get(context.getClass());
    if (!page) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { token = '' } = request.params as { token?: string };
    const target = this.links.open(page.name, token);
    targets.set(request, target);
    const visitor = { type: 'requester', id: null, name: 'requester' } as const;
    request.helpdesk.principal = linkPrincipal(visitor, page.permissions);
    requirePermission(context, request.helpdesk.principal);
    const ahead = this.database.sandboxes.aheadMs(target.workspaceId);
    return ahead === 0 || this.refuseEnded(target, ahead);
  }

  /** Links into a sandbox end by its clock. */
  private async refuseEnded(target: LinkTarget, ahead: number | Promise<number>): Promise<true> {
    this.links.refuseEnded(target, Date.now() + (await ahead));
    return true;
  }
}
