import { buildOpenApiDocument } from '../../src/app';
import { addDemoRecords } from '../../src/cli/demo-records';
import { seedWorkspace } from '../../src/cli/seed-workspace';
import type { Api } from '../support/api';
import { useApp } from '../support/app';
import { type Belongings, furnish } from '../support/belongings';
import { departureOf } from '../support/document-answers';
import { slotKinds } from '../support/isolation';
import { allOperations, fillPath, type Operation } from '../support/operations';
import { testServices } from '../support/services';
import { useSql } from '../support/sql';
import { makePlan, makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const UNKNOWN = 8_999_999_999_999;

let api: Api;
let own: Belongings;
let operations: Operation[];
let bodies: Map<string, unknown>;

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
  const document = await buildOpenApiDocument();
  bodies = new Map(
    Object.entries(document.paths).flatMap(([path, item]) =>
      (['post', 'patch'] as const).map((method) => {
        const body = item[method]?.requestBody;
        return [
          `${method.toUpperCase()} ${path}`,
          body && !('$ref' in body) ? body.content['application/json']?.example : undefined,
        ] as const;
      }),
    ),
  );
}, 120_000);

/** Makes a record in the state that an action is for; the id goes into the path instead of the workspace's own record. */
const SUITABLE: Readonly<Record<string, () => Promise<number>>> = {
  '/tickets/{id}/rate': () => made('/tickets', { subject: 'Solved', status: 'resolved' }),
  '/tickets/{id}/reopen': () => made('/tickets', { subject: 'Solved', status: 'resolved' }),
  '/assets/{id}/checkin': async () => {
    const id = await made('/assets', { name: 'On loan' });
    (await api.post(`/assets/${id}/checkout`, { user_id: own.users })).expect(200);
    return id;
  },
  '/meetings/{id}/cancel': () => meeting('scheduled'),
  '/meetings/{id}/complete': () => meeting('scheduled'),
  '/meetings/{id}/confirm': () => meeting('pending'),
  '/meetings/{id}/no-show': () => meeting('scheduled'),
  '/meetings/{id}/reject': () => meeting('pending'),
  '/quotes/{id}/revise': async () => {
    const id = await made('/quotes', {
      title: 'Sent',
      currency: 'EUR',
      recipient_email: 'buyer@example.com',
      items: [{ name: 'One', unit_price: 1 }],
    });
    (await api.post(`/quotes/${id}/status`, { status: 'sent', send_email: false })).expect(200);
    return id;
  },
};

async function made(path: string, body: object): Promise<number> {
  return (await api.post(path, body)).expect(201).data.id;
}

let hour = 0;
async function meeting(status: string): Promise<number> {
  hour += 2;
  const starts_at = new Date(Date.now() + (60 * 24 + hour) * 3_600_000).toISOString();
  const id = await made('/meetings', { title: 'Talk', host_id: own.users, starts_at, duration_minutes: 30 });
  // What is past or asked for cannot be made by a request.
  const past =
    status === 'scheduled' ? `, starts_at = now() - interval '2 hours', ends_at = now() - interval '90 minutes'` : '';
  await sql.rows(`UPDATE meetings SET status = $2${past} WHERE id = $1`, [id, status]);
  return id;
}

const target = ({ path }: Operation, id?: number): string =>
  fillPath(
    path,
    slotKinds(path).map((kind) => id ?? own[kind] ?? 0),
  );

describe('what is answered', () => {
  it('is what the document says, for every operation that reads', async () => {
    const departures: (string | null)[] = [];
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      if (/availability|\/search$|\/events\/\{id\}$/.test(operation.path)) continue;
      const answer = await api.get(target(operation));
      departures.push(
        answer.status === 200
          ? await departureOf('GET', operation.path, answer)
          : `${operation.path} ${answer.status} ${answer.text.slice(0, 200)}`,
      );
    }
    expect(departures.filter((each) => each !== null)).toEqual([]);
  });

  it('is what the document says, with every relation and with few fields', async () => {
    const departures: (string | null)[] = [];
    const document = await buildOpenApiDocument();
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      const relations = operation.parameters.expand?.items?.$ref;
      if (!operation.query.includes('fields') || operation.path === '/events/{id}') continue;
      if (relations) {
        const schema = document.components?.schemas?.[relations.split('/').pop() ?? ''] as { enum: string[] };
        const answer = (await api.get(`${target(operation)}?expand=${schema.enum.join(',')}`)).expect(200);
        departures.push(await departureOf('GET', operation.path, answer));
      }
      const answer = (await api.get(`${target(operation)}?fields=id`)).expect(200);
      departures.push(await departureOf('GET', operation.path, answer, true));
    }
    expect(departures.filter((each) => each !== null)).toEqual([]);
  });

  it('is what the document says, for every change and every creation as its example stands', async () => {
    const departures: (string | null)[] = [];
    (await api.patch(`/webhooks/${own.webhooks}`, { is_active: true })).expect(200);
    const { data: stages } = (await api.get(`/crm/pipelines/${own.pipelines}/stages?fields=id`)).body as {
      data: { id: number }[];
    };
    // The example names the stages of the demo's first pipeline.
    bodies.set('POST /crm/pipelines/{id}/stages/reorder', { stage_ids: stages.map(({ id }) => id).reverse() });
    const writing = operations.filter(({ method }) => method === 'PATCH' || method === 'POST');
    // Orders of stages and merges come first: the others make more stages, and end tickets.
    const ordered = [...writing].sort(
      (a, b) => Number(b.path.endsWith('/reorder')) - Number(a.path.endsWith('/reorder')),
    );
    for (const operation of ordered) {
      const { method, path } = operation;
      const suitable = await SUITABLE[path]?.();
      const answer = await api.send(method, target(operation, suitable), { body: bodies.get(`${method} ${path}`) });
      if (answer.status >= 400)
        departures.push(
          `REFUSED ${method} ${path} ${answer.status} ${JSON.stringify(answer.error.details ?? answer.error.message).slice(0, 250)}`,
        );
      departures.push(await departureOf(method, path, answer));
    }
    expect(departures.filter((each) => each !== null)).toEqual([]);
  });

  it('is an error as the document says', async () => {
    const departures: (string | null)[] = [];
    for (const operation of operations) {
      const { method, path } = operation;
      const body = method === 'POST' || method === 'PATCH' ? { zzz: 1 } : undefined;
      for (const answer of [
        ...(path.includes('{') ? [await api.send(method, target(operation, UNKNOWN), { body })] : []),
        await api.send(method, `${target(operation)}?zzz=1`, { body }),
      ]) {
        if (answer.status < 400) departures.push(`${method} ${path} ${answer.status}`);
        departures.push(await departureOf(method, path, answer));
      }
    }
    expect(departures.filter((each) => each !== null)).toEqual([]);
  });
});
