import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { JobSteps } from '../../src/areas/migration/run/job-steps';
import type { RuntimeConfig } from '../../src/platform/context/runtime-config';
import { ApiError } from '../../src/platform/errors/api-error';
import { useOwnApp } from '../support/app';
import { make, makeTicket, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { migrated, planned, rowsOf, sent, turn, worked } from '../support/migrations';
import { userApi } from '../support/people';
import { scratchDatabase } from '../support/scratch-database';
import { openSql, type Sql } from '../support/sql';
import { makeWorkspace } from '../support/workspace';

// A store and a database of its own, and nobody at work but who is asked.
const dataDir = mkdtempSync(join(tmpdir(), 'helpdesk-migration-'));
const overrides: Partial<RuntimeConfig> = { dataDir, role: 'api' };
let sql: Sql & { end(): Promise<void> };
let drop: () => Promise<void>;
beforeAll(async () => {
  const scratch = await scratchDatabase({ migrated: true });
  Object.assign(overrides, { databaseUrl: scratch.serviceUrl });
  sql = openSql(scratch.url);
  drop = () => scratch.drop();
});
const server = useOwnApp(overrides);
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await sql.end();
  await drop();
  rmSync(dataDir, { recursive: true, force: true });
});

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
      status: 'resolved',
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
    expect(await worked(server, workspace, id)).toMatchObject({ status: 'rolled_back' });
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

  it('has exactly the same records, whoever dies at whichever page, and whoever comes second', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const table = [
      'id,subject,requester',
      ...Array.from({ length: 1_050 }, (_, n) => `${n},Subject ${n},p${n % 7}@old.example`),
    ];
    const id = await planned(workspace, { tickets: table.join('\n') });
    (await api.post(`/migration/jobs/${id}/validate`)).expect(200);
    await worked(server, workspace, id);
    (await api.post(`/migration/jobs/${id}/start`)).expect(200);
    const steps = server.app.get(JobSteps);
    const note = steps.note.bind(steps);
    let calls = 0;
    // Whatever a page has written is in the transaction that ends here.
    jest.spyOn(steps, 'note').mockImplementation(async (...given) => {
      await note(...given);
      if (++calls % 2 === 1) throw new ApiError('service_unavailable', 'The node dies.');
    });
    let deaths = 0;
    for (let goesOn = true; goesOn;) {
      const both = await Promise.allSettled([turn(server, workspace, id), turn(server, workspace, id)]);
      deaths += both.filter(({ status }) => status === 'rejected').length;
      goesOn = (await api.get(`/migration/jobs/${id}`)).data.status === 'running';
    }
    expect(deaths).toBeGreaterThanOrEqual(5);
    const done = (await api.get(`/migration/jobs/${id}`)).data;
    expect(done).toMatchObject({
      status: 'completed',
      progress: { total: 1_050, processed: 1_050, created: 1_050, skipped: 0 },
    });
    expect((await api.get('/tickets')).meta.total).toBe(1_050);
    const [found] = await sql.rows(
      `SELECT count(DISTINCT external_id)::integer AS tickets, count(DISTINCT contact_id)::integer AS people, count(DISTINCT number)::integer AS numbers
       FROM tickets WHERE workspace_id = $1`,
      [workspace.id],
    );
    expect(found).toEqual({ tickets: 1_050, people: 7, numbers: 1_050 });
    expect((await api.get('/contacts')).meta.total).toBe(7);
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

describe('pushed records', () => {
  it('come in once, wait for those they name, and fail where they name each other', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const { id } = (
      await api.post('/migration/jobs', { source: 'api', mode: 'import', options: { namespace: 'old' } })
    ).expect(201).data;
    const push = (records: object[], entity = 'tickets'): ReturnType<typeof api.post> =>
      api.post(`/migration/jobs/${id}/records`, { entity, records });
    const records = [
      { id: 2, subject: 'Child', parent: 1, status: 'closed', created_at: 1_550_000_000 },
      { id: 1, subject: 'Parent', requester: { email: 'Ada@Old.example' } },
      { id: 3, subject: 'Circle', parent: 4 },
      { id: 4, subject: 'Circle', parent: 3 },
    ];
    expect((await push(records)).expect(200).data).toEqual({ accepted: 4, repeated: 0 });
    (await api.post(`/migration/jobs/${id}/validate`)).expect(200);
    expect((await worked(server, workspace, id)).status).toBe('ready');
    (
      await api.patch(`/migration/jobs/${id}`, {
        mapping: {
          tickets: {
            fields: {
              id: 'external_id',
              subject: 'subject',
              parent: 'parent_id',
              status: 'status',
              created_at: 'created_at',
              'requester.email': 'requester_email',
            },
          },
        },
      })
    ).expect(200);
    (await api.post(`/migration/jobs/${id}/validate`)).expect(200);
    await worked(server, workspace, id);
    (await api.post(`/migration/jobs/${id}/start`)).expect(200);
    const done = await worked(server, workspace, id);
    expect(done).toMatchObject({
      status: 'completed_with_errors',
      progress: { total: 4, processed: 4, created: 2, failed: 2 },
    });
    const [parent] = (await api.get('/tickets?external_id=old:1')).rows;
    expect(parent).toMatchObject({ subject: 'Parent', requester_email: 'ada@old.example' });
    expect((await api.get('/tickets?external_id=old:2')).rows).toMatchObject([
      { parent_id: parent?.id, created_at: '2019-02-12T19:33:20.000Z', status: 'closed' },
    ]);
    expect((await push(records.slice(0, 2))).data).toEqual({ accepted: 0, repeated: 2 });
    expect((await push([{ id: 5, ticket: 1, body: 'Late' }], 'ticket_comments')).data).toEqual({
      accepted: 1,
      repeated: 0,
    });
    const mapping = {
      ...(done.mapping as object),
      ticket_comments: { fields: { id: 'external_id', ticket: 'ticket_id', body: 'body' } },
    };
    (await api.post(`/migration/jobs/${id}/pause`)).expect(200);
    (await api.patch(`/migration/jobs/${id}`, { mapping })).expect(200);
    (await api.post(`/migration/jobs/${id}/resume`)).expect(200);
    await worked(server, workspace, id);
    expect((await api.get(`/tickets/${parent?.id}/comments`)).rows).toMatchObject([{ body: 'Late' }]);
    (await push([{ subject: 'No id' }])).expect(422);
    (await push([], 'tickets')).expect(422);
    expect((await push([{ id: 1 }], 'quotes')).expect(422).codes).toEqual({ entities: 'enum' });
  });
});

