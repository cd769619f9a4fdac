import { BulkRunner } from '../../src/areas/macros/bulk/bulk-runner';
import { undoable, undoing } from '../../src/areas/macros/bulk/undo-plan';
import { Database } from '../../src/platform/database/database';
import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { holdingRows } from '../support/held-rows';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { userApi } from '../support/people';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

const TAG = [{ type: 'add_tags', tags: 'checked' }];

async function start(api: Api, body: Record<string, unknown>): Promise<Fields> {
  return (await api.post('/tickets/bulk', body)).expect(202).data;
}

async function ended(api: Api, { id }: Fields): Promise<Fields> {
  let job: Fields = { id };
  await until('the bulk job is over', async () => {
    job = (await api.get(`/bulk-jobs/${id}`)).expect(200).data;
    return job.status === 'completed' || job.status === 'cancelled';
  });
  return job;
}

async function several(api: Api, count: number, body: Record<string, unknown> = {}): Promise<Fields[]> {
  const made: Fields[] = [];
  for (let index = 0; index < count; index++) made.push(await makeTicket(api, body));
  return made;
}

const stored = async (api: Api, id: number): Promise<Fields> => (await api.get(`/tickets/${id}`)).expect(200).data;

it('does its actions to exactly the tickets that the filter finds now, as whoever asks', async () => {
  const workspace = await makeWorkspace(server);
  const { user, api } = await userApi(server, workspace, { name: 'Ines' });
  const tickets = await several(api, 3, { priority: 'low' });
  const other = await makeTicket(api, { priority: 'high' });
  const answer = (
    await api.post('/tickets/bulk', {
      filter: { priority: 'low', status: 'open' },
      actions: [...TAG, { type: 'add_comment', body: 'Checked {{ticket.code}}', is_internal: true }],
    })
  ).expect(202);
  expect(answer.data).toMatchObject({ status: 'queued', total: 3, filter: { priority: 'low', status: 'open' } });
  expect(answer.header('location')).toBe(`/v1/bulk-jobs/${answer.data.id}`);
  const job = await ended(api, answer.data);
  expect(job).toMatchObject({
    kind: 'apply',
    status: 'completed',
    done_count: 3,
    unchanged_count: 0,
    failed_count: 0,
    errors: [],
    actor: { type: 'user', id: user.id },
  });
  for (const { id, code } of tickets) {
    expect(await stored(api, id)).toMatchObject({ tags: 'checked', comment_count: 1 });
    const [comment] = (await api.get(`/tickets/${id}/comments`)).rows;
    expect(comment).toMatchObject({ body: `Checked ${String(code)}`, author_id: user.id, author_name: 'Ines' });
    const history = (await api.get(`/tickets/${id}/history`)).rows;
    expect(history.every(({ actor }) => (actor as Fields).id === user.id)).toBe(true);
  }
  expect((await stored(api, other.id)).tags).toBe('');
  const types = (await eventsOf(server, workspace, 'bulk_job', job.id)).map(({ type }) => type);
  expect(types).toEqual(['bulk_job.created', 'bulk_job.started', 'bulk_job.completed']);
});

it('applies a macro as it was when the job was made, and tells of each ticket that it cannot do', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const open = await makeTicket(api);
  const closed = await makeTicket(api, { status: 'closed' });
  const actions = [...TAG, { type: 'set_field', field: 'status', value: 'on_hold' }];
  const macro = (await api.post('/macros', { name: 'Check', actions })).expect(201).data;
  const job = await ended(api, await start(api, { ids: [closed.id, open.id], macro_id: macro.id }));
  expect(job).toMatchObject({
    macro_name: 'Check',
    total: 2,
    done_count: 1,
    failed_count: 1,
    errors: [{ ticket_id: closed.id, error: expect.stringContaining('set_field') as string }],
  });
  expect((await stored(api, closed.id)).tags).toBe('');
  const told = (await eventsOf(server, workspace, 'ticket', open.id)).map(({ type }) => type);
  expect(told).toContain('ticket.macro_applied');
  expect((await api.get(`/macros/${macro.id}`)).data.use_count).toBe(1);
  const again = await ended(api, await start(api, { ids: [open.id], actions: TAG }));
  expect(again).toMatchObject({ done_count: 0, unchanged_count: 1 });
});

