import { ApiError } from '../../src/platform/errors/api-error';
import { makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { rowsOf } from '../support/counted-rows';
import { migrated, migratedFrom, planned, turn, useMigrationApp, worked } from '../support/migrations';
import { useServiceServer } from '../support/old-desks/fake-service';
import { zendeskServer } from '../support/old-desks/zendesk-server';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const { server, sql } = useMigrationApp();
const old = useServiceServer();
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
  // Resolved tickets of long ago stay as they are.
  (await workspace.api.patch('/workspace', { settings: { auto_close_days: 0 } })).expect(200);
});

const HEAD = 'id,subject,status,priority,requester,tags,Updated,order no';
const FIRST = [
  HEAD,
  '17,Printer jams,open,low,paul@old.example,"a,b",2019-03-01T08:00:00Z,A1',
  '18,Login,open,medium,mia@old.example,,2019-03-01T09:00:00Z,B1',
].join('\n');
const LATER = [
  HEAD,
  '17,Printer jams again,resolved,low,paul@old.example,"a,c",2019-04-01T08:00:00Z,A2',
  '18,Login,open,medium,mia@old.example,,2019-03-01T09:00:00Z,',
].join('\n');
const COMMENTS = 'ID,Ticket,Body,Author,Created\n1,17,Hello,paul@old.example,2019-03-01 09:00';
const update = { options: { on_duplicate: 'update' } };

const ticket = async (external: string): Promise<Record<string, unknown> & { id: number }> => {
  const [found] = (await workspace.api.get(`/tickets?external_id=${external}`)).rows;
  return { ...found, id: found?.id ?? 0 };
};
const record = async (job: unknown, external: string, entity = 'tickets'): Promise<Record<string, unknown>> => {
  const query = `entity=${entity}&external_id=${external}`;
  return (await workspace.api.get(`/migration/jobs/${String(job)}/records?${query}`)).rows[0] ?? {};
};
const rolledBack = async (id: unknown): Promise<void> => {
  (await workspace.api.post(`/migration/jobs/${String(id)}/rollback`)).expect(200);
  expect(await worked(server, workspace, Number(id))).toMatchObject({ status: 'rolled_back' });
};