describe('what is refused', () => {
  it('is what nobody may, what is no source, and what does not fit', async () => {
    const workspace = await makeWorkspace(server);
    const { api, readApi } = workspace;
    (await readApi.post('/migration/jobs', { source: 'csv' })).expect(403);
    const agent = await userApi(server, workspace, { role: 'supervisor' });
    (await agent.api.get('/migration/jobs')).expect(403);
    const narrow = await userApi(server, workspace, { role: 'admin', ticket_scope: 'assigned' });
    (await narrow.api.post('/migration/jobs', { source: 'csv' })).expect(403);
    (await api.post('/migration/jobs', { source: 'fax' })).expect(422);
    const mapping = { tickets: { fields: { a: 'nothing', b: 'custom_fields.b' } } };
    const wrong = (await api.post('/migration/jobs', { source: 'csv', mapping })).expect(422);
    expect(wrong.codes).toEqual({ 'mapping.tickets.fields.a': 'unknown_field' });
    const { id } = (await api.post('/migration/jobs', { source: 'csv' })).expect(201).data;
    (await api.post(`/migration/jobs/${id}/validate`)).expect(422);
    const send = (content: string | Buffer, entity = 'tickets'): ReturnType<typeof api.post> =>
      api.post(`/migration/jobs/${id}/files?entity=${entity}`, Buffer.from(content), { 'content-type': 'text/csv' });
    (await send('a,b\n1,2\n', 'quotes')).expect(422);
    (await send('\n')).expect(422);
    (await send(Buffer.from([0x1f, 0x8b, 8, 0, 0, 1, 2, 3]))).expect(422);
    const other = await makeWorkspace(server);
    (await other.api.post(`/migration/jobs/${id}/files`, Buffer.from('a\n1\n'), { 'content-type': 'text/csv' })).expect(
      404,
    );
    (await other.api.get(`/migration/jobs/${id}/records`)).expect(404);
  });

  it('is no owner from outside, and nobody becomes two', async () => {
    const workspace = await makeWorkspace(server);
    await makeUser(workspace.api, { email: 'ines@here.example' });
    const users =
      'id,name,email,role\n1,Ines,INES@here.example,agent\n2,Max,max@old.example,agent\n3,Boss,boss@old.example,owner\n';
    const done = await migrated(server, workspace, { users });
    expect(done).toMatchObject({ progress: { created: 1, skipped: 1, failed: 1 } });
    expect((await workspace.api.get('/users?email=max@old.example')).rows).toMatchObject([
      { source: 'import', role: 'agent' },
    ]);
  });

  it('is nothing of a table in another writing', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const table = 'id;name;name;;email\n1;Jörg „Straße“ €;x;y;joerg@old.example\n';
    const windows = Buffer.from([...table].map((c) => ({ '„': 0x84, '“': 0x93, '€': 0x80 })[c] ?? c.charCodeAt(0)));
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(table, 'utf16le')]);
    const writings = {
      windows,
      wide,
      packed: gzipSync(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(table)])),
    };
    for (const [namespace, content] of Object.entries(writings)) {
      const id = await planned(workspace, { contacts: content }, { options: { namespace } });
      (await api.post(`/migration/jobs/${id}/validate`)).expect(200);
      const { mapping } = await worked(server, workspace, id);
      expect(mapping).toEqual({
        contacts: {
          fields: {
            id: 'external_id',
            name: 'name',
            email: 'email',
            'name (2)': 'custom_fields.name_2',
            column_4: 'custom_fields.column_4',
          },
          values: {},
        },
      });
      (await api.post(`/migration/jobs/${id}/start`)).expect(200);
      await worked(server, workspace, id);
      const [contact] = (await api.get('/contacts?email=joerg@old.example')).rows;
      expect(contact).toMatchObject({ name: 'Jörg „Straße“ €', external_id: `${namespace}:1` });
      (await api.delete(`/contacts/${contact?.id}`)).expect(200);
    }
  });

  it('is cut or refused where a record is beyond all bounds', async () => {
    const workspace = await makeWorkspace(server);
    const marks = `a${'\u0301'.repeat(130_000)}`;
    const records = [
      { id: '007', subject: 's'.repeat(400), description: '=HYPERLINK("http://x")' },
      { id: '7', subject: marks },
      { id: 8, subject: 'long', description: 'x'.repeat(3 * 1_048_576) },
    ];
    const lines = records.map((record) => JSON.stringify(record)).join('\n');
    for (const content of [lines, `{"tickets": [${records.map((record) => JSON.stringify(record)).join(' , ')}]}`]) {
      const { id } = (await workspace.api.post('/migration/jobs', { source: 'json', mode: 'import' })).expect(201).data;
      await sent(workspace, id, 'tickets', content, 'application/octet-stream');
      (await workspace.api.post(`/migration/jobs/${id}/validate`)).expect(200);
      expect((await worked(server, workspace, id)).validation).toMatchObject({
        problems: [{ code: 'too_long', line: 3 }],
      });
      (await workspace.api.post(`/migration/jobs/${id}/start`)).expect(200);
      const done = await worked(server, workspace, id);
      const kept = (await workspace.api.get('/tickets?external_id=007')).rows;
      expect(kept).toMatchObject([{ subject: 's'.repeat(255), description: '=HYPERLINK("http://x")' }]);
      expect((await workspace.api.get('/tickets?external_id=7')).rows).toMatchObject([
        { subject: `a${'\u0301'.repeat(30)}` },
      ]);
      const [first] = (await workspace.api.get(`/migration/jobs/${id}/records?external_id=007`)).rows;
      if (first?.status === 'created') expect(first.warnings).toEqual(['subject: cut at 255 characters']);
      expect((done.progress as { failed: number }).failed).toBe(1);
    }
    await make(workspace.api, '/companies');
  });
});
