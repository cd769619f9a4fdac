import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOpenApiDocument } from '../../src/app';
import { projectRoot } from '../../src/config';
import { api } from '../support/api';
import { useApp } from '../support/app';

const server = useApp();

/** Bytes of the document as it is served, before compression, for each of its operations. */
const MOST_PER_OPERATION = 2_870;

interface Operation {
  operationId: string;
  security?: unknown[];
  responses: Record<string, unknown>;
}

interface Document {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
}

let document: Document;
beforeAll(async () => {
  document = (await api(server.url).get('/openapi.json')).body as unknown as Document;
});

/** `GET /v1/tickets/{id}` and so on, with the operation. */
function operations(): [name: string, operation: Operation][] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    ['get', 'post', 'patch', 'put', 'delete'].flatMap((method) => {
      const operation = item[method];
      return operation ? [[`${method.toUpperCase()} ${path}`, operation] as [string, Operation]] : [];
    }),
  );
}

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1 below /v1', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers[0]?.url).toBe('/v1');
  });

  it('names exactly the routes of the service', () => {
    const table = server.app.getHttpAdapter().getInstance().printRoutes({ commonPrefix: false });
    const documented = operations().map(([name]) => name);
    for (const name of documented) {
      const [method = '', path = ''] = name.split(' ');
      const url = `/v1${path}`.replace(/\{(\w+)\}/g, ':$1');
      expect(server.app.getHttpAdapter().getInstance().hasRoute({ method, url })).toBe(true);
    }
    // Every GET has its HEAD; a route without a path is the catch-all of the prefix itself; the catch-all, the pages, where channels are posted to, what visitors ask, SCIM, which describes itself, the second place of /ready and the document itself are no operations.
    const routed = routesOf(table).filter(
      (name) =>
        !/^HEAD |\*|\/docs|\/openapi\.json| \/(v1|ready)?$| \/(p|v1\/chat)\/|\/teams\/inbound\/|\/scim\//.test(name),
    );
    const relative = routed.map((name) => name.replace(' /v1', ' ').replace(/:(\w+)/g, '{$1}'));
    expect(relative.sort()).toEqual([...documented].sort());
  });

  it('is the same without a server and on every run', async () => {
    const [one, two] = [await buildOpenApiDocument(), await buildOpenApiDocument()];
    expect(JSON.stringify(one)).toBe(JSON.stringify(two));
    expect(JSON.parse(JSON.stringify(one))).toEqual(document);
    // What the other specs read. Made anew by `npm run openapi`.
    expect(JSON.parse(readFileSync(join(projectRoot, 'docs/openapi.json'), 'utf8'))).toEqual(document);
  });

  it('documents the errors of every operation that needs a token', () => {
    for (const [name, { security, responses }] of operations()) {
      if (security?.length === 0) continue;
      const expected = [
        '401',
        '429',
        'default',
        ...(name.includes('{') ? ['404'] : []),
        ...(name.startsWith('GET') ? [] : ['422']),
      ];
      expect([name, expected.filter((status) => !(status in responses))]).toEqual([name, []]);
    }
  });

  it('leaves only health, readiness and itself open', () => {
    const open = operations().filter(([, { security }]) => security?.length === 0);
    expect(open.map(([name]) => name).sort()).toEqual(['GET /health', 'GET /ready']);
  });

  it('gives every operation an id of its own', () => {
    const ids = operations().map(([, { operationId }]) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('resolves all its references', () => {
    const references = new Set(
      [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)].map(
        ([, kind, name]) => `${kind}/${name}`,
      ),
    );
    const missing = [...references].filter((reference) => {
      const [kind = '', name = ''] = reference.split('/');
      return document.components[kind]?.[name] === undefined;
    });
    expect(missing).toEqual([]);
    expect(references.size).toBeGreaterThan(10);
  });

  it('gives no member of a body and no parameter a default, at any depth', () => {
    const reached = new Set<string>();
    const follow = (part: unknown): void => {
      const text = JSON.stringify(part ?? null);
      expect(text).not.toMatch(/"default":(?!\{)/);
      for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
        if (reached.has(name)) continue;
        reached.add(name);
        follow(document.components.schemas?.[name]);
      }
    };
    for (const [, operation] of operations()) {
      const { requestBody, parameters } = operation as unknown as Record<string, unknown>;
      follow([requestBody, parameters]);
    }
    follow(document.components.parameters);
    expect([...reached]).toEqual(expect.arrayContaining(['CreateTicket', 'UpdateTicket', 'BatchUpdate']));
  });

  it('describes every tag and operation, Tickets first', () => {
    const { tags } = document as unknown as { tags: { name: string; description?: string }[] };
    expect(tags[0]?.name).toBe('Tickets');
    expect(tags.filter(({ description = '' }) => description === '')).toEqual([]);
    const mute = operations().filter(([, operation]) => !(operation as { description?: string }).description);
    expect(mute.map(([name]) => name)).toEqual([]);
  });

  it('is small enough for clients that load it whole', async () => {
    const { text } = await api(server.url).get('/openapi.json');
    const operations = Object.values(document.paths).flatMap((item) => Object.keys(item));
    expect(Buffer.byteLength(text) / operations.length).toBeLessThan(MOST_PER_OPERATION);
  });

  it('says once what a member of a record means', () => {
    const schemas = document.components.schemas as Record<
      string,
      { properties?: Record<string, { description?: string }> }
    >;
    const twice = Object.entries(schemas).flatMap(([name, { properties = {} }]) => {
      const record = schemas[name.replace(/^(Create|Update)(?=[A-Z])/, '')];
      return Object.entries(record === schemas[name] ? {} : properties)
        .filter(([member, { description }]) => description && description === record?.properties?.[member]?.description)
        .map(([member]) => `${name}.${member}`);
    });
    expect(twice).toEqual([]);
  });

  it('uses no keyword that OpenAPI 3.1 dropped', () => {
    expect(JSON.stringify(document)).not.toContain('"nullable"');
  });
});

/** `GET /v1/tickets/:id` from the lines of Fastify's route tree without common prefixes. */
function routesOf(tree: string): string[] {
  const names: string[] = [];
  const path: string[] = [];
  for (const line of tree.split('\n')) {
    const match = /^([│ ]*)[├└]── (\S*)(?: \(([^)]*)\))?/.exec(line);
    if (!match) continue;
    const [, indent = '', segment = '', methods] = match;
    const depth = indent.length / 4;
    path.length = depth;
    path.push(segment);
    if (methods !== undefined) names.push(...methods.split(', ').map((method) => `${method} ${path.join('')}`));
  }
  return names;
}