it('is undone where nobody changed anything since; what was said stays', async () => {
  const { api } = await makeWorkspace(server);
  const [one, two, three] = await several(api, 3, { priority: 'low', tags: 'old' });
  const ids = [one, two, three].map((ticket) => ticket?.id ?? 0);
  const job = await ended(
    api,
    await start(api, {
      ids,
      actions: [
        ...TAG,
        { type: 'set_field', field: 'status', value: 'resolved' },
        { type: 'set_field', field: 'priority', value: 'high' },
        { type: 'add_comment', body: 'Done.' },
      ],
    }),
  );
  expect(job.done_count).toBe(3);
  (await api.patch(`/tickets/${ids[1]}`, { priority: 'urgent' })).expect(200);
  (await api.patch(`/tickets/${ids[2]}`, { priority: 'urgent', tags: 'new', status: 'closed' })).expect(200);
  const undo = (await api.post(`/bulk-jobs/${job.id}/undo`)).expect(202).data;
  expect(await ended(api, undo)).toMatchObject({
    kind: 'undo',
    undoes_id: job.id,
    total: 3,
    done_count: 2,
    unchanged_count: 1,
  });
  expect(await stored(api, ids[0] ?? 0)).toMatchObject({
    priority: 'low',
    tags: 'old',
    status: 'open',
    reply_count: 1,
  });
  expect(await stored(api, ids[1] ?? 0)).toMatchObject({ priority: 'urgent', tags: 'old', status: 'open' });
  expect(await stored(api, ids[2] ?? 0)).toMatchObject({ priority: 'urgent', tags: 'new', status: 'closed' });
  expect((await api.post(`/bulk-jobs/${job.id}/undo`)).expect(422).codes).toEqual({ undoes_id: 'duplicate' });
  (await api.post(`/bulk-jobs/${undo.id}/undo`)).expect(422);
});

it('that is cancelled touches no further ticket, and is not done again by a worker that comes late', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const ids = (await several(api, 2)).map(({ id }) => id);
  const job = await ended(api, await start(api, { ids, actions: TAG }));
  // As a worker finds it that died after the first ticket, and then one that comes after the job was cancelled.
  const reopen = (status: string): Promise<unknown> =>
    sql.rows(`UPDATE bulk_jobs SET status = $2, finished_at = NULL, done_count = 1 WHERE id = $1`, [job.id, status]);
  await sql.rows(`UPDATE bulk_job_items SET state = 'pending' WHERE job_id = $1 AND ticket_id = $2`, [job.id, ids[1]]);
  (await api.patch(`/tickets/${ids[0]}`, { tags: '' })).expect(200);
  (await api.patch(`/tickets/${ids[1]}`, { tags: '' })).expect(200);
  await reopen('cancelled');
  await work(workspace, job.id);
  expect((await stored(api, ids[1] ?? 0)).tags).toBe('');
  await reopen('running');
  await work(workspace, job.id);
  expect([(await stored(api, ids[0] ?? 0)).tags, (await stored(api, ids[1] ?? 0)).tags]).toEqual(['', 'checked']);
  expect((await api.get(`/bulk-jobs/${job.id}`)).data).toMatchObject({ status: 'completed', done_count: 2 });
  const kept = (await api.post(`/bulk-jobs/${job.id}/cancel`)).expect(200).data;
  expect(kept.status).toBe('completed');
});

it('is undone with the ticket that it had in hand when it was cancelled', async () => {
  const { api } = await makeWorkspace(server);
  const ticket = await makeTicket(api, { priority: 'low' });
  const actions = [{ type: 'set_field', field: 'priority', value: 'urgent' }];
  const undoing = await holdingRows('SELECT FROM tickets WHERE id = $1', [ticket.id], async ({ waiting }) => {
    const job = await start(api, { ids: [ticket.id], actions });
    await waiting(1);
    (await api.post(`/bulk-jobs/${job.id}/cancel`)).expect(200);
    const answer = api.post(`/bulk-jobs/${job.id}/undo`);
    // It waits until the ticket is done.
    await Promise.race([answer, waiting(2)]);
    return { answer };
  });
  const undo = (await undoing.answer).expect(202).data;
  expect(await ended(api, undo)).toMatchObject({ status: 'completed', total: 1, done_count: 1 });
  expect(await stored(api, ticket.id)).toMatchObject({ priority: 'low' });
});

it('counts the uses of its macro, also when it is cancelled on the way', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const ids = (await several(api, 3)).map(({ id }) => id);
  const macro = (await api.post('/macros', { name: 'Check', actions: TAG })).expect(201).data;
  const job = await ended(api, await start(api, { ids, macro_id: macro.id }));
  const uses = async (): Promise<unknown> => (await api.get(`/macros/${macro.id}`)).expect(200).data.use_count;
  expect(await uses()).toBe(3);
  // As a worker finds it that comes when two of its tickets are done and it has been cancelled.
  await sql.rows(`UPDATE bulk_jobs SET status = 'cancelled', done_count = 2 WHERE id = $1`, [job.id]);
  await work(workspace, job.id);
  expect(await uses()).toBe(5);
});

