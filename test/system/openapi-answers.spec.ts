import { documentOfRun } from '../support/document';
import { addDemoRecords } from '../../src/cli/demo/records';
import { seedWorkspace } from '../../src/cli/seed/workspace';
import { Answer, type Api } from '../support/api';
import { useApp } from '../support/app';
import { type Belongings, furnish } from '../support/belongings';
import { departureOf, eventDeparture } from '../support/document-answers';
import { slotKinds } from '../support/isolation';
import { allOperations, fillPath, type Operation } from '../support/operations';
import { testServices } from '../support/services';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { makePlan, makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const UNKNOWN = 8_999_999_999_999;

let api: Api;
let own: Belongings;
let operations: Operation[];

beforeAll(async () => {
  const workspace = await makeWorkspace(server, { plan: await makePlan(server, {}) });
  ({ api } = workspace);
  await seedWorkspace({
    databaseUrl: testServices().migrateDatabaseUrl,
    workspaceId: workspace.id,
    tickets: 40,
    comments: true,
  });
  await addDemoRecords(server.app, workspace.id);
  own = await furnish(api, sql, 'answers');
  operations = (await allOperations()).filter(({ open }) => !open);
});

interface Told {
  $ref?: string;
  headers?: object;
}

/** What the document says of headers. */
interface Tagged {
  paths: Record<string, Record<string, { responses: Record<string, Told | undefined> }>>;
  components: { responses: Record<string, Told | undefined> };
}

/** Whether the document promises an ETag. */
async function saysTag(method: string, path: string, status: number): Promise<boolean> {
  const { paths, components } = (await documentOfRun()) as unknown as Tagged;
  const told = paths[path]?.[method.toLowerCase()]?.responses[status];
  const { headers = {} } = (told?.$ref ? components.responses[told.$ref.split('/').pop() ?? ''] : told) ?? {};
  return 'ETag' in headers;
}

/** Operations that answer objects and no records, and what they are asked. */
const OBJECTS: Readonly<Record<string, (own: Belongings) => object>> = {
  '/ai-engine/retrieve': () => ({ query: 'printer' }),
  '/ai-engine/predict': () => ({ text: 'The printer is broken' }),
  '/ai-engine/suggest-reply': ({ tickets }) => ({ ticket_id: tickets }),
  '/ai-engine/summarize': ({ tickets }) => ({ ticket_id: tickets }),
  '/attachments/{id}/link': () => ({}),
  '/tickets/batch': () => ({ operations: [{ op: 'create', data: { subject: 'x' } }] }),
};

const target = ({ path }: Operation, id?: number): string =>
  fillPath(
    path,
    slotKinds(path).map((kind) => id ?? own[kind] ?? 0),
  );

// That each answer is what the document says is checked by the client; this sees to it that each operation answers.
describe('what is answered', () => {
  it('is what the document says, for every operation that reads', async () => {
    const failed: string[] = [];
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      if (/\/search$|\/events\/\{id\}$/.test(operation.path)) continue;
      const answer = await api.get(target(operation));
      if (answer.status !== 200) failed.push(`${operation.path} ${answer.status} ${answer.text.slice(0, 200)}`);
    }
    expect(failed).toEqual([]);
  });

  it('has an ETag where the document says so, and nowhere else', async () => {
    const otherwise: string[] = [];
    for (const { method, path, ...more } of operations) {
      if ((method !== 'GET' && !(path in OBJECTS)) || path === '/events/{id}') continue;
      const query = path === '/search' ? '?q=printer' : '';
      const place = `${target({ method, path, ...more })}${query}`;
      const answer = method === 'GET' ? await api.get(place) : await api.post(place, OBJECTS[path]?.(own));
      const isSaid = await saysTag(method, path, 200);
      if (answer.status !== 200 || (answer.header('etag') !== null) !== isSaid)
        otherwise.push(`${method} ${path} ${answer.status}`);
    }
    expect(otherwise).toEqual([]);
  });

  it('has one where a record is answered, whatever was done to it', async () => {
    const made = await api.post('/teams', { name: 'Tags' });
    const place = `/teams/${made.data.id}`;
    const answers = [made, await api.patch(place, { name: 'Tagged' }), await api.delete(place)];
    expect(answers.map((answer) => answer.header('etag') !== null)).toEqual([true, true, true]);
    const said = [
      await saysTag('POST', '/teams', 201),
      await saysTag('PATCH', '/teams/{id}', 200),
      await saysTag('DELETE', '/teams/{id}', 200),
      await saysTag('POST', '/sandbox/clock', 200),
    ];
    expect(said).toEqual([true, true, true, true]);
    expect(await saysTag('POST', '/crm/leads/{id}/convert', 200)).toBe(false);
  });

  it('is what the document says, with every relation and with few fields', async () => {
    const document = await documentOfRun();
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      const relations = operation.parameters.expand?.items?.$ref;
      if (!operation.query.includes('fields') || operation.path === '/events/{id}') continue;
      if (relations) {
        const schema = document.components?.schemas?.[relations.split('/').pop() ?? ''] as { enum: string[] };
        (await api.get(`${target(operation)}?expand=${schema.enum.join(',')}`)).expect(200);
      }
      (await api.get(`${target(operation)}?fields=id`)).expect(200);
    }
  });

  it('is of each event what webhooks are sent', async () => {
    let events: { type: string; data: { object: string } }[] = [];
    // Listed once no older transaction is open, in any database.
    await until('the events of many kinds are settled', async () => {
      events = (await api.get('/events?per_page=100&sort=-position')).expect(200).body.data as typeof events;
      return new Set(events.map(({ data }) => data.object)).size > 10;
    });
    for (const event of events) expect([event.type, await eventDeparture(event)]).toEqual([event.type, null]);
  });

  it('is an error as the document says', async () => {
    const succeeded: string[] = [];
    for (const operation of operations) {
      const { method, path } = operation;
      const body = method === 'POST' || method === 'PATCH' ? { zzz: 1 } : undefined;
      for (const answer of [
        ...(path.includes('{') ? [await api.send(method, target(operation, UNKNOWN), { body })] : []),
        await api.send(method, `${target(operation)}?zzz=1`, { body }),
      ])
        if (answer.status < 400) succeeded.push(`${method} ${path} ${answer.status}`);
    }
    expect(succeeded).toEqual([]);
  });
});

