import fc from 'fast-check';
import { webAddress } from '../../src/areas/migration/mapping/web-address';
import type { Fields } from '../support/api';
import { make, makeTicket, makeUser } from '../support/cast';
import { rowsOf } from '../support/counted-rows';
import { migrated, planned, useMigrationApp, worked } from '../support/migrations';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const { server, sql } = useMigrationApp();
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

/** What became of the records of a job, in the order of their ids in the source. */
const recordsOf = async (job: unknown, entity = 'tickets'): Promise<Fields[]> => {
  const { rows } = (await workspace.api.get(`/migration/jobs/${String(job)}/records?entity=${entity}`)).expect(200);
  return rows.sort((left, right) => (String(left.external_id) < String(right.external_id) ? -1 : 1));
};

describe('where a record stood', () => {
  it('is kept with it where the source says an address of the web, failed or not, and is no field of what it became', async () => {
    const { api } = workspace;
    const tickets = [
      'id,subject,status,Link',
      '1,One,open,https://Old.example/t/1?x=ä',
      '2,Two,nowhere,http://old.example/t/2',
      '3,Three,open,',
    ].join('\n');
    const { id, mapping } = await migrated(server, workspace, { tickets });
    expect(mapping).toMatchObject({ tickets: { fields: { Link: 'source_url' } } });
    expect(await recordsOf(id)).toMatchObject([
      { external_id: '1', status: 'created', source_url: 'https://old.example/t/1?x=%C3%A4', warnings: [] },
      { external_id: '2', status: 'failed', source_url: 'http://old.example/t/2' },
      { external_id: '3', status: 'created', source_url: null, warnings: [] },
    ]);
    expect((await api.get('/tickets?external_id=1')).rows).toMatchObject([{ custom_fields: {} }]);

    // What is none is said; a column that says something else stays what it was.
    const body = { source: 'api', mode: 'import', mapping: { tickets: { fields: { at: 'source_url' } } } };
    const pushed = (await api.post('/migration/jobs', body)).expect(201).data.id;
    const records = ['javascript:alert(1)', 'https://u:p@old.example/', 17, 'https://old.example/7'];
    (
      await api.post(`/migration/jobs/${pushed}/records`, {
        entity: 'tickets',
        records: records.map((at, index) => ({ id: `p${index}`, subject: 'S', at, url: 'see 4' })),
      })
    ).expect(200);
    (await api.post(`/migration/jobs/${pushed}/validate`)).expect(200);
    expect(await worked(server, workspace, pushed)).toMatchObject({
      mapping: { tickets: { fields: { url: 'custom_fields.url' } } },
    });
    (await api.post(`/migration/jobs/${pushed}/start`)).expect(200);
    await worked(server, workspace, pushed);
    const warnings = ['source_url: no address of the web; left out'];
    expect(await recordsOf(pushed)).toMatchObject([
      ...[0, 1, 2].map((n) => ({ external_id: `p${n}`, status: 'created', source_url: null, warnings })),
      { external_id: 'p3', source_url: 'https://old.example/7', warnings: [] },
    ]);
    const { entities } = (await api.get('/migration/sources')).expect(200).data;
    const named = expect.arrayContaining([expect.objectContaining({ name: 'source_url' })]) as unknown;
    expect(entities).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'tickets', fields: named })]));
  });

  it('is http or https, bounded, and without credentials, whatever is said', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          fc.string().map((text) => `https://${text}`),
          fc.anything(),
        ),
        (said) => {
          const url = webAddress(said);
          if (url === null) return;
          expect(url).toMatch(/^https?:\/\/[\x21-\x7e]{1,2040}$/);
          expect(new URL(url)).toMatchObject({ username: '', password: '' });
          expect(webAddress(url)).toBe(url);
        },
      ),
    );
    expect(webAddress(`https://old.example/${'a'.repeat(2_048)}`)).toBeNull();
    expect(webAddress(`https://old.example/${'\u0301'.repeat(1_000)}`)).toBeNull();
  });
});

