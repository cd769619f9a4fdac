import { METHODS } from 'node:http';
import { rationed, useHostility } from '../support/hostile';
import { fillPath } from '../support/operations';
import { parseRaw, rawRequest } from '../support/raw-http';
import { until } from '../support/until';

const stage = useHostility();

/** A path with numbers where it has parameters. */
const numbered = (path: string): string => fillPath(path, [7, 7, 7]);

describe('a method that a path does not have', () => {
  it('is a 405 that lists what it has, also where a part of it could be an id', async () => {
    const methods = new Map<string, string[]>();
    for (const { method, path } of stage.operations) {
      methods.set(path, [...(methods.get(path) ?? []), method, ...(method === 'GET' ? ['HEAD'] : [])]);
    }
    const share = rationed(['GET', 'POST', 'PATCH', 'PUT', 'DELETE'], 1);
    for (const [path, own] of methods) {
      // One table answers for every path; paths of one form differ in what they have.
      const form = `${path.replaceAll(/\{\w+\}/g, '{}').split('/').length} ${[...own].sort().join()}`;
      const missing = share(form).filter((each) => !own.includes(each));
      for (const method of missing.length > 0 || own.includes('POST') ? missing : ['POST']) {
        const answer = await stage.workspace.api.send(method, numbered(path), method === 'GET' ? {} : { body: {} });
        const seen = [method, path, answer.status, answer.error.type, answer.header('allow')];
        expect(seen).toEqual([method, path, 405, 'method_not_allowed', [...own].sort().join(', ')]);
      }
    }
  });

  it.each([
    ['GET', '/tickets/batch', 'POST'],
    ['PATCH', '/tickets/batch', 'POST'],
    ['DELETE', '/tickets/batch', 'POST'],
    ['GET', '/automations/test', 'POST'],
    ['PATCH', '/meetings/types', 'GET, HEAD, POST'],
    ['DELETE', '/meetings/availability', 'GET, HEAD'],
    ['PATCH', '/integrations/providers?zzz=1', 'GET, HEAD'],
    ['PATCH', '/sla/compliance/', 'GET, HEAD'],
  ])('%s %s is a 405: only %s', async (method, path, allow) => {
    for (const body of [undefined, {}, { zzz: 1 }].slice(0, method === 'GET' ? 1 : 3)) {
      const answer = await stage.workspace.api.send(method, path, { body });
      expect([answer.status, answer.header('allow')]).toEqual([405, allow]);
    }
    expect((await stage.workspace.readApi.send(method, path)).status).toBe(method === 'GET' ? 405 : 403);
    expect((await fetch(`${stage.server.url}/v1${path}`, { method })).status).toBe(401);
  });

  it('may be any that Node can read', async () => {
    const head = (path: string): string =>
      `${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${stage.workspace.token}\r\nConnection: close\r\n\r\n`;
    const own = ['CONNECT', 'GET', 'HEAD', 'PATCH', 'DELETE'];
    for (const method of METHODS.filter((each) => !own.includes(each))) {
      const known = parseRaw(await rawRequest(stage.server.url, `${method} ${head('/v1/tickets/1')}`));
      expect([method, known.status]).toEqual([method, 405]);
      expect(known.head.toLowerCase()).toContain('allow: delete, get, head, patch');
      const unknown = parseRaw(await rawRequest(stage.server.url, `${method} ${head('/v1/nothing')}`));
      expect([method, unknown.status]).toEqual([method, 404]);
    }
  });
});