describe('an answer that the document does not tell', () => {
  const seen = (status: number, body: unknown, type = 'application/json'): Answer =>
    new Answer(status, { 'content-type': type }, JSON.stringify(body));
  const tickets = new URL('http://localhost/v1/tickets');

  it.each([
    ['a status', seen(206, {}), / 206, .* does not know$/],
    ['a media type', seen(200, {}, 'text/plain'), /tells as application\/json, .*, not as text\/plain$/],
    ['a body', seen(200, { data: [] }), /tells otherwise: .* must have required property/],
    ['an error that others have', seen(404, { error: {} }), / 404, .* does not know$/],
    ['an error', seen(422, { error: 'no' }), /tells otherwise: \/error must be object/],
  ])('is told: %s', async (_what, answer, message) => {
    expect(await departureOf('GET', tickets, answer)).toMatch(message);
    expect(await departureOf('GET', new URL('/v1/elsewhere', tickets), answer)).toBeNull();
  });

  it('is one with a moment that is none', async () => {
    const clock = (now: string): Answer =>
      seen(200, {
        data: { is_sandbox: true, now, ahead_seconds: 0, is_settled: true },
        meta: { rate_limit_remaining: 1 },
      });
    const place = new URL('/v1/sandbox/clock', tickets);
    expect(await departureOf('GET', place, clock('2030-06-03T09:00:00.000Z'))).toBeNull();
    expect(await departureOf('GET', place, clock('2030-06-03 09:00:00+00'))).toMatch(/must match format "date-time"/);
  });

  it('is one without all members, unless few were asked for', async () => {
    const few = seen(200, { data: { id: 1 } });
    expect(await departureOf('GET', new URL('/v1/teams/1', tickets), few)).toMatch(/required property/);
    expect(await departureOf('GET', new URL('/v1/teams/1?fields=id', tickets), few)).toBeNull();
  });
});