describe('who was here before', () => {
  const PEOPLE =
    'id,name,email,phone\nc1,Paul W.,PAUL@here.example,+49 1\nc2,Paul too,Paul@Here.example,+49 2\nc3,Mia,mia@old.example,+49 3\nc4,Mia too,MIA@old.example,';
  const match = (match_by: string, more: object = {}): object => ({
    options: { match_by, on_duplicate: 'update', ...more },
  });
  const rolledBack = async (id: unknown): Promise<void> => {
    (await workspace.api.post(`/migration/jobs/${String(id)}/rollback`)).expect(200);
    expect(await worked(server, workspace, Number(id))).toMatchObject({ status: 'rolled_back' });
  };

  it('is the same person by the address: filled, followed, never written over or taken away; the first record of it counts', async () => {
    const { api } = workspace;
    const paul = await make(api, '/contacts', { name: 'Paul Weber', email: 'paul@here.example' });
    const ines = await makeUser(api, { name: 'Ines Ortega', email: 'ines@here.example' });
    const before = await rowsOf(sql, workspace);
    const files = {
      users: 'id,name,email,title\nu1,I. Ortega,Ines@Here.example,Lead',
      contacts: PEOPLE,
      tickets: 'id,subject,Assignee\n1,One,u1',
    };
    const first = await migrated(server, workspace, files, match('email'));
    expect(first).toMatchObject({
      status: 'completed',
      progress: { created: 2, updated: 2, skipped: 2, failed: 0 },
      validation: { revisions: [{ id: ines.id }, { id: paul.id, kept: ['name'] }] },
    });
    const same = (id: string): unknown => expect.stringContaining(`"${id}" of the source`) as unknown;
    const mia = (await api.get('/contacts?email=mia@old.example')).rows[0];
    expect(await recordsOf(first.id, 'contacts')).toMatchObject([
      { external_id: 'c1', status: 'updated', matched_by: 'email', local_id: paul.id },
      { external_id: 'c2', status: 'skipped', matched_by: null, local_id: paul.id, warnings: [same('c1')] },
      { external_id: 'c3', status: 'created', matched_by: null, local_id: mia?.id },
      { external_id: 'c4', status: 'skipped', matched_by: null, local_id: mia?.id, warnings: [same('c3')] },
    ]);
    expect((await api.get(`/contacts/${paul.id}`)).data).toMatchObject({ name: 'Paul Weber', phone: '+49 1' });
    expect((await api.get('/tickets?external_id=1')).rows).toMatchObject([{ assigned_to: ines.id }]);

    const again = await migrated(server, workspace, files, match('email'));
    expect(again).toMatchObject({ progress: { created: 0, updated: 0, skipped: 6, failed: 0 } });
    // The pair is kept: its id is enough, and the address may be another one there.
    const later = {
      contacts: 'id,name,email,phone\nc1,Paul W.,PAUL@here.example,+49 4\nc9,Third,paul@here.example,+49 9',
    };
    const third = await migrated(server, workspace, later, match('email'));
    expect(await recordsOf(third.id, 'contacts')).toMatchObject([
      { external_id: 'c1', status: 'updated', matched_by: 'email', changes: { phone: { from: '+49 1', to: '+49 4' } } },
      { external_id: 'c9', status: 'skipped', warnings: [same('c1')] },
    ]);
    const refused = await migrated(
      server,
      workspace,
      { contacts: 'id,name,email\nx,X,paul@here.example' },
      match('email', { on_duplicate: 'fail' }),
    );
    expect(refused).toMatchObject({ progress: { failed: 1 } });
    const passed = await migrated(
      server,
      workspace,
      { contacts: 'id,name,email\ny,Y,paul@here.example' },
      { options: { on_duplicate: 'update' } },
    );
    expect(await recordsOf(passed.id, 'contacts')).toMatchObject([
      { status: 'skipped', matched_by: null, local_id: paul.id },
    ]);
    for (const { id } of [third, again, first]) await rolledBack(id);
    expect((await api.get(`/contacts/${paul.id}`)).data).toMatchObject({
      name: 'Paul Weber',
      phone: null,
      external_id: null,
    });
    expect(await rowsOf(sql, workspace)).toEqual(before);
  });

  it('is the same ticket by its code, and only where that is asked for', async () => {
    const { api } = workspace;
    const { id, code } = await makeTicket(api, { subject: 'Here' });
    const tickets = `id,subject,code,Updated\n1,There,${String(code).toLowerCase()},\n2,Other,TCK-999999,\n3,Again,${String(code)},`;
    const done = await migrated(
      server,
      workspace,
      { tickets, ticket_comments: 'id,ticket,body\n7,1,Hello' },
      match('code', { on_conflict: 'source_wins' }),
    );
    expect(done).toMatchObject({
      mapping: { tickets: { fields: { code: 'code' } } },
      progress: { created: 2, updated: 1, skipped: 1 },
    });
    expect(await recordsOf(done.id)).toMatchObject([
      { external_id: '1', status: 'updated', matched_by: 'code', local_id: id },
      { external_id: '2', status: 'created', matched_by: null },
      { external_id: '3', status: 'skipped', local_id: id },
    ]);
    expect((await api.get(`/tickets/${String(id)}`)).data).toMatchObject({ subject: 'There', code, comment_count: 1 });
    await rolledBack(done.id);
    expect((await api.get('/tickets')).rows).toMatchObject([{ id, subject: 'Here', code, comment_count: 0 }]);
    const other = await makeWorkspace(server);
    const foreign = await planned(other, { tickets }, match('code'));
    (await other.api.post(`/migration/jobs/${foreign}/validate`)).expect(200);
    expect(await worked(server, other, foreign)).toMatchObject({ validation: { revisions: [] } });
    (await api.post('/migration/jobs', { source: 'csv', ...match('name') })).expect(422);
    const plain = await migrated(server, workspace, { tickets });
    expect(plain).toMatchObject({
      mapping: { tickets: { fields: { code: 'custom_fields.code' } } },
      progress: { created: 3 },
    });
  });
});
