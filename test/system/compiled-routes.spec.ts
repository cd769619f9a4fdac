import {
  Body,
  type CallHandler,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Injectable,
  Module,
  type NestInterceptor,
  Param,
  type PipeTransform,
  UseInterceptors,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IsString } from 'class-validator';
import { of, type Observable } from 'rxjs';
import { companyResource } from '../../src/areas/companies/company.resource';
import { CompiledRoutes } from '../../src/platform/http/compiled-routes';
import { SingleResult } from '../../src/platform/http/results';
import { Needs } from '../../src/platform/auth/permission';
import { ActionRoute, CreateRoute, DeleteRoute, ReadRoute, UpdateRoute } from '../../src/platform/routes/routes';
import { startApp, useApp } from '../support/app';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

/** Says in a header that it was there. */
@Injectable()
class Marking implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    void context.switchToHttp().getResponse<FastifyReply>().header('x-marked', 'yes');
    return next.handle();
  }
}

@Injectable()
class Refusing implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<FastifyRequest>().headers['x-refused'] === undefined;
  }
}

class Louder implements PipeTransform<string, Promise<string>> {
  transform(text: string): Promise<string> {
    return Promise.resolve(text.toUpperCase());
  }
}

class ProbeBody {
  @IsString()
  name = '';
}

const read = (path: string): MethodDecorator => ReadRoute(companyResource, { path });

@Controller('compiled')
class ProbeController {
  @read('plain/:name')
  @Needs('companies.read')
  plain(@Param('name', new Louder()) name: string): Promise<Observable<SingleResult>> {
    return Promise.resolve(of(new SingleResult(JSON.stringify({ name }), '"1"')));
  }

  @read('failing/:name')
  @Needs('companies.read')
  failing(): never {
    throw new TypeError('secret');
  }

  @CreateRoute(companyResource, { path: 'made' })
  @Needs('companies.write')
  make(@Body() body: ProbeBody): Record<string, unknown> {
    return { made: body instanceof ProbeBody, name: body.name };
  }

  @UpdateRoute(companyResource, { path: 'made' })
  @Needs('companies.write')
  change(@Body('name') name: string): Record<string, unknown> {
    return { name };
  }

  @DeleteRoute(companyResource, { path: 'made' })
  @Needs('companies.write')
  remove(): Record<string, unknown> {
    return { gone: true };
  }

  @ActionRoute(companyResource, 'acted', { summary: 'Act' })
  @Needs('companies.write')
  act(): Record<string, unknown> {
    return { acted: true };
  }

  @read('marked/:name')
  @Needs('companies.read')
  @UseInterceptors(Marking)
  marked(): SingleResult {
    return new SingleResult('{}', null);
  }
}

@Module({ controllers: [ProbeController] })
class Probes {}

@Module({ providers: [{ provide: APP_INTERCEPTOR, useClass: Marking }] })
class ForAll {}

@Module({ providers: [{ provide: APP_GUARD, useClass: Refusing }] })
class Guarded {}

const server = useApp({}, { modules: [Probes] });
let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

const compiled = (app = server): string[] => [...app.app.get(CompiledRoutes).routes];

it('lists and records are read, and records written, without what Nest puts around handlers; what has something of its own is not', () => {
  expect(compiled()).toEqual(
    expect.arrayContaining([
      'GET /v1/tickets',
      'POST /v1/tickets',
      'GET /v1/tickets/:id',
      'PATCH /v1/tickets/:id',
      'DELETE /v1/tickets/:id',
      'GET /v1/companies',
      'GET /v1/search',
      'GET /v1/stats',
      'GET /v1/compiled/plain/:name',
      'POST /v1/compiled/made',
      'DELETE /v1/compiled/made',
    ]),
  );
  for (const own of ['GET /v1/compiled/marked/:name', 'POST /v1/compiled/acted', 'PATCH /v1/compiled/made'])
    expect(compiled()).not.toContain(own);
});

it('bodies are validated, statuses are those of Nest, and a key has its answer once', async () => {
  const { api, readApi } = workspace;
  const key = { 'idempotency-key': 'compiled' };
  const made = await api.post('/compiled/made', { name: 'a' }, key);
  expect([made.status, made.body]).toEqual([201, { data: { made: true, name: 'a' } }]);
  const again = await api.post('/compiled/made', { name: 'a' }, key);
  expect([again.status, again.text, again.header('idempotent-replayed')]).toEqual([201, made.text, 'true']);
  expect((await api.post('/compiled/made', { name: 1, other: 2 })).status).toBe(422);
  expect((await readApi.post('/compiled/made', { name: 'a' })).status).toBe(403);
  expect((await api.patch('/compiled/made', { name: 'b' })).body).toEqual({ data: { name: 'b' } });
  const [gone, acted] = [await api.delete('/compiled/made'), await api.post('/compiled/acted', {})];
  expect([gone.status, gone.body, acted.status]).toEqual([200, { data: { gone: true } }, 200]);
});

it('pipes, promises and observables of a handler are settled, failures are the one error of all', async () => {
  const { api, readApi } = workspace;
  expect((await api.get('/compiled/plain/a')).body).toEqual({ data: { name: 'A' }, meta: expect.anything() as object });
  expect((await readApi.get('/compiled/plain/a', { 'if-none-match': '"1"' })).status).toBe(304);
  const failed = await api.get('/compiled/failing/a');
  expect([failed.status, failed.text.includes('secret')]).toEqual([500, false]);
  expect((await api.get('/compiled/plain/a', { authorization: 'Bearer x' })).status).toBe(401);
  const marked = await api.get('/compiled/marked/a');
  expect([marked.status, marked.header('x-marked')]).toEqual([200, 'yes']);
});

it.each([
  ['interceptor', ForAll],
  ['guard', Guarded],
] as const)('a module that registers an %s for all routes has it run on all of them', async (kind, added) => {
  const other = await startApp({}, { modules: [Probes, added] });
  try {
    expect(compiled(other)).toEqual([]);
    const answer = await fetch(`${other.url}/v1/tickets`, {
      headers: { authorization: `Bearer ${workspace.token}`, ...(kind === 'guard' ? { 'x-refused': 'yes' } : {}) },
    });
    expect(kind === 'guard' ? answer.status : answer.headers.get('x-marked')).toBe(kind === 'guard' ? 403 : 'yes');
  } finally {
    await other.close();
  }
});
