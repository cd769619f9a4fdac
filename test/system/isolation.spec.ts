import { Client } from 'pg';
import { ticketResource } from '../../src/areas/tickets/ticket.resource';
import { workspacePredicate } from '../../src/platform/database/database';
import { readStatement } from '../../src/platform/resource/read/record-plan';
import { wholeSelection } from '../../src/platform/resource/read/selection';
import type { Answer } from '../support/api';
import { closeShared, useOwnApp } from '../support/app';
import { type Belongings, CANARY, furnish } from '../support/belongings';
import { comparable, NOWHERE } from '../support/contract/subject';
import { insist } from '../support/insist';
import { bodyOf, checksums, kindOf, raiseIds, slotKinds } from '../support/isolation';
import { drained } from '../support/jobs';
import { allOperations, fillPath, type Operation } from '../support/operations';
import { testServices } from '../support/services';
import { useSql } from '../support/sql';
import { makePlan, makeWorkspace, type TestWorkspace } from '../support/workspace';

// No background work: it would run without its predicates too.
const server = useOwnApp({ role: 'api' });
const sql = useSql();
let mine: TestWorkspace;
let foreign: TestWorkspace;
let own: Belongings;
let theirs: Belongings;
let operations: Operation[];

beforeAll(async () => {
  await closeShared();
  await raiseIds(sql);
  const plan = await makePlan(server, {});
  [mine, foreign] = [await makeWorkspace(server, { plan }), await makeWorkspace(server, { plan })];
  own = await furnish(mine.api, sql, 'mine');
  theirs = await furnish(foreign.api, sql, CANARY);
  operations = (await allOperations()).filter(({ open }) => !open);
});

/** Sends what an operation needs. */
function ask(
  { method, path, uploads }: Operation,
  slots: readonly number[],
  body: unknown,
  query = '',
): Promise<Answer> {
  const target = `${fillPath(path, slots)}${query}`;
  const file = { body: 'A file.', headers: { 'content-type': 'text/plain' } };
  if (uploads) return insist(() => mine.api.send(method, target, file));
  return insist(() => mine.api.send(method, target, body === undefined ? {} : { body }));
}

/** What is answered about no record, by kind of question. */
const aboutNone = new Map<string, Set<string>>();

/**
 * The same question about a record of the other workspace and about none: the answers must not differ. About none it is asked
 * only where no other question of the kind was answered so.
 */
async function compare(
  what: string,
  kind: string,
  id: number,
  question: (id: number) => Promise<Answer>,
): Promise<Answer> {
  const shown = (answer: Answer, asked: number): string =>
    `${answer.status} ${comparable(answer.text.replace(/"rate_limit_remaining":\d+/, ''), asked)}`;
  const known = aboutNone.get(kind) ?? new Set();
  aboutNone.set(kind, known);
  const hidden = await question(id);
  if (!known.has(shown(hidden, id))) {
    const unknown = shown(await question(NOWHERE), NOWHERE);
    expect([what, shown(hidden, id)]).toEqual([what, unknown]);
    known.add(unknown);
  }
  expect([what, hidden.text.includes(CANARY)]).toEqual([what, false]);
  return hidden;
}

/** Walks every operation with every id of the other workspace in every place that can hold one. */
async function walk(): Promise<{ slots: number; members: number; filters: number }> {
  const done = { slots: 0, members: 0, filters: 0 };
  for (const operation of operations) {
    const { method, path, slots, query, body } = operation;
    const name = `${method} ${path}`;
    const at = slotKinds(path).map((kind) => own[kind] ?? 0);
    for (const [index, kind] of slotKinds(path).entries()) {
      const answer = await compare(`${name} {${slots[index]}}`, `slot ${kind}`, theirs[kind] ?? 0, (id) =>
        ask(operation, at.with(index, id), bodyOf(operation, own)),
      );
      expect([name, answer.status, answer.error.type]).toEqual([name, 404, 'not_found']);
      done.slots++;
    }
    if (slots.length === 2) {
      const foreignPath = slotKinds(path).map((kind) => theirs[kind] ?? 0);
      expect([name, (await ask(operation, foreignPath, bodyOf(operation, own))).status]).toEqual([name, 404]);
    }
    for (const [member, schema] of Object.entries(body?.properties ?? {})) {
      const list = schema.items?.format === 'int64';
      const kind = kindOf(member, path, list || schema.format === 'int64');
      if (!kind) continue;
      const answer = await compare(`${name} ${member}`, `member ${member}`, theirs[kind] ?? 0, (id) =>
        ask(operation, at, { ...bodyOf(operation, own), [member]: list ? [id] : id }),
      );
      expect([name, answer.status, answer.codes]).toEqual([name, 422, { [member]: 'not_found' }]);
      done.members++;
    }
    for (const parameter of query) {
      const kind = kindOf(parameter, path, false);
      if (!kind) continue;
      const answer = await compare(`${name} ?${parameter}`, name, theirs[kind] ?? 0, (id) =>
        ask(operation, at, undefined, `?${parameter}=${id}`),
      );
      // A list has none of it; what is no list answers the same as about nothing: figures of none, or a refusal, as a list may, too.
      if (query.includes('per_page') && answer.status === 200)
        expect([name, parameter, answer.meta.total]).toEqual([name, parameter, 0]);
      else if (method !== 'GET' || answer.status !== 200) expect([name, answer.status]).toEqual([name, 422]);
      done.filters++;
    }
  }
  return done;
}