describe('a later migration', () => {
  it('shows what it would change, changes that alone without a word to anybody, and puts it back', async () => {
    const { api } = workspace;
    const before = await rowsOf(sql, workspace);
    const first = await migrated(server, workspace, { tickets: FIRST, ticket_comments: COMMENTS });
    const made = await ticket('17');
    const ids = [made.id, (await ticket('18')).id];

    const id = await planned(
      workspace,
      { tickets: LATER, ticket_comments: COMMENTS.replace('Hello', 'Hello!') },
      update,
    );
    (await api.post(`/migration/jobs/${id}/validate`)).expect(200);
    const checked = await worked(server, workspace, id);
    expect(checked).toMatchObject({
      status: 'ready',
      validation: {
        entities: [
          { entity: 'tickets', valid: 2, updates: 2 },
          { entity: 'ticket_comments', updates: 1 },
        ],
        revisions: [
          {
            ...{ entity: 'tickets', external_id: '17', id: made.id, kept: [] },
            changes: {
              subject: { from: 'Printer jams', to: 'Printer jams again' },
              status: { from: 'open', to: 'resolved' },
              tags: { from: 'a,b', to: 'a,c' },
              'custom_fields.order_no': { from: 'A1', to: 'A2' },
            },
          },
          { external_id: '18', changes: { 'custom_fields.order_no': { from: 'B1', to: null } } },
          { entity: 'ticket_comments', changes: { body: { from: 'Hello', to: 'Hello!' } } },
        ],
      },
    });
    expect(await ticket('17')).toEqual(made);
    (await api.post(`/migration/jobs/${id}/start`)).expect(200);
    const done = await worked(server, workspace, id);
    expect(done).toMatchObject({ status: 'completed', progress: { created: 0, updated: 3, skipped: 0, failed: 0 } });
    expect(await ticket('17')).toMatchObject({
      ...{ id: made.id, subject: 'Printer jams again', status: 'resolved', tags: 'a,c', priority: 'low' },
      ...{ updated_at: '2019-04-01T08:00:00.000Z', resolved_at: '2019-04-01T08:00:00.000Z' },
      ...{ custom_fields: { order_no: 'A2' }, code: made.code, created_at: made.created_at, comment_count: 1 },
    });
    expect((await ticket('18')).custom_fields).toEqual({});
    expect((await api.get(`/tickets/${made.id}/comments`)).rows).toMatchObject([{ body: 'Hello!' }]);
    expect((await api.get(`/migration/jobs/${id}/report`)).data.entities).toMatchObject([
      { entity: 'tickets', records: { updated: 2 }, present: 2 },
      { entity: 'ticket_comments', records: { updated: 1 }, present: 1 },
    ]);
    expect(await record(id, '17')).toMatchObject({
      status: 'updated',
      changes: { subject: { from: 'Printer jams' }, resolved_at: { from: null } },
    });
    // Its history says so, and nobody was told.
    const history = (await api.get(`/tickets/${made.id}/history`)).rows.map(({ event_type }) => event_type);
    const told = await eventsOf(server, workspace, 'ticket', made.id);
    expect(told.map(({ type }) => type)).toEqual(['ticket.updated', 'ticket.comment_updated']);
    expect(history.length).toBeGreaterThanOrEqual(2);
    expect(
      await sql.rows(
        `SELECT count(*)::integer AS n FROM event_outbox o JOIN events e ON e.workspace_id = o.workspace_id AND e.id = o.event_id
         WHERE e.workspace_id = $2 AND e.object = 'ticket' AND e.object_id = $1`,
        [made.id, workspace.id],
      ),
    ).toEqual([{ n: 0 }]);

    const again = await migrated(server, workspace, { tickets: LATER }, update);
    expect(again).toMatchObject({ progress: { created: 0, updated: 0, skipped: 2 }, validation: { revisions: [] } });
    // Whoever is brought up to date goes back last.
    await rolledBack(first.id);
    expect((await ticket('17')).id).toBe(made.id);
    await rolledBack(id);
    const back = await ticket('17');
    const { version: _, ...asBefore } = made;
    expect({ ...back, version: undefined }).toEqual({ ...asBefore, version: undefined });
    expect((await api.get(`/tickets/${made.id}/comments`)).rows).toMatchObject([{ body: 'Hello', edited_at: null }]);
    expect(await record(id, '17')).toMatchObject({ status: 'rolled_back', changes: null });
    expect(ids).toContain((await ticket('18')).id);
    const third = await migrated(server, workspace, { tickets: LATER, ticket_comments: COMMENTS }, update);
    expect(third).toMatchObject({ progress: { updated: 2, skipped: 1 } });
    await rolledBack(third.id);
    await sql.rows(`UPDATE migration_jobs SET status = 'completed' WHERE id = $1`, [first.id]);
    await rolledBack(first.id);
    expect(await rowsOf(sql, workspace)).toEqual(before);
  });

  it('leaves what somebody changed here, unless the source is to win, and puts back what nobody touched', async () => {
    const { api } = workspace;
    await migrated(server, workspace, { tickets: FIRST });
    const { id } = await ticket('17');
    (
      await api.patch(`/tickets/${id}`, {
        subject: 'Ours',
        priority: 'urgent',
        custom_fields: { order_no: 'A1', own: 1 },
      })
    ).expect(200);
    const kept = await migrated(server, workspace, { tickets: LATER }, update);
    expect(kept).toMatchObject({ status: 'completed', progress: { updated: 2 } });
    expect(await ticket('17')).toMatchObject({
      ...{ subject: 'Ours', priority: 'urgent', status: 'resolved', tags: 'a,c' },
      custom_fields: { order_no: 'A2', own: 1 },
    });
    const { warnings } = await record(kept.id, '17');
    expect(warnings).toEqual(['subject: changed here, too; it stays as it is here']);
    const same = await migrated(server, workspace, { tickets: LATER }, update);
    expect(same).toMatchObject({ progress: { updated: 0, skipped: 2 } });
    expect(same.validation).toMatchObject({ revisions: [{ external_id: '17', changes: {}, kept: ['subject'] }] });
    const wins = { options: { ...update.options, on_conflict: 'source_wins' } };
    const won = await migrated(server, workspace, { tickets: LATER }, wins);
    expect(won).toMatchObject({ progress: { updated: 1, skipped: 1 } });
    // The source never said another priority: that is ours.
    expect(await ticket('17')).toMatchObject({ subject: 'Printer jams again', priority: 'urgent' });

    (await api.patch(`/tickets/${id}`, { tags: 'mine' })).expect(200);
    await rolledBack(won.id);
    expect(await ticket('17')).toMatchObject({ subject: 'Ours', tags: 'mine' });
    await rolledBack(kept.id);
    expect(await ticket('17')).toMatchObject({ subject: 'Ours', tags: 'mine', status: 'open', resolved_at: null });
    expect(await record(kept.id, '17')).toMatchObject({ status: 'updated', changes: { tags: { from: 'a,b' } } });
    expect((await api.get(`/migration/jobs/${kept.id}/logs?level=warning`)).rows).toMatchObject([
      { entity: 'tickets', message: '1 stay as they are: somebody has changed them since.' },
    ]);
  });

  it('touches nothing that no migration made, that was merged or deleted, nor what belongs to another id', async () => {
    const { api } = workspace;
    const other = await makeWorkspace(server);
    const theirs = await makeTicket(other.api, { external_id: '17', subject: 'Theirs' });
    const ours = await makeTicket(api, { external_id: '17', subject: 'Ours', tags: '' });
    const contacts = 'id,name,email,phone\nc1,Paul,paul@old.example,1';
    await migrated(server, workspace, { contacts, tickets: FIRST.replace('17,Printer', '19,Printer') });
    const merged = await ticket('19');
    (await api.post(`/tickets/${merged.id}/merge`, { into_id: ours.id })).expect(200);
    const gone = await ticket('18');
    (await api.delete(`/tickets/${gone.id}`)).expect(200);
    const renamed = contacts.replace('c1,Paul,', 'c9,Pavel,');
    const tickets = `${LATER.replace('B1', 'B2')}\n19,Other,open,low,paul@old.example,,2019-04-01T08:00:00Z,A2`;
    const asked = { contacts: renamed, tickets: tickets.replace('18,Login', '18,Login!') };
    const done = await migrated(server, workspace, asked, update);
    expect(done).toMatchObject({ status: 'completed', progress: { created: 0, updated: 0, skipped: 4, failed: 0 } });
    const why = async (external: string, entity?: string): Promise<unknown> =>
      (await record(done.id, external, entity)).warnings;
    expect(await why('17')).toEqual(['It stays as it is: it was not made by a migration of this id.']);
    expect(await why('18')).toEqual(['It stays as it is: it was deleted here.']);
    expect(await why('19')).toEqual([`It stays as it is: it was merged into ticket ${ours.id}.`]);
    expect(await why('c9', 'contacts')).toEqual(['It stays as it is: it was not made by a migration of this id.']);
    expect((await api.get(`/tickets/${ours.id}`)).data).toMatchObject({ subject: 'Ours', tags: '' });

    const all = { options: { ...update.options, update_existing: true } };
    const filled = await migrated(server, workspace, asked, all);
    expect(filled).toMatchObject({ progress: { updated: 1, skipped: 3 } });
    expect((await api.get(`/tickets/${ours.id}`)).data).toMatchObject({ subject: 'Ours', tags: 'a,c' });
    const again = await migrated(server, workspace, asked, all);
    expect(again).toMatchObject({ progress: { updated: 0, skipped: 4 } });
    expect((await other.api.get(`/tickets/${theirs.id}`)).data).toMatchObject({ subject: 'Theirs', tags: '' });
  });

  /** A turn; on a busy machine one waits for the records of the other in vain, and the queue lets it come back. */
  const insistentTurn = (id: number): Promise<boolean> =>
    turn(server, workspace, id).catch((error: unknown) => {
      if (error instanceof ApiError && error.type === 'service_unavailable') return true;
      throw error;
    });

  it('goes on where it was paused, and two of them at once change a record once', async () => {
    const { api } = workspace;
    const rows = (subject: string): string =>
      [
        'id,subject,Updated',
        ...Array.from({ length: 450 }, (_, n) => `${n},${subject} ${n},2019-03-0${subject.length}`),
      ].join('\n');
    await migrated(server, workspace, { tickets: rows('a') });
    const jobs: number[] = [];
    for (const subject of ['ab', 'ab']) {
      const id = await planned(workspace, { tickets: rows(subject) }, update);
      (await api.post(`/migration/jobs/${id}/validate`)).expect(200);
      await worked(server, workspace, id);
      jobs.push(id);
    }
    const [one = 0, two = 0] = jobs;
    (await api.post(`/migration/jobs/${one}/start`)).expect(200);
    (await api.post(`/migration/jobs/${one}/pause`)).expect(200);
    await worked(server, workspace, one);
    expect((await ticket('0')).subject).toBe('a 0');
    (await api.post(`/migration/jobs/${one}/resume`)).expect(200);
    (await api.post(`/migration/jobs/${two}/start`)).expect(200);
    await Promise.all(
      jobs.map(async (id) => {
        while (await insistentTurn(id));
      }),
    );
    const [first, second] = [
      (await api.get(`/migration/jobs/${one}`)).data,
      (await api.get(`/migration/jobs/${two}`)).data,
    ];
    const updated = [first, second].map(({ progress }) => (progress as { updated: number }).updated);
    expect([first.status, second.status]).toEqual(['completed', 'completed']);
    expect(updated.reduce((sum, n) => sum + n, 0)).toBe(450);
    const [found] = await sql.rows(
      `SELECT count(*)::integer AS n, count(*) FILTER (WHERE version = 2)::integer AS twice FROM tickets WHERE workspace_id = $1 AND subject LIKE 'ab %'`,
      [workspace.id],
    );
    expect(found).toEqual({ n: 450, twice: 450 });
  });

  it('of a service brings what changed there since, and a record that the database refuses costs itself alone', async () => {
    const { api } = workspace;
    old.become(zendeskServer);
    const connection = zendeskServer.connection(old.base);
    const job = { source: 'zendesk', connection };
    expect(await migratedFrom(server, workspace, job)).toMatchObject({ progress: { created: 18 } });
    const [changed] = old.desk.tickets;
    Object.assign(changed ?? {}, {
      subject: 'Another subject',
      updated_at: '2030-01-01T00:00:00Z',
      status: 'resolved',
    });
    const later = await migratedFrom(server, workspace, { ...job, ...update });
    expect(later).toMatchObject({ status: 'completed', progress: { created: 0, updated: 1, failed: 0 } });
    expect(await ticket(String(changed?.id))).toMatchObject({ subject: 'Another subject', status: 'resolved' });

    const contacts = 'id,email\nx1,one@old.example\nx2,two@old.example\nx3,three@old.example';
    await migrated(server, workspace, { contacts });
    const swapped = contacts.replace('two@', 'one@').replace('three@', 'four@');
    const refused = await migrated(server, workspace, { contacts: swapped }, update);
    expect(refused).toMatchObject({ status: 'completed_with_errors', progress: { updated: 1, skipped: 1, failed: 1 } });
    expect((await api.get('/contacts?email=four@old.example')).rows).toMatchObject([{ external_id: 'x3' }]);
  });
});
