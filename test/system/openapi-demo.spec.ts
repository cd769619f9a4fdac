import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { documentOfRun } from '../support/document';
import { DEMO_EVENT, refillDemo, seedDemoWorkspace } from '../../src/cli/demo/workspace';
import { addDemoRecords } from '../../src/cli/demo/records';
import { Database } from '../../src/platform/database/database';
import { EventDispatcher } from '../../src/platform/events/event-dispatcher';
import {
  asDocument,
  type Document,
  type Operation,
  operationsOf,
  type Parameter,
} from '../../src/platform/openapi/document';
import { SandboxReset } from '../../src/platform/sandbox/sandbox-reset';
import { Api } from '../support/api';
import { startApp, testConfig, type TestApp } from '../support/app';
import { Restore } from '../support/restore';
import { type ScratchDatabase, scratchDatabase } from '../support/scratch-database';
import { testServices } from '../support/services';
import { until } from '../support/until';

interface Sent {
  target: string;
  headers: Record<string, string>;
  body: unknown;
  /** Must be given, and has no example. */
  missing: string[];
}

const dataDir = mkdtempSync(join(tmpdir(), 'helpdesk-examples-'));
let database: ScratchDatabase | undefined;
let server: TestApp | undefined;
let client: Client | undefined;
let restore: Restore;
let api: Api;
let document: Document;
let urls: { databaseUrl: string; migrateDatabaseUrl: string };

/** What the first `npm start` makes, its events handed over, and nobody at work beside the requests. */
beforeAll(async () => {
  document = asDocument(await documentOfRun());
  database = await scratchDatabase({ migrated: true });
  const owner = new URL(testServices().migrateDatabaseUrl);
  owner.pathname = `/${database.name}`;
  urls = { databaseUrl: database.serviceUrl, migrateDatabaseUrl: owner.href };
  const config = { ...urls, dataDir, role: 'api' as const };
  const demo = await seedDemoWorkspace(testConfig(config));
  server = await startApp(config);
  await addDemoRecords(server.app, demo?.madeNow ?? 0);
  await server.app.get(EventDispatcher).dispatch(() => undefined);
  api = new Api(server.url, demo?.token ?? null);
  // Listed once no older transaction is open, in any database.
  await until(
    'the event of the examples is settled',
    async () => (await api.get(`/events?ids=${DEMO_EVENT}`)).rows.length === 1,
  );
  client = new Client({ connectionString: database.url });
  await client.connect();
  restore = await Restore.of(client);
});

afterAll(async () => {
  await client?.end();
  await server?.close();
  await database?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** What Swagger UI sends when somebody presses "Execute" without touching anything. */
function untouched(path: string, operation: Operation): Sent {
  const sent: Sent = { target: path, headers: {}, body: undefined, missing: [] };
  const query = new URLSearchParams();
  const ofPath = (document.paths[path]?.parameters ?? []) as Parameter[];
  for (const given of [...ofPath, ...(operation.parameters ?? [])]) {
    const named = given.$ref?.split('/').at(-1);
    const parameter = named === undefined ? given : document.components.parameters[named];
    const { name = '', in: place, schema } = parameter ?? {};
    const example = (parameter?.example ?? schema?.example) as string | number | undefined;
    if (example === undefined) {
      if (parameter?.required === true) sent.missing.push(name);
    } else if (place === 'path') sent.target = sent.target.replace(`{${name}}`, encodeURIComponent(String(example)));
    else if (place === 'query') query.set(name, String(example));
    else if (place === 'header') sent.headers[name] = String(example);
  }
  if (query.size > 0) sent.target += `?${query.toString()}`;
  const media = operation.requestBody?.content['application/json'];
  if (operation.requestBody && !media)
    return { ...sent, body: 'A file.', headers: { ...sent.headers, 'content-type': 'text/plain' } };
  sent.body = media?.example;
  if (media && media.example === undefined) sent.missing.push('body');
  return sent;
}

/** Sends one operation; why it does not succeed, null when it does. What it answers is checked by the client. */
async function tried(path: string, method: string, operation: Operation): Promise<string | null> {
  const { target, headers, body, missing } = untouched(path, operation);
  const name = `${method.toUpperCase()} ${target}`;
  if (missing.length > 0) return `${name} has no example of ${missing.join(', ')}`;
  const answer = await api.send(method.toUpperCase(), target, body === undefined ? { headers } : { headers, body });
  return answer.status < 300 ? null : `${name} ${answer.status} ${answer.text.slice(0, 300)}`;
}

/** How many there are of everything that a demo shows. */
async function totals(): Promise<Record<string, unknown>> {
  const lists = [
    'tickets',
    'companies',
    'contacts',
    'users',
    'teams',
    'sla',
    'schedules',
    'automations',
    'webhooks',
    'views',
  ];
  lists.push('kb/articles', 'kb/categories', 'assets', 'crm/deals', 'crm/leads', 'crm/pipelines', 'quotes', 'meetings');
  const found: Record<string, unknown> = {};
  for (const list of lists) found[list] = (await api.get(`/${list}?limit=1`)).expect(200).meta.total;
  return found;
}

describe('on a new demo workspace, as it stands in the document,', () => {
  it('every operation that reads succeeds, with the answer that is documented', async () => {
    const departures: string[] = [];
    const reading = operationsOf(document).filter(({ method }) => method === 'get');
    for (const { path, method, operation } of reading)
      departures.push(...[await tried(path, method, operation)].filter((each) => each !== null));
    expect(departures).toEqual([]);
    expect(reading.length).toBeGreaterThan(70);
  });

  it('every operation that writes succeeds on its own, with the answer that is documented', async () => {
    const departures: string[] = [];
    const writing = operationsOf(document).filter(({ method }) => method !== 'get');
    for (const { path, method, operation } of writing) {
      departures.push(...[await tried(path, method, operation)].filter((each) => each !== null));
      await restore.now();
    }
    expect(departures).toEqual([]);
    expect(writing.length).toBeGreaterThan(80);
  });

  it('a reset brings all of it back, beside the people, who stayed', async () => {
    const { app } = server as TestApp;
    const before = await totals();
    expect(before.tickets).toBe(200);
    (await api.post('/companies', { name: 'Made since' })).expect(201);
    (await api.post('/sandbox/clock', { advance: 'P2D' })).expect(200);
    const resets = app.get(SandboxReset);
    resets.fillWith((id) => refillDemo(app, testConfig(urls), id));
    const { data } = (await api.get('/me')).expect(200);
    const { id } = data.workspace as { id: number };
    const system = { type: 'system', id: null, name: 'test' } as const;
    await app.get(Database).inWorkspace(id, system, () => resets.perform({ id: 0, workspace_id: id }));
    expect(await totals()).toEqual(before);
    expect((await api.get('/sandbox/clock')).data).toMatchObject({ ahead_seconds: 0 });
  });
});
