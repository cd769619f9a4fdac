import { useApp } from '../support/app';
import type { Answer } from '../support/api';
import { runBatch } from '../support/batch';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

const send = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  workspace.api.post('/tickets/batch', body, headers);
const total = async (): Promise<unknown> => (await workspace.api.get('/tickets')).meta.total;
const eventCount = async (): Promise<unknown> =>
  (await sql.rows(`SELECT count(*) AS n FROM events WHERE workspace_id = $1 AND object = 'ticket'`, [workspace.id]))[0]
    ?.n;

describe('the form of a batch', () => {
  it.each<[string, unknown, Record<string, string>]>([
    ['no operations', {}, { operations: 'required' }],
    ['operations that are no list', { operations: 'x' }, { operations: 'type' }],
    ['an empty list', { operations: [] }, { operations: 'min' }],
    ['an unknown mode', { operations: [{ op: 'create' }], mode: 'x' }, { mode: 'enum' }],
    ['an unknown on_error', { operations: [{ op: 'create' }], on_error: 'x' }, { on_error: 'enum' }],
    ['dry_run as text', { operations: [{ op: 'create' }], dry_run: 'yes' }, { dry_run: 'type' }],
    ['an unknown member', { operations: [{ op: 'create' }], foo: 1 }, { foo: 'unknown_field' }],
    ['an unknown operation', { operations: [{ op: 'explode', id: 1 }] }, { 'operations[0].op': 'enum' }],
    ['a ref to nothing', { operations: [{ op: 'delete', id: '$zzz' }] }, { 'operations[0].id': 'not_found' }],
    ['neither id nor ids', { operations: [{ op: 'delete' }] }, { 'operations[0].id': 'required' }],
    ['both of them', { operations: [{ op: 'delete', id: 1, ids: [2] }] }, { 'operations[0].id': 'conflict' }],
    [
      '51 operations',
      { operations: Array.from({ length: 51 }, () => ({ op: 'delete', id: 1 })) },
      { operations: 'max' },
    ],
    [
      '51 ids',
      { operations: [{ op: 'delete', ids: Array.from({ length: 51 }, (_, index) => index + 1) }] },
      { operations: 'max' },
    ],
  ])('is refused as a whole: %s', async (_name, body, codes) => {
    const answer = await send(body);
    expect([answer.status, answer.codes]).toEqual([422, codes]);
    expect(await eventCount()).toBe(0);
  });

  it('holds fifty operations', async () => {
    const outcome = await runBatch(
      workspace.api,
      Array.from({ length: 50 }, (_, index) => ({ op: 'create', data: { subject: `s${index}` } })),
    );
    expect(outcome.summary.succeeded).toBe(50);
    expect(await total()).toBe(50);
  });

  it('does nothing where what another operation takes was given', async () => {
    const { id } = (await workspace.api.post('/tickets', { subject: 'x', status: 'resolved' })).expect(201).data;
    const operations = ['delete', 'unassign', 'reopen'].map((op) => ({ op, id, data: { subject: 'y' } }));
    const { results } = await runBatch(workspace.api, operations);
    expect(results.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect((await workspace.api.get(`/tickets/${id}`)).data).toMatchObject({ status: 'resolved', subject: 'x' });
    expect((await runBatch(workspace.api, [{ op: 'delete', id, data: {} }])).summary.succeeded).toBe(1);
  });

  it('needs the write scope', async () => {
    const answer = await workspace.readApi.post('/tickets/batch', {
      operations: [{ op: 'create', data: { subject: 'x' } }],
    });
    expect([answer.status, answer.error.type]).toEqual([403, 'insufficient_scope']);
  });
});

describe('a batch with an idempotency key', () => {
  it('is replayed as a whole, failures included', async () => {
    const body = {
      operations: [
        { op: 'create', data: { subject: 'x' } },
        { op: 'create', data: {} },
      ],
    };
    const headers = { 'idempotency-key': 'batch-1' };
    const first = (await send(body, headers)).expect(200);
    const again = (await send(body, headers)).expect(200);
    expect([again.text, again.header('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect(await total()).toBe(1);
    const other = await send({ operations: [{ op: 'create', data: { subject: 'y' } }] }, headers);
    expect([other.status, other.codes]).toEqual([422, { 'Idempotency-Key': 'idempotency_key_reuse' }]);
  });

  it('that was a dry run stays one', async () => {
    const body = { operations: [{ op: 'create', data: { subject: 'x' } }], dry_run: true };
    const headers = { 'idempotency-key': 'dry' };
    const first = (await send(body, headers)).expect(200);
    expect((await send(body, headers)).text).toBe(first.text);
    expect(await total()).toBe(0);
  });
});
