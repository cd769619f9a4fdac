import fc from 'fast-check';
import { webAddress } from '../../src/areas/migration/mapping/web-address';
import type { Fields } from '../support/api';
import { migrated, useMigrationApp, worked } from '../support/migrations';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const { server } = useMigrationApp();
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
