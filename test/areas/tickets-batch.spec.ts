import type { Answer, Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { insist } from '../support/insist';
import { useSql } from '../support/sql';
import { type Outcome, runBatch } from '../support/batch';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

const send = (body: unknown, query = '', headers: Record<string, string> = {}): Promise<Answer> =>
  workspace.api.post(`/tickets/batch${query}`, body, headers);
const run = (operations: unknown[], options: object = {}, query = ''): Promise<Outcome> =>
  runBatch(workspace.api, operations, options, query);
const total = async (): Promise<unknown> => (await workspace.api.get('/tickets')).meta.total;
const ticketOf = async (id: number): Promise<Fields> => (await workspace.api.get(`/tickets/${id}`)).expect(200).data;
const eventCount = async (): Promise<number> =>
  (await sql.rows<{ n: number }>('SELECT count(*) AS n FROM events WHERE workspace_id = $1', [workspace.id]))[0]?.n ??
  0;
const statuses = ({ results }: Outcome): number[] => results.map(({ status }) => status);

describe('a batch', () => {
  it('does every kind of operation, and answers each as it would have been alone', async () => {
    const user = await makeUser(workspace.api);
    const [a, b, c, d, e] = await Promise.all(
      ['low', 'low', 'low', 'low', 'low'].map((priority) => makeTicket(workspace.api, { priority })),
    );
    const closed = await makeTicket(workspace.api, { status: 'closed' });
    const outcome = await run([
      { ref: 'new', op: 'create', data: { subject: 'New' } },
      { op: 'update', id: a?.id, data: { priority: 'high' }, if_match: '"1"' },
      { op: 'delete', id: b?.id },
      { op: 'assign', id: c?.id, data: { user_id: user.id } },
      { op: 'unassign', id: c?.id },
      { op: 'escalate', id: d?.id, data: { reason: 'now' } },
      { op: 'escalate', id: d?.id },
      { op: 'comment', id: '$new', data: { body: 'Hi', is_internal: true } },
      { op: 'add_tags', ids: [a?.id, c?.id], data: { tags: 'VIP, x' } },
      { op: 'remove_tags', id: a?.id, data: { tags: ['x'] } },
      { op: 'merge', id: e?.id, data: { into_id: a?.id } },
      { op: 'reopen', id: closed.id },
    ]);
    expect(outcome).toMatchObject({
      mode: 'partial',
      dry_run: false,
      summary: { total: 13, succeeded: 13, failed: 0, skipped: 0 },
    });
    expect(statuses(outcome)).toEqual([201, 200, 200, 200, 200, 200, 200, 201, 200, 200, 200, 200, 200]);
    expect(outcome.results.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 10, 11]);
    const [created] = outcome.results;
    expect(created).toMatchObject({ ref: 'new', op: 'create', ok: true, etag: '"1"', id: created?.data?.id });
    expect(await ticketOf(created?.id ?? 0)).toMatchObject({ subject: 'New', comment_count: 1 });
    expect(outcome.results[7]).toMatchObject({
      op: 'comment',
      id: created?.id,
      data: { ticket_id: created?.id, body: 'Hi' },
    });
    expect(await ticketOf(a?.id ?? 0)).toMatchObject({ priority: 'high', tags: 'vip' });
    expect((await workspace.api.get(`/tickets/${b?.id}`)).status).toBe(404);
    expect(await ticketOf(c?.id ?? 0)).toMatchObject({ assigned_to: null, tags: 'vip,x' });
    expect(await ticketOf(d?.id ?? 0)).toMatchObject({ escalation_level: 2, priority: 'high' });
    expect(await ticketOf(e?.id ?? 0)).toMatchObject({ status: 'closed', merged_into_id: a?.id });
    expect(await ticketOf(closed.id)).toMatchObject({ status: 'open', reopened_count: 1 });
  });

  it('shows in each result the record as it was after that operation', async () => {
    const { id } = await makeTicket(workspace.api, { priority: 'low' });
    const { results } = await run([
      { op: 'update', id, data: { subject: 'One' } },
      { op: 'update', id, data: { subject: 'Two' } },
      { op: 'update', id, data: { subject: 'Two' } },
      { op: 'delete', id },
      { op: 'update', id, data: { subject: 'Three' } },
    ]);
    expect(results.map(({ data, etag, status }) => [status, data?.subject, etag])).toEqual([
      [200, 'One', '"2"'],
      [200, 'Two', '"3"'],
      [200, 'Two', '"3"'],
      [200, 'Two', '"3"'],
      [404, undefined, undefined],
    ]);
  });

  it('takes the aliases of op and data', async () => {
    const { id } = await makeTicket(workspace.api);
    const outcome = await run([
      { method: 'update', id, body: { subject: 'a' } },
      { action: 'update', id, attributes: { subject: 'b' } },
    ]);
    expect(outcome.results.map(({ data }) => data?.subject)).toEqual(['a', 'b']);
  });

  it('applies fields and expand to each ticket, and still resolves refs', async () => {
    const company = await make(workspace.api, '/companies');
    const operations = [
      { ref: 'a', op: 'create', data: { subject: 'x', company_id: company.id } },
      { op: 'update', id: '$a', data: { subject: 'y' } },
    ];
    const { results } = await run(operations, {}, '?fields=subject&expand=company');
    expect(results.map(({ data }) => data)).toMatchObject([
      { subject: 'x', company: { id: company.id } },
      { subject: 'y', company: { id: company.id } },
    ]);
    for (const { data, id } of results) {
      expect(Object.keys(data ?? {})).toEqual(['subject', 'company']);
      expect(id).toBe(results[0]?.id);
    }
    const refused = await send({ operations }, '?fields=zzz');
    expect([refused.status, refused.codes]).toEqual([422, { fields: 'unknown_field' }]);
  });

  it('counts as one request', async () => {
    const used = async (): Promise<number> => Number((await workspace.api.get('/me')).header('x-quota-used'));
    const before = await used();
    await run(Array.from({ length: 10 }, () => ({ op: 'create', data: { subject: 'x' } })));
    expect(await used()).toBe(before + 2);
  });

  it('writes one event for each change, as the single requests do', async () => {
    const { id } = await makeTicket(workspace.api);
    await run([
      { op: 'update', id, data: { status: 'resolved' } },
      { op: 'escalate', id },
      { op: 'update', id, data: { status: 'resolved' } },
    ]);
    expect((await eventsOf(server, workspace, 'ticket', id)).map(({ type }) => type)).toEqual([
      'ticket.created',
      'ticket.updated',
      'ticket.status_changed',
      'ticket.resolved',
      'ticket.sla_met',
    ]);
  });

  it('gives its operations what is true inside it: tags add up, numbers go on', async () => {
    const { id } = await makeTicket(workspace.api);
    await run(Array.from({ length: 20 }, (_, index) => ({ op: 'add_tags', id, data: { tags: `t${index}` } })));
    expect(String((await ticketOf(id)).tags).split(',').length).toBe(20);
  });

  it('keeps to fifty tags, also when an escalation adds one', async () => {
    const tags = Array.from({ length: 49 }, (_, index) => `t${index}`);
    const { id } = await makeTicket(workspace.api, { tags });
    const outcome = await run([
      { op: 'add_tags', id, data: { tags: ['x', 'y'] } },
      { op: 'add_tags', id, data: { tags: ['x'] } },
      { op: 'escalate', id },
      { op: 'update', id, data: { tags: [...tags, 'x'] } },
    ]);
    expect(statuses(outcome)).toEqual([422, 200, 200, 200]);
    expect(outcome.results[2]?.data).toMatchObject({ escalation_level: 1, tags: [...tags, 'x'].join(',') });
  });

  it('loses no tag when several batches change the same ticket', async () => {
    const { id } = await makeTicket(workspace.api);
    const adding = (index: number): object => ({ operations: [{ op: 'add_tags', id, data: { tags: `t${index}` } }] });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => insist(() => send(adding(index)))));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(
      String((await ticketOf(id)).tags)
        .split(',')
        .sort(),
    ).toEqual(Array.from({ length: 10 }, (_, index) => `t${index}`));
  });
});

