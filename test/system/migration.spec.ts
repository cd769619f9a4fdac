import { makeTicket, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { rowsOf } from '../support/counted-rows';
import { migrated, planned, useMigrationApp, worked } from '../support/migrations';
import { opened, restOf } from '../support/tables';
import { makeWorkspace } from '../support/workspace';

const { server, sql } = useMigrationApp();

const CONTACTS = 'id,name,email\nc1,Paul Weber,paul@old.example\nc2,Mia Wolf,mia@old.example\n';
const TICKETS = [
  'Ticket ID;Betreff;Beschreibung;State;Prio level;Requester;Assignee;Kategorie;Created;Solved At;Notiz',
  '17;"Drucker; klemmt";"Erste Zeile\nZweite";Solved;x;paul@old.example;ines@here.example;Hardware;2019-03-01 08:00:00;2019-03-02T10:00:00+02:00;alt',
  '18;Login;;New;;neu@old.example;;hardware;01.04.2019 09:30;;',
].join('\n');
const COMMENTS = [
  'ID,Ticket,Body,Author,Private,Created',
  '1,17,Hello,paul@old.example,no,2019-03-01 09:00',
  '2,17,We look,ines@here.example,no,2019-03-01 10:00',
  '3,17,Between us,ines@here.example,yes,2019-03-01 11:00',
].join('\n');
const FILES = { contacts: CONTACTS, tickets: TICKETS, ticket_comments: COMMENTS };

describe('a migration', () => {
  it('is proposed and shown before anything is written, brings moments and authors, and goes without a trace', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const ines = await makeUser(api, { email: 'ines@here.example' });
    const before = await rowsOf(sql, workspace);
    const id = await planned(workspace, FILES, { mode: 'dry_run', options: { create_missing: ['categories'] } });
    (await api.post(`/migration/jobs/${id}/start`)).expect(422);
    expect((await api.post(`/migration/jobs/${id}/validate`)).expect(200).data.status).toBe('validating');
    const checked = await worked(server, workspace, id);
    expect(checked).toMatchObject({
      status: 'ready',
      mapping: {
        tickets: {
          fields: {
            'Ticket ID': 'external_id',
            Betreff: 'subject',
            Beschreibung: 'description',
            State: 'status',
            'Prio level': 'custom_fields.prio_level',
            Requester: 'requester_email',
            Assignee: 'assigned_to',
            Kategorie: 'category_id',
            'Solved At': 'resolved_at',
          },
          values: { status: { Solved: 'resolved', New: 'open' } },
        },
        ticket_comments: { fields: { Ticket: 'ticket_id', Author: 'author_email', Private: 'is_internal' } },
      },
      validation: { problems: [], unmapped: [] },
      progress: { total: 7, processed: 0 },
    });
    expect(await rowsOf(sql, workspace)).toEqual(before);
    expect((await api.post(`/migration/jobs/${id}/start`)).expect(422).codes).toEqual({ mode: 'dry_run' });
    (await api.patch(`/migration/jobs/${id}`, { mode: 'import' })).expect(200);
    (await api.post(`/migration/jobs/${id}/start`)).expect(200);
    const done = await worked(server, workspace, id);
    expect(done).toMatchObject({ status: 'completed', progress: { pct: 100, created: 7, skipped: 0, failed: 0 } });
    const [jammed] = (await api.get('/tickets?external_id=17&expand=comments,category,contact')).rows;
    expect(jammed).toMatchObject({
      subject: 'Drucker; klemmt',
      description: 'Erste Zeile\nZweite',
      // The rule of the workspace would have closed it long ago.
      ...{ status: 'closed', closed_at: '2019-03-09T08:00:00.000Z' },
      assigned_to: ines.id,
      created_at: '2019-03-01T08:00:00.000Z',
      resolved_at: '2019-03-02T08:00:00.000Z',
      sla_status: 'none',
      custom_fields: { prio_level: 'x', notiz: 'alt' },
      category: { name: 'Hardware' },
      contact: { name: 'Paul Weber' },
      comment_count: 3,
      reply_count: 1,
      first_response_at: '2019-03-01T10:00:00.000Z',
      last_requester_comment_at: '2019-03-01T09:00:00.000Z',
    });
    expect((await api.get(`/tickets/${jammed?.id}/comments`)).rows).toMatchObject([
      { author_type: 'requester', author_email: 'paul@old.example', created_at: '2019-03-01T09:00:00.000Z' },
      { author_type: 'agent', author_id: ines.id },
      { author_type: 'agent', is_internal: true },
    ]);
    expect(await eventsOf(server, workspace, 'ticket', jammed?.id ?? 0)).toEqual([]);
    expect((await api.get(`/migration/jobs/${id}/report`)).data.entities).toMatchObject([
      { entity: 'contacts', source: 2, present: 3, gone: 0 },
      { entity: 'categories', source: 0, present: 1 },
      { entity: 'tickets', source: 2, records: { created: 2 }, present: 2, failures: [] },
      { entity: 'ticket_comments', source: 3, present: 3 },
    ]);
    const records = (await api.get(`/migration/jobs/${id}/records?entity=tickets&sort=id`)).rows;
    expect(records).toMatchObject([
      { external_id: '17', status: 'created', local_id: jammed?.id, line: 2, error: null },
      { external_id: '18', status: 'created', line: 4 },
    ]);
    (await api.get(`/migration/jobs/${id}/records/${records[0]?.id}`)).expect(200);

    const after = await rowsOf(sql, workspace);
    const second = await migrated(server, workspace, FILES, { options: { create_missing: ['categories'] } });
    expect(second).toMatchObject({ status: 'completed', progress: { created: 0, skipped: 7, failed: 0 } });
    expect(await rowsOf(sql, workspace)).toEqual(after);

    (await api.post(`/migration/jobs/${id}/rollback`)).expect(200);
    expect(await worked(server, workspace, id)).toMatchObject({
      status: 'rolled_back',
      progress: { total: 7, processed: 7, pct: 100 },
    });
    expect(await rowsOf(sql, workspace)).toEqual(before);
    expect((await api.get('/tickets')).meta.total).toBe(0);
    expect((await api.get('/tickets?status=resolved')).meta.total).toBe(0);
    const told = (await eventsOf(server, workspace, 'migration_job', id)).map(({ type }) => type);
    expect(told.filter((type) => type !== 'migration.job_progress')).toEqual([
      'migration.job_created',
      ...Array.from({ length: 4 }, () => 'migration.job_updated'),
      'migration.job_validated',
      'migration.job_updated',
      'migration.job_started',
      'migration.job_completed',
      'migration.job_updated',
      'migration.job_rolled_back',
    ]);
  });

  it('loses the malformed rows alone, and brings them in when they are mended', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const bad = [
      '3,"never closed,open,2019-01-01',
      '3,too,many,cells,in,here',
      '3,Subject,nobody knows,2019-01-01',
      '3,Subject,open,2019-02-30',
      '3,Sub\0ject,open,2019-01-01',
    ];
    const rows = Array.from({ length: 500 }, (_, index) =>
      index % 100 === 50
        ? bad[Math.floor(index / 100)]?.replace(/^3/, `bad-${index}`)
        : `${index},Subject ${index},open,2019-01-01`,
    );
    const table = ['id,subject,status,created_at', ...rows].join('\r\n');
    const done = await migrated(server, workspace, { tickets: table });
    expect(done).toMatchObject({ status: 'completed_with_errors', progress: { total: 500, created: 495, failed: 5 } });
    expect(done.validation).toMatchObject({
      unmapped: [{ entity: 'tickets', field: 'status', value: 'nobody knows', count: 1 }],
    });
    const failures = (
      await api.get(`/migration/jobs/${done.id}/records?status=failed&sort=line`.replace('&sort=line', ''))
    ).rows;
    expect(failures.map(({ line }) => line).sort()).toEqual([152, 252, 352, 452, 52].sort());
    expect(failures.map(({ error }) => (error as { code: string }).code).sort()).toEqual(
      ['columns', 'format', 'format', 'malformed', 'unmapped_value'].sort(),
    );
    const found = async (q: string): Promise<unknown[]> =>
      (await api.get(`/migration/jobs/${done.id}/records?q=${encodeURIComponent(q)}`)).expect(200).rows;
    expect(await found('bad-250')).toMatchObject([{ external_id: 'bad-250', status: 'failed' }]);
    expect(await found('BAD 250')).toHaveLength(1);
    // Why a record failed is found, too.
    const [failed] = await found('bad-250');
    const message = (failed as { error: { message: string } }).error.message;
    expect(await found(`"${message.replaceAll('"', '')}"`)).toContainEqual(failed);
    expect(await found('zeppelin')).toEqual([]);
    expect((await api.get('/tickets')).meta.total).toBe(495);
    const mapping = done.mapping as { tickets: { values: Record<string, object> } };
    mapping.tickets.values.status = { ...mapping.tickets.values.status, 'nobody knows': 'closed' };
    (await api.patch(`/migration/jobs/${done.id}`, { mapping })).expect(422);
    (await api.post(`/migration/jobs/${done.id}/retry-failed`)).expect(200);
    (await api.post(`/migration/jobs/${done.id}/pause`)).expect(200);
    (await api.patch(`/migration/jobs/${done.id}`, { mapping })).expect(200);
    (await api.post(`/migration/jobs/${done.id}/resume`)).expect(200);
    const mended = await worked(server, workspace, done.id);
    expect(mended).toMatchObject({
      status: 'completed_with_errors',
      progress: { total: 500, created: 496, failed: 4 },
    });
    const [line] = (await api.get(`/migration/jobs/${done.id}/records?external_id=bad-250`)).rows;
    expect(line).toMatchObject({ status: 'created', attempts: 2, payload: null });
  });

  it('tells how far it is, as long as it moves', async () => {
    const workspace = await makeWorkspace(server);
    const { api, token } = workspace;
    const id = await planned(workspace, { contacts: CONTACTS });
    (await api.post(`/migration/jobs/${id}/validate`)).expect(200);
    const url = `${server.url}/v1/migration/jobs/${id}/progress`;
    const stream = await opened(url, token, { accept: 'text/event-stream' });
    expect(stream.headers['content-type']).toContain('text/event-stream');
    await worked(server, workspace, id);
    const told = (await restOf(stream)).toString();
    const states = [...told.matchAll(/"status":"(\w+)"/g)].map(([, status]) => status);
    expect([states[0], states.at(-1)]).toEqual(['validating', 'ready']);
    expect(told.trimEnd().endsWith('event: end\ndata: {}')).toBe(true);
    expect((await api.get(`/migration/jobs/${id}/progress`)).expect(200).data).toMatchObject({
      status: 'ready',
      progress: { total: 2, processed: 0 },
    });
    const other = await makeWorkspace(server);
    expect((await opened(url, other.token, { accept: 'text/event-stream' })).statusCode).toBe(404);
  });

  it('keeps what somebody has changed since, or names, when it is rolled back', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const done = await migrated(server, workspace, FILES, { options: { create_missing: ['categories'] } });
    const [changed] = (await api.get('/tickets?external_id=18')).rows;
    (await api.patch(`/tickets/${changed?.id}`, { priority: 'high' })).expect(200);
    const [mia] = (await api.get('/contacts?email=mia@old.example')).rows;
    await makeTicket(api, { requester_email: 'mia@old.example' });
    (await api.post(`/migration/jobs/${done.id}/rollback`)).expect(200);
    expect((await worked(server, workspace, done.id)).status).toBe('rolled_back');
    expect((await api.get(`/tickets/${changed?.id}`)).expect(200).data).toMatchObject({ priority: 'high' });
    (await api.get(`/contacts/${mia?.id}`)).expect(200);
    expect((await api.get('/tickets?external_id=17')).rows).toEqual([]);
    expect((await api.get('/contacts?email=paul@old.example')).rows).toEqual([]);
    const logs = (await api.get(`/migration/jobs/${done.id}/logs?level=warning`)).rows.map(({ entity }) => entity);
    expect(logs.sort()).toEqual(['categories', 'contacts', 'tickets']);
  });
});
