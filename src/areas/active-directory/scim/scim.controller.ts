import { All, applyDecorators, Controller, Delete, Get, Param, Patch, Post, Put, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Needs } from '../../../platform/auth/permission';
import { fail } from '../../../platform/errors/api-error';
import type { FileResult } from '../../../platform/http/results';
import { resourceType, resourceTypes, schema, schemas, serviceProviderConfig } from './protocol/discovery';
import { scimErrorAnswer } from './protocol/fault';
import { listAnswer } from './protocol/list-answer';
import { GROUPS, type ResourceType, USERS } from './protocol/schema';
import { bodyOf, questionOf, versionsOf } from './scim-request';
import { SCIM_PATH, ScimService } from './scim.service';

/** A route of the protocol: bodies, parameters and errors are its own; the tokens of connections open it. */
const Scim = (route: MethodDecorator): MethodDecorator =>
  applyDecorators(route, Needs('scim.provision'), RouteConfig({ takesBytes: true, answersErrors: scimErrorAnswer }));

/** SCIM 2.0 (RFC 7644). Not in the OpenAPI document: it describes itself. */
@ApiExcludeController()
@Controller(SCIM_PATH)
export class ScimController {
  constructor(private readonly scim: ScimService) {}

  @Scim(Get('ServiceProviderConfig'))
  config(): Promise<FileResult> {
    return this.scim.document(serviceProviderConfig);
  }

  @Scim(Get('ResourceTypes'))
  types(): Promise<FileResult> {
    return this.scim.document((base) => listAnswer(resourceTypes(base), resourceTypes(base).length));
  }

  @Scim(Get('ResourceTypes/:name'))
  type(@Param('name') name: string): Promise<FileResult> {
    return this.scim.document((base) => resourceType(base, name));
  }

  @Scim(Get('Schemas'))
  schemas(): Promise<FileResult> {
    return this.scim.document((base) => listAnswer(schemas(base), schemas(base).length));
  }

  @Scim(Get('Schemas/:id'))
  schema(@Param('id') id: string): Promise<FileResult> {
    return this.scim.document((base) => schema(base, id));
  }

  @Scim(Get(':endpoint'))
  list(@Param('endpoint') endpoint: string, @Req() request: FastifyRequest): Promise<FileResult> {
    return this.scim.list(typeOf(endpoint), questionOf(request.query));
  }

  @Scim(Post(':endpoint'))
  create(@Param('endpoint') endpoint: string, @Req() request: FastifyRequest): Promise<FileResult> {
    if (endpoint === 'Bulk') fail('not_implemented', 'Several operations in one request are not supported.');
    return this.scim.create(typeOf(endpoint), bodyOf(request), questionOf(request.query));
  }

  @Scim(Post(':endpoint/.search'))
  search(@Param('endpoint') endpoint: string, @Req() request: FastifyRequest): Promise<FileResult> {
    return this.scim.list(typeOf(endpoint), questionOf(bodyOf(request)));
  }

  @Scim(Get(':endpoint/:id'))
  read(
    @Param('endpoint') endpoint: string,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<FileResult> {
    return this.scim.read(typeOf(endpoint), id, questionOf(request.query));
  }

  @Scim(Put(':endpoint/:id'))
  replace(
    @Param('endpoint') endpoint: string,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<FileResult> {
    return this.scim.replace(typeOf(endpoint), id, bodyOf(request), versionsOf(request), questionOf(request.query));
  }

  @Scim(Patch(':endpoint/:id'))
  patch(
    @Param('endpoint') endpoint: string,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<FileResult> {
    return this.scim.patch(typeOf(endpoint), id, bodyOf(request), versionsOf(request), questionOf(request.query));
  }

  @Scim(Delete(':endpoint/:id'))
  remove(
    @Param('endpoint') endpoint: string,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<FileResult> {
    return this.scim.remove(typeOf(endpoint), id, versionsOf(request));
  }

  @Scim(All(['', '*']))
  nothing(@Req() { url }: FastifyRequest): never {
    if (/\/Me(?:[/?]|$)/.test(url)) fail('not_implemented', 'A token is nobody: there is no /Me.');
    fail('not_found', 'There is no such path.');
  }
}

function typeOf(endpoint: string): ResourceType {
  if (endpoint === 'Users') return USERS;
  if (endpoint === 'Groups') return GROUPS;
  if (endpoint === 'Me') fail('not_implemented', 'A token is nobody: there is no /Me.');
  return fail('not_found', `There is no endpoint ${JSON.stringify(endpoint.slice(0, 100))}.`);
}