describe('in partial mode, an operation that fails', () => {
  it('changes nothing itself and stops nothing else', async () => {
    const { id } = await makeTicket(workspace.api);
    const outcome = await run([
      { op: 'create', data: {} },
      { op: 'create', data: { subject: 'x', colour: 'red' } },
      { op: 'create', data: { subject: 'x', external_id: 'same' } },
      { op: 'create', data: { subject: 'x', external_id: 'same' } },
      { op: 'create', data: { subject: 'x', company_id: 8_999_999_999_999 } },
      { op: 'update', id, data: { subject: 'y' }, if_match: '"9"' },
      { op: 'comment', id, data: { body: 'late' }, if_match: '"9"' },
      { op: 'update', id: 8_999_999_999_999, data: { subject: 'y' } },
      { op: 'update', id, data: { status: 'nope' } },
      { op: 'assign', id, data: {} },
      { op: 'add_tags', id, data: {} },
      { op: 'add_tags', id, data: { tags: '' } },
      { op: 'update', id, data: { subject: 'z' } },
    ]);
    expect(statuses(outcome)).toEqual([422, 422, 201, 422, 422, 412, 412, 404, 422, 422, 422, 422, 200]);
    expect(outcome.summary).toEqual({ total: 13, succeeded: 2, failed: 11, skipped: 0 });
    expect(outcome.results[0]?.error).toMatchObject({ type: 'validation_error', missing: ['subject'], status: 422 });
    expect(outcome.results[3]?.error?.details?.[0]).toMatchObject({ field: 'external_id', code: 'duplicate' });
    expect(outcome.results[5]).toMatchObject({ ok: false, id, error: { type: 'precondition_failed' } });
    for (const { ok, error, data } of outcome.results)
      expect([ok, error === undefined]).toEqual([data !== undefined, ok]);
    expect(await total()).toBe(2);
  });

  it('carries the id of the request in its error', async () => {
    const answer = (await send({ operations: [{ op: 'delete', id: 1 }] })).expect(200);
    const { results } = answer.data as unknown as Outcome;
    expect(results[0]?.error?.request_id).toBe(answer.header('x-request-id'));
    expect(answer.meta.request_id).toBe(answer.header('x-request-id'));
  });

  it('takes what depends on it along', async () => {
    const outcome = await run([
      { ref: 'a', op: 'create', data: {} },
      { op: 'comment', id: '$a', data: { body: 'x' } },
      { op: 'create', data: { subject: 'x' } },
    ]);
    expect(statuses(outcome)).toEqual([422, 424, 201]);
    expect(outcome.summary).toEqual({ total: 3, succeeded: 1, failed: 1, skipped: 1 });
    expect(outcome.results[1]?.error).toMatchObject({
      type: 'conflict',
      status: 424,
      details: [{ code: 'failed_dependency' }],
    });
  });

  it('with on_error stop, is the last one tried', async () => {
    const operations = [
      { op: 'create', data: { subject: 'x' } },
      { op: 'create', data: {} },
      { op: 'create', data: { subject: 'y' } },
    ];
    const outcome = await run(operations, { on_error: 'stop' });
    expect(statuses(outcome)).toEqual([201, 422, 424]);
    expect(outcome.results[2]?.error?.details?.[0]?.code).toBe('skipped');
    expect([outcome.summary.skipped, await total()]).toEqual([1, 1]);
  });
});

