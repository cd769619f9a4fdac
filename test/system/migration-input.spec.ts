import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { workbook } from '../../src/platform/http/table/xlsx';
import { makeUser } from '../support/cast';
import { migrated, planned, sent, useMigrationApp, worked } from '../support/migrations';
import { userApi } from '../support/people';
import { book, CONTACTS_SHEET, rows, TICKETS_SHEET } from '../support/workbooks';
import { makeWorkspace } from '../support/workspace';

const { server } = useMigrationApp();

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

it.each([
  ['{"a":', 0, 'invalid'],
  ['[1, 2]', 0, 'invalid'],
  ['[{"id": 1, "subject": "Printer"},', 1, 'ready'],
])('a document that was cut, or is no list, says so: %s', async (content, valid, status) => {
  const workspace = await makeWorkspace(server);
  const { id } = (await workspace.api.post('/migration/jobs', { source: 'json' })).expect(201).data;
  await sent(workspace, id, 'tickets', content, 'application/json');
  (await workspace.api.post(`/migration/jobs/${id}/validate`)).expect(200);
  expect(await worked(server, workspace, id)).toMatchObject({
    status,
    validation: {
      entities: [{ valid, invalid: 1 }],
      problems: [{ entity: 'tickets', code: 'malformed', line: valid + 1 }],
    },
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
    const bytes: Record<string, number> = { '„': 0x84, '“': 0x93, '€': 0x80 };
    const windows = Buffer.from(Buffer.from(table, 'latin1').map((byte, at) => bytes[table.charAt(at)] ?? byte));
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
  });
});

describe('a workbook', () => {
  it('brings the sheets that are called like entities, with days, moments, results of formulas and texts in runs', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const { id } = (await api.post('/migration/jobs', { source: 'xlsx', mode: 'import' })).expect(201).data;
    const sheets = {
      Kontakte: [CONTACTS_SHEET],
      Notes: ['<row r="1"><c r="A1"><v>1</v></c></row>'],
      Tickets: [TICKETS_SHEET],
    };
    const content = await book(sheets);
    await sent(workspace, id, 'tickets', content, 'application/octet-stream');
    expect((await api.get(`/migration/jobs/${id}`)).data.files).toMatchObject([
      { entity: 'contacts', format: 'ndjson' },
      { entity: 'tickets' },
    ]);
    (await api.post(`/migration/jobs/${id}/validate`)).expect(200);
    expect(await worked(server, workspace, id)).toMatchObject({ status: 'ready', validation: { problems: [] } });
    (await api.post(`/migration/jobs/${id}/start`)).expect(200);
    expect(await worked(server, workspace, id)).toMatchObject({
      status: 'completed',
      progress: { created: 3, failed: 0 },
    });
    expect((await api.get('/tickets?external_id=17')).rows).toMatchObject([
      {
        ...{ subject: 'Paper jam', requester_email: 'paul@old.example', priority: 'high' },
        ...{ created_at: '2019-03-01T08:30:00.000Z', resolved_at: null },
        custom_fields: { cost: 12.5, due: '2019-03-02', ok: true },
      },
    ]);
    const [record] = (await api.get(`/migration/jobs/${id}/records?entity=tickets&external_id=18`)).rows;
    expect(record).toMatchObject({ status: 'created', line: 5 });
    const exported = await buffer(workbook(['id', 'name', 'email'], rows([['c7', 'Mia', 'mia@old.example']])));
    const other = (await api.post('/migration/jobs', { source: 'xlsx', mode: 'import' })).expect(201).data.id;
    await sent(workspace, other, 'contacts', exported, 'application/octet-stream');
    expect((await api.get(`/migration/jobs/${other}`)).data.files).toMatchObject([{ entity: 'contacts' }]);
  });

  it('is refused where it is none, declares entities, or unpacks to more than a workbook would', async () => {
    const { api } = await makeWorkspace(server);
    const { id } = (await api.post('/migration/jobs', { source: 'xlsx' })).expect(201).data;
    const refused = async (content: Buffer): Promise<unknown> =>
      (await api.post(`/migration/jobs/${id}/files`, content, { 'content-type': 'application/octet-stream' })).expect(
        422,
      ).codes;
    const whole = await book({ Tickets: [TICKETS_SHEET] });
    expect(await refused(Buffer.from('id,subject\n1,x'))).toEqual({ file: 'format' });
    expect(await refused(whole.subarray(0, whole.length - 40))).toEqual({ file: 'format' });
    expect(await refused(whole.subarray(30))).toEqual({ file: 'format' });
    expect(await refused(await book({}))).toEqual({ file: 'format' });
    expect(await refused(await book({ Tickets: ['<row><c><v>&x;</v></c></row>'] }))).toEqual({ file: 'format' });
    const laughs = '<!DOCTYPE l [<!ENTITY a "ha">]>';
    expect(await refused(await book({ Tickets: [TICKETS_SHEET] }, laughs))).toEqual({ file: 'format' });
    const bomb = await book({
      Tickets: [`<row><c t="inlineStr"><is><t>${' '.repeat(40 * 1_048_576)}</t></is></c></row>`],
    });
    expect(bomb.length).toBeLessThan(200_000);
    expect(await refused(bomb)).toEqual({ file: 'too_large' });
    expect((await api.get(`/migration/jobs/${id}`)).data.files).toEqual([]);
  });
});
