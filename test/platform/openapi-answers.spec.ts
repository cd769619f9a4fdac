import { buildOpenApiDocument } from '../../src/app';
import { addDemoRecords } from '../../src/cli/demo/records';
import { seedWorkspace } from '../../src/cli/seed/workspace';
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