describe('in atomic mode', () => {
  it('all operations succeed together', async () => {
    const outcome = await run(
      [
        { op: 'create', data: { subject: 'x' } },
        { op: 'create', data: { subject: 'y' } },
      ],
      { mode: 'atomic' },
    );
    expect([outcome.mode, statuses(outcome), await total()]).toEqual(['atomic', [201, 201], 2]);
  });

  it('or leave nothing behind, and only the culprit has an error of its own', async () => {
    const { id } = await makeTicket(workspace.api);
    const before = [await eventCount(), await ticketOf(id)];
    const outcome = await run(
      [
        { ref: 'a', op: 'create', data: { subject: 'x', requester_email: 'new@example.com' } },
        { op: 'update', id, data: { subject: 'changed' } },
        { op: 'update', id, data: { status: 'nope' } },
        { op: 'delete', id },
      ],
      { mode: 'atomic' },
    );
    expect(statuses(outcome)).toEqual([424, 424, 422, 424]);
    expect(outcome.summary).toEqual({ total: 4, succeeded: 0, failed: 1, skipped: 3 });
    for (const index of [0, 1, 3]) {
      expect(outcome.results[index]?.error).toMatchObject({
        type: 'conflict',
        status: 424,
        details: [{ code: 'rolled_back' }],
      });
      expect(outcome.results[index]).not.toHaveProperty('data');
    }
    expect([await eventCount(), await ticketOf(id)]).toEqual(before);
    expect([await total(), (await workspace.api.get('/contacts')).meta.total]).toEqual([1, 0]);
  });
});

describe('a dry run', () => {
  it.each(['partial', 'atomic'])('in %s mode answers everything and keeps nothing', async (mode) => {
    const { id } = await makeTicket(workspace.api);
    const before = [await eventCount(), await ticketOf(id)];
    const outcome = await run(
      [
        { ref: 'a', op: 'create', data: { subject: 'x' } },
        { op: 'comment', id: '$a', data: { body: 'y' } },
        { op: 'update', id, data: { subject: 'z' } },
      ],
      { mode, dry_run: true },
    );
    expect([outcome.dry_run, statuses(outcome)]).toEqual([true, [201, 201, 200]]);
    expect(outcome.results[2]?.data?.subject).toBe('z');
    expect([await eventCount(), await ticketOf(id)]).toEqual(before);
    expect(await total()).toBe(1);
  });
});