const batchOperations: readonly (readonly [string, (id: number) => Record<string, unknown>])[] = [
  ['update', (id) => ({ op: 'update', id, data: { subject: 'x' } })],
  ['delete', (id) => ({ op: 'delete', id })],
  ['assign', (id) => ({ op: 'assign', id, data: { user_id: own.users } })],
  ['unassign', (id) => ({ op: 'unassign', id })],
  ['escalate', (id) => ({ op: 'escalate', id })],
  ['comment', (id) => ({ op: 'comment', id, data: { body: 'x' } })],
  ['add_tags', (id) => ({ op: 'add_tags', ids: [id], data: { tags: 'x' } })],
  ['remove_tags', (id) => ({ op: 'remove_tags', id, data: { tags: CANARY } })],
  ['merge', (id) => ({ op: 'merge', id, data: { into_id: own.tickets } })],
  ['merge into', (id) => ({ op: 'merge', id: own.second, data: { into_id: id } })],
  ['reopen', (id) => ({ op: 'reopen', id })],
];

/** The ids of the other workspace inside a batch. */
async function walkBatch(): Promise<void> {
  for (const [name, make] of batchOperations) {
    const answer = await compare(`batch ${name}`, `batch ${name}`, theirs.tickets ?? 0, (id) =>
      insist(() => mine.api.post('/tickets/batch', { operations: [make(id)] })),
    );
    expect(answer.data).toMatchObject({ summary: { succeeded: 0, failed: 1 } });
  }
  for (const member of ['assigned_to', 'company_id', 'category_id', 'team_id']) {
    const kind = kindOf(member, '/tickets', true) ?? '';
    const answer = await compare(`batch create ${member}`, `batch create ${member}`, theirs[kind] ?? 0, (id) =>
      insist(() =>
        mine.api.post('/tickets/batch', { operations: [{ op: 'create', data: { subject: 'x', [member]: id } }] }),
      ),
    );
    expect(answer.data).toMatchObject({ results: [{ status: 422 }] });
  }
}

/** Lists, searched and expanded in every way, show nothing of the other workspace. */
async function walkLists(): Promise<void> {
  const position = async (path: string): Promise<string> => {
    const { links } = (await foreign.api.get(`${path}?per_page=1`)).expect(200).body;
    return new URL(links?.next ?? links?.first ?? '').searchParams.get('position') ?? '';
  };
  for (const { method, path, query } of operations.filter((each) => each.query.includes('per_page'))) {
    const at = fillPath(
      path,
      slotKinds(path).map((kind) => own[kind] ?? 0),
    );
    const searches = ['', ...(query.includes('q') ? [`q=${CANARY}`] : [])];
    const texts = ['tags', 'tags_all', 'email', 'requester_email', 'external_id', 'domain', 'skill'].filter((name) =>
      query.includes(name),
    );
    for (const name of texts) {
      const value = name.endsWith('email')
        ? `${CANARY}@people.example`
        : name === 'domain'
          ? `${CANARY}.example`
          : CANARY;
      searches.push(`${name}=${value}`);
    }
    if (path === '/tickets') searches.push(`position=${await position(path)}&page=2&per_page=1`);
    for (const search of searches) {
      const answer = (await insist(() => mine.api.send(method, `${at}?${search}`))).expect(200);
      expect([search, answer.text.replaceAll(/"(first|next|prev|last)":"[^"]*"/g, '').includes(CANARY)]).toEqual([
        search,
        false,
      ]);
      if (search !== '' && !search.startsWith('position'))
        expect([path, search, answer.meta.total]).toEqual([path, search, 0]);
    }
  }
  for (const path of ['/tickets', '/companies', '/contacts', '/categories', '/users', '/teams']) {
    const relations = (await mine.api.get(`${path}?expand=zzz`)).expect(422).error.details?.[0]?.allowed as string[];
    for (const query of ['', `&ids=${Object.values(theirs).join(',')}`]) {
      const answer = (await mine.api.get(`${path}?per_page=100&expand=${relations.join(',')}${query}`)).expect(200);
      expect([path, answer.text.includes(`"${CANARY}`)]).toEqual([path, false]);
    }
  }
}

