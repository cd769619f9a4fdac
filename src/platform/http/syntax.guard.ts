import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail, invalid, refuseMethod } from '../errors/api-error';
import './fastify-request';
import { shownName, textFault } from './json-body';
import { isPage } from './public-page';
import { checkParameters, joinLists } from './query-parameters';
import { RouteTable } from './route-table';
import { checkUndeclaredBody } from './undeclared-body';
import { UnknownRouteController } from './unknown-route.controller';
import { openUpload } from './upload/open-upload';
import { uploadRulesOf } from './upload/upload';

/**
 * Runs last of the guards: a request that cannot be read is refused after 401, 403 and 429 have had their turn, and
 * before an idempotency key is claimed.
 */
@Injectable()
export class SyntaxGuard implements CanActivate {
  constructor(private readonly routes: RouteTable) {}

  canActivate(context: ExecutionContext): boolean {
    if (context.getClass() === UnknownRouteController) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    this.checkMethod(request);
    if (request.bodyFailure) throw request.bodyFailure;
    const upload = uploadRulesOf(context.getHandler());
    if (!upload && !request.routeOptions.config.takesBytes) checkBody(context, request);
    const query = request.query as Record<string, string | undefined>;
    joinLists(context, query);
    checkQuery(request, query);
    // Links of pages come by mail, and mailing tools add parameters of their own; who sends bytes says what they mean.
    if (!isPage(request.url) && !request.routeOptions.config.takesBytes) checkParameters(context, query);
    // Last of all: a body of minutes is not listened to for a request that is refused anyway.
    if (upload) request.upload = openUpload(request, http.getResponse<FastifyReply>(), upload);
    return true;
  }

  /** `PATCH /tickets/batch` names no ticket called batch. */
  private checkMethod({ routeOptions, url, params }: FastifyRequest): void {
    const allowed = this.routes.methodsMeantBy(routeOptions.url ?? '', url, params as Record<string, string>);
    if (allowed) refuseMethod(allowed);
  }
}

function checkBody(context: ExecutionContext, { body, method, url }: FastifyRequest): void {
  if (body === undefined) {
    if (method === 'PATCH') invalid('body', 'required', 'A JSON body is required.');
  } else if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    invalid('body', 'type', 'The body must be a JSON object.');
  } else if (!isPage(url)) checkUndeclaredBody(context, body);
}

function checkQuery(request: FastifyRequest, query: Readonly<Record<string, string | undefined>>): void {
  for (const name in query) {
    const value = query[name];
    const fault = value === undefined ? null : (textFault(name) ?? textFault(value));
    if (fault) invalid(shownName(name), fault.code, fault.message);
  }
  const mark = request.raw.url?.indexOf('%') ?? -1;
  if (mark >= 0 && !isDecodable(request.raw.url ?? '')) {
    fail('validation_error', 'The query is not valid percent-encoded UTF-8.', {
      details: [{ field: 'query', code: 'format', message: 'The query is not valid percent-encoded UTF-8.' }],
    });
  }
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}
