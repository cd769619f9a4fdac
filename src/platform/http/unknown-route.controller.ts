import { All, Controller, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { fail, refuseMethod } from '../errors/api-error';
import { RouteTable } from './route-table';

/**
 * Everything below /v1 that no route serves. A controller rather than Fastify's not-found handler, so that the guards
 * run first: without a token an unknown path is a 401 like a known one, and with one it counts and carries the headers.
 */
@ApiExcludeController()
@Controller()
export class UnknownRouteController {
  constructor(private readonly routes: RouteTable) {}

  @All()
  root(@Req() request: FastifyRequest): never {
    return this.refuse(request);
  }

  @All('*')
  path(@Req() request: FastifyRequest): never {
    return this.refuse(request);
  }

  private refuse(request: FastifyRequest): never {
    const path = request.url.split('?', 1)[0] ?? '';
    const allowed = this.routes.methodsOf(path);
    if (allowed.length === 0) fail('not_found', 'There is no such path.');
    refuseMethod(allowed);
  }
}