/** What holds without the predicates of the statements holds with them: they can only hide more. */
describe('row-level security alone', () => {
  const { of } = workspacePredicate;
  const original = Object.getOwnPropertyDescriptor(Client.prototype, 'query')?.value as (
    ...given: unknown[]
  ) => unknown;
  let rewritten = 0;
  const kept = new Set<string>();

  /** The statement without its explicit predicates. Parameters stay in use, so that their numbers still fit. */
  function neutralised(text: string): string {
    const result = text
      .replaceAll(/\b(\w+\.)?workspace_id = (\$\d+)/g, '$2::bigint IS NOT NULL')
      .replaceAll(/\b\w+\.workspace_id = \w+\.workspace_id\b/g, 'TRUE');
    if (result !== text) rewritten++;
    if (/workspace_id\s*(=|IN\b)/i.test(result)) kept.add(result);
    return result;
  }

  beforeAll(() => {
    workspacePredicate.of = (_column, parameter) => `${parameter}::bigint IS NOT NULL`;
    Client.prototype.query = function (this: Client, ...given: unknown[]): unknown {
      const { options } = (this as unknown as { connectionParameters: { options?: string } }).connectionParameters;
      const [first] = given as [string | { text?: string; statements?: { text: string }[] }];
      // The tests' own connections are not confined; what they ask stays as it is.
      if (!options?.includes('role=helpdesk_app')) return original.apply(this, given);
      if (typeof first === 'string') given[0] = neutralised(first);
      else if (first.statements) {
        Object.assign(first, {
          statements: first.statements.map((each) => ({ ...each, text: neutralised(each.text) })),
        });
      } else if (typeof first.text === 'string') Object.assign(first, { text: neutralised(first.text) });
      return original.apply(this, given);
    } as typeof Client.prototype.query;
  });
  afterAll(() => {
    workspacePredicate.of = of;
    Client.prototype.query = original as typeof Client.prototype.query;
  });

  it('lets no operation reach another workspace, nor change anything of it, when no statement says which it means', async () => {
    await drained(server, foreign);
    const before = await checksums(sql, foreign.id);
    rewritten = 0;
    const done = await walk();
    expect(done.slots).toBeGreaterThanOrEqual(30);
    expect(done.members).toBeGreaterThanOrEqual(20);
    expect(done.filters).toBeGreaterThanOrEqual(15);
    await walkBatch();
    await walkLists();
    expect(rewritten).toBeGreaterThan(200);
    expect([...kept]).toEqual([]);
    expect(await checksums(sql, foreign.id)).toEqual(before);
  });

  it('is what holds: the same statement shows the record to who is not confined', async () => {
    const { text, values = [] } = readStatement(ticketResource, wholeSelection(ticketResource), {
      id: theirs.tickets ?? 0,
      workspaceId: mine.id,
      seen: null,
    });
    expect(text).not.toContain('t.workspace_id = $1');
    expect((await sql.rows(text, values)).length).toBe(1);
    const confined = new Client({ connectionString: testServices().databaseUrl, options: '-c role=helpdesk_app' });
    await confined.connect();
    await confined.query(`SELECT set_config('app.workspace_id', $1, false)`, [mine.id]);
    expect((await confined.query(text, [...values])).rows).toEqual([]);
    await confined.query(`SELECT set_config('app.workspace_id', $1, false)`, [foreign.id]);
    expect((await confined.query(text, [...values])).rows.length).toBe(1);
    await confined.end();
  });
});
