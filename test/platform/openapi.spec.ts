import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOpenApiDocument } from '../../src/app';
import { projectRoot } from '../../src/config';
import { EXPOSED_HEADERS } from '../../src/platform/http/cors';
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

  it('writes abbreviations in capitals', () => {
    const { webhooks } = document as unknown as { webhooks: Record<string, Record<string, Operation>> };
    const told = [...operations(), ...Object.entries(webhooks).map(([name, { post }]) => [name, post] as const)];
    const small = told.filter(([, operation]) => {
      const { summary = '', description = '' } = operation as { summary?: string; description?: string };
      return /\b(ai|api|crm|csat|kb|sla)\b/.test(`${summary} ${description}`.replace(/`[^`]*`/g, ''));
    });
    expect(small.map(([name]) => name)).toEqual([]);
  });

  it('tells that ids are 64 bits long, wherever they are', () => {
    const short: string[] = [];
    visitMembers(document, (place, name, schema) => {
      const { type, format, items } = schema.type === 'array' ? (schema.items ?? {}) : schema;
      if (/(^|_)ids?$/.test(name) && [type].flat().includes('integer') && format !== 'int64' && !items)
        short.push(place);
    });
    expect(short).toEqual([]);
  });

  it('requires what is always inside of a member', () => {
    const { schemas } = document.components as { schemas: Record<string, Member> };
    const plain = (schema: Member = {}): Member => {
      const one = schema.$ref ?? schema.anyOf?.find(({ $ref }) => $ref)?.$ref;
      return one === undefined ? schema : plain(schemas[one.split('/').at(-1) ?? '']);
    };
    const always: Readonly<Record<string, string>> = {
      'AuditLog.actor': 'type id name',
      'AiSettings.thresholds': 'classify suggest auto_reply',
      'AiSettings.usage': 'tokens_today tokens_month requests_month cost_month',
      'Channel.last_error': 'code message',
      'DirectoryRun.error': 'code message',
      'Event.causation': 'root_event_id depth request_id automation_ids',
      'EventRecord.sequence': 'id position',
      'Integration.last_error': 'code message at',
      'MigrationJob.progress': 'total processed created updated skipped failed pct eta_seconds by_entity',
      'CreateWebhook.filter': 'conditions',
      'UpdateWebhook.filter': 'conditions',
      'Webhook.filter': 'conditions',
    };
    const said = Object.keys(always).map((place) => {
      const [name = '', member = ''] = place.split('.');
      return [place, plain(schemas[name]?.properties?.[member]).required?.join(' ')];
    });
    expect(Object.fromEntries(said)).toEqual(always);
  });

  it('calls its parts by words, and times of day what they are', () => {
    const names = Object.values(document.components).flatMap((parts) => Object.keys(parts));
    expect(names.filter((name) => !/^[\w-]+$/.test(name))).toEqual([]);
    expect(document.components.schemas).toMatchObject({
      TimeOfDay: { pattern: expect.stringContaining('24:00') as string },
      SlaPolicyPauseStatus: { enum: ['open', 'in_progress', 'on_hold'] },
    });
  });

  it('says of each parameter that takes several values that it is a list', () => {
    const single: string[] = [];
    visitParameters(document, (place, { description = '', schema = {} }) => {
      if (schema.type === 'string' && /comma-separated|any of|one or more/i.test(description)) single.push(place);
    });
    expect(single).toEqual([]);
  });

  it('names the headers of its own that pages may read', () => {
    const text = JSON.stringify(document);
    const own = EXPOSED_HEADERS.filter((name) => /^(X-|RateLimit|Idempotent|ETag|Link|Retry-After)/.test(name));
    expect(own.filter((name) => !text.includes(name))).toEqual([]);
  });

  it('uses no keyword that OpenAPI 3.1 dropped', () => {
    expect(JSON.stringify(document)).not.toContain('"nullable"');
  });
});

interface Member {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  required?: string[];
  properties?: Record<string, Member>;
  items?: Member;
  anyOf?: Member[];
}

/** Calls `visit` for every member of every object in the document. */
function visitMembers(part: unknown, visit: (place: string, name: string, schema: Member) => void, place = ''): void {
  if (typeof part !== 'object' || part === null) return;
  const { properties } = part as Member;
  for (const [name, schema] of Object.entries(typeof properties === 'object' ? properties : {}))
    visit(`${place}.${name}`, name, schema);
  for (const [name, inner] of Object.entries(part)) visitMembers(inner, visit, `${place}.${name}`);
}

interface Given {
  in?: string;
  name?: string;
  description?: string;
  schema?: Member;
}

/** Calls `visit` for every query parameter in the document. */
function visitParameters(part: unknown, visit: (place: string, parameter: Given) => void, place = ''): void {
  if (typeof part !== 'object' || part === null) return;
  if ((part as Given).in === 'query') visit(`${place} ${(part as Given).name ?? ''}`, part);
  for (const [name, inner] of Object.entries(part)) visitParameters(inner, visit, `${place}.${name}`);
}

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