it('does what whoever asked may do by then, and nothing more for somebody who has left', async () => {
  const workspace = await makeWorkspace(server);
  const { user, api } = await userApi(server, workspace);
  const ids = (await several(workspace.api, 2)).map(({ id }) => id);
  const job = await ended(workspace.api, await start(api, { ids, actions: TAG }));
  const again = async (): Promise<Fields> => {
    await sql.rows(`UPDATE bulk_jobs SET status = 'running', finished_at = NULL WHERE id = $1`, [job.id]);
    await sql.rows(`UPDATE bulk_job_items SET state = 'pending' WHERE job_id = $1 AND ticket_id = $2`, [
      job.id,
      ids[1],
    ]);
    (await workspace.api.patch(`/tickets/${ids[1]}`, { tags: '' })).expect(200);
    await work(workspace, job.id);
    expect((await stored(workspace.api, ids[1] ?? 0)).tags).toBe('');
    return (await workspace.api.get(`/bulk-jobs/${job.id}`)).expect(200).data;
  };
  const becomes = async (body: object, known: (status: number, data: Fields) => boolean): Promise<void> => {
    (await workspace.api.patch(`/users/${user.id}`, body)).expect(200);
    await until('the change of the user is known', async () => {
      const { status, body: answer } = await api.get('/me');
      return known(status, (answer.data ?? {}) as Fields);
    });
  };
  await becomes({ ticket_scope: 'assigned' }, (_, me) => (me.user as Fields).ticket_scope === 'assigned');
  expect(await again()).toMatchObject({ failed_count: 1, errors: [{ error: `No ticket ${ids[1]}.` }] });
  const light = { ticket_scope: 'all', role: 'light_agent' };
  await becomes(light, (_, me) => (me.user as Fields).role === 'light_agent');
  const [refused] = (await again()).errors as { error: string }[];
  expect(refused?.error).toContain('tickets.update');
  await becomes({ status: 'deactivated' }, (status) => status === 401);
  expect((await again()).status).toBe('cancelled');
});

/** A worker's turn at a job, as a node takes it. */
async function work({ id: workspaceId }: TestWorkspace, id: number): Promise<void> {
  const runner = server.app.get(BulkRunner);
  const system = { type: 'system', id: null, name: 'test' } as const;
  await server.app.get(Database).inWorkspace(workspaceId, system, async () => {
    const outcome = await runner.perform({
      id: 0,
      workspace_id: workspaceId,
      kind: 'bulk_job',
      subject_id: id,
      group_id: id,
      attempt: 1,
    });
    const { settle } = outcome;
    if (settle) await server.app.get(Database).transaction(settle);
  });
}

it('takes one way to say which tickets and one to say what, checked before anything is done', async () => {
  const { api } = await makeWorkspace(server);
  const { id } = await makeTicket(api);
  const refused = async (body: object): Promise<unknown> => (await api.post('/tickets/bulk', body)).expect(422).codes;
  const macro = (await api.post('/macros', { name: 'Check', actions: TAG })).expect(201).data;
  expect(await refused({ actions: TAG })).toEqual({ filter: 'required' });
  expect(await refused({ ids: [id], filter: {}, actions: TAG })).toEqual({ ids: 'conflict' });
  expect(await refused({ ids: [id] })).toEqual({ actions: 'required' });
  expect(await refused({ ids: [id], actions: TAG, macro_id: macro.id })).toEqual({ macro_id: 'conflict' });
  expect(await refused({ ids: [id], macro_id: 8_999_999_999_999 })).toEqual({ macro_id: 'not_found' });
  expect(await refused({ ids: [id], actions: [{ type: 'zzz' }] })).toEqual({ 'actions[0].type': 'enum' });
  expect(await refused({ ids: [id, 8_999_999_999_999], actions: TAG })).toEqual({ ids: 'not_found' });
  expect(await refused({ filter: { zzz: '1' }, actions: TAG })).toEqual({ 'filter.zzz': 'unknown_filter' });
  expect(await refused({ filter: { assigned_to: 'me' }, actions: TAG })).toEqual({ assigned_to: 'not_found' });
  expect((await api.get('/bulk-jobs')).rows).toEqual([]);
});

it('has a place for five of a workspace at a time', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const { id } = await makeTicket(api);
  await sql.rows(
    `INSERT INTO bulk_jobs (workspace_id, kind, status) SELECT $1, 'apply', 'queued' FROM generate_series(1, 5)`,
    [workspace.id],
  );
  (await api.post('/tickets/bulk', { ids: [id], actions: TAG })).expect(409);
  const [job] = (await api.get('/bulk-jobs?status=queued')).rows;
  expect((await api.post(`/bulk-jobs/${job?.id}/cancel`)).expect(200).data.status).toBe('cancelled');
  (await api.post('/tickets/bulk', { ids: [id], actions: TAG })).expect(202);
});

describe('what an undo sets back', () => {
  const change = (from: unknown, to: unknown): { from: unknown; to: unknown } => ({ from, to });

  it('is what can be set, and is still as it was left', () => {
    const changes = undoable({ priority: change('low', 'high'), tags: change('', 'a'), reply_count: change(0, 1) });
    expect(changes).toEqual({ priority: change('low', 'high'), tags: change('', 'a') });
    expect(undoing(changes ?? {}, { priority: 'high', tags: 'a,b', reply_count: 1 })).toEqual({ priority: 'low' });
    expect(undoable({ reply_count: change(0, 1) })).toBeNull();
  });
});