describe('a slash at the end', () => {
  it('makes no difference to any form of path', async () => {
    const forms = new Set<string>();
    for (const operation of stage.operations.filter(({ method }) => method === 'GET')) {
      // The router leaves it out before it looks for anything; paths of one form are found in one way.
      const form = operation.path.replaceAll(/[^/{}]+/g, '');
      if (forms.size === forms.add(form).size) continue;
      const plain = await stage.send(operation);
      const slashed = await stage.send({ ...operation, path: `${operation.path}/` });
      expect([operation.path, slashed.status]).toEqual([operation.path, plain.status]);
    }
  });

  it('is left out of links, and keeps the query', async () => {
    const answer = (await stage.workspace.api.get('/tickets/?limit=1&sort=id')).expect(200);
    expect(answer.body.links?.next).toContain('/v1/tickets?sort=id&offset=1');
    expect((await stage.workspace.api.post('/tickets/', { subject: 'x' })).status).toBe(201);
    expect((await stage.workspace.api.get('/tickets//')).status).toBe(404);
    expect((await stage.workspace.api.get('/tickets/?zzz=/')).status).toBe(422);
  });

  it('repeats an idempotent request all the same', async () => {
    const key = { 'idempotency-key': 'slash' };
    const first = (await stage.workspace.api.post('/tickets', { subject: 'x' }, key)).expect(201);
    const again = (await stage.workspace.api.post('/tickets/', { subject: 'x' }, key)).expect(201);
    expect([again.text, again.header('idempotent-replayed')]).toEqual([first.text, 'true']);
  });

  it('reaches readiness in both of its places', async () => {
    for (const path of ['/ready', '/ready/', '/v1/ready', '/v1/ready/', '/v1/health/']) {
      // A busy machine is not ready for a moment when PostgreSQL takes long for a sign of life.
      await until(`${path} answers 200`, async () => {
        const { status } = await fetch(stage.server.url + path);
        expect([path, status]).toEqual([path, status === 503 ? 503 : 200]);
        return status === 200;
      });
    }
  });
});

describe('If-Match', () => {
  it.each([
    ['W/"1"', /Weak ETags .* never match/],
    ['"9", W/"1"', /has changed: the record's version is "1"/],
    ['1', /names no ETag of this record: the record's version is "1"/],
    ['', /names no ETag/],
  ])('%s says truthfully why it does not match', async (tag, message) => {
    const { id } = (await stage.workspace.api.post('/teams', { name: `If-Match ${tag}` })).expect(201).data;
    const answer = await stage.workspace.api.patch(`/teams/${id}`, { description: 'x' }, { 'if-match': tag });
    expect([answer.status, answer.error.type]).toEqual([412, 'precondition_failed']);
    expect(answer.error.message).toMatch(message);
  });
});

describe('Accept: application/problem+json', () => {
  const ask = async (path: string, accept: string): Promise<Response> =>
    fetch(`${stage.server.url}/v1${path}`, {
      headers: { accept, authorization: `Bearer ${stage.workspace.token}`, 'x-request-id': 'r-1' },
    });

  it('is answered with the content of the uniform body in the form of RFC 9457', async () => {
    const plain = (await (await ask('/tickets?zzz=1', 'application/json')).json()) as {
      error: Record<string, unknown>;
    };
    const response = await ask('/tickets?zzz=1', 'application/problem+json');
    expect([response.status, response.headers.get('content-type')]).toEqual([422, 'application/problem+json']);
    const { type, message, status, ...members } = plain.error;
    expect(await response.json()).toEqual({
      type: 'urn:problem-type:helpdesk:validation_error',
      title: 'Validation error',
      status,
      detail: message,
      instance: 'urn:request:r-1',
      code: type,
      ...members,
    });
  });

  it.each([
    ['application/json, application/problem+json', 'application/problem+json'],
    ['application/json;q=0.5, APPLICATION/problem+json', 'application/problem+json'],
    ['application/problem+json;q=0.5, application/json', 'application/json'],
    ['application/problem+json;q=0', 'application/json'],
    ['*/*', 'application/json'],
  ])('%s gets %s', async (accept, type) => {
    for (const path of ['/nothing', '/tickets/8999999999999', '/tickets?q=%ff', '/tickets/%zz']) {
      const response = await ask(path, accept);
      expect(`${path} ${response.headers.get('content-type')}`).toContain(`${path} ${type}`);
    }
  });

  it('changes nothing about successes', async () => {
    const response = await ask('/tickets', 'application/problem+json');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  });
});
