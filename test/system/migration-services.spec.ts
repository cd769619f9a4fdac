import fc from 'fast-check';
import { JobSteps } from '../../src/areas/migration/run/job-steps';
import { followed, pathOf } from '../../src/areas/migration/services/service-links';
import { MAX_TRIES, pauseMs } from '../../src/areas/migration/services/service-trouble';
import { ApiError } from '../../src/platform/errors/api-error';
import type { Fields } from '../support/api';
import { migratedFrom, outcomeOf, turn, useMigrationApp, worked } from '../support/migrations';
import { useServiceServer } from '../support/old-desks/fake-service';
import { zendeskServer } from '../support/old-desks/zendesk-server';
import { rowsOf } from '../support/counted-rows';
import { until } from '../support/until';
import { useReceiver } from '../support/receiver';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const { server, sql } = useMigrationApp();
const old = useServiceServer();
const elsewhere = useReceiver();
let workspace: TestWorkspace;

beforeEach(async () => {
  old.become(zendeskServer);
  workspace = await makeWorkspace(server);
});
afterEach(() => jest.restoreAllMocks());

const connection = (): object => zendeskServer.connection(old.base);

/** A job that is looked at, and is to be brought in. */
async function ready(body: object = {}): Promise<number> {
  const planned = { source: 'zendesk', mode: 'import', connection: connection(), ...body };
  const { id } = (await workspace.api.post('/migration/jobs', planned)).expect(201).data;
  (await workspace.api.post(`/migration/jobs/${id}/validate`)).expect(200);
  expect(await worked(server, workspace, id)).toMatchObject({ status: 'ready', last_error: null });
  return id;
}

const begun = async (id: number): Promise<void> =>
  void (await workspace.api.post(`/migration/jobs/${id}/start`)).expect(200);
const job = async (id: number): Promise<Fields> => (await workspace.api.get(`/migration/jobs/${id}`)).expect(200).data;

describe('a connection', () => {
  it('is checked like a body, keeps its secrets, and says whether somebody is let in', async () => {
    const { api } = workspace;
    const wrong = { ...connection(), api_token: 'wrong' };
    const refused = async (given: object): Promise<object> =>
      (await api.post('/migration/jobs', { source: 'zendesk', connection: given })).expect(422).codes;
    expect(await refused({})).toEqual({ 'connection.base_url': 'required' });
    expect(await refused({ ...connection(), api_token: null })).toEqual({ 'connection.api_token': 'required' });
    expect(await refused({ ...connection(), base_url: 'http://10.0.0.1' })).toEqual({ 'connection.base_url': 'url' });
    expect(await refused({ ...connection(), pass: 'x' })).toEqual({ 'connection.pass': 'unknown_field' });
    (await api.post('/migration/jobs', { source: 'csv', connection: connection() })).expect(422);
    const made = (await api.post('/migration/jobs', { source: 'zendesk', connection: wrong })).expect(201);
    const { id } = made.data;
    expect(made.data.connection).toMatchObject({ api_token: '********', api_token_set: true, oauth_token_set: false });
    expect(
      JSON.stringify(await sql.rows('SELECT connection, sealed FROM migration_jobs WHERE id = $1', [id])),
    ).not.toContain('"wrong"');
    expect((await api.post(`/migration/jobs/${id}/test`)).expect(200).data).toMatchObject({
      status: 'failed',
      response_status: 401,
      error: { code: 'credentials' },
    });
    (await api.post(`/migration/jobs/${id}/validate`)).expect(200);
    const invalid = await worked(server, workspace, id);
    expect(invalid).toMatchObject({ status: 'invalid' });
    expect(String(invalid.last_error)).toContain('401');
    (await api.post(`/migration/jobs/${id}/files`, Buffer.from('id\n1'), { 'content-type': 'text/csv' })).expect(422);
    const mended = (await api.patch(`/migration/jobs/${id}`, { connection: { api_token: 'zendesk-token' } })).expect(
      200,
    );
    expect(mended.data).toMatchObject({
      status: 'draft',
      connection: { email: 'admin@here.example', api_token: '********' },
    });
    (await api.post(`/migration/jobs/${id}/validate`)).expect(200);
    expect(await worked(server, workspace, id)).toMatchObject({ status: 'ready' });
    const other = await makeWorkspace(server);
    (await other.api.post(`/migration/jobs/${id}/test`)).expect(404);
    expect((await api.get('/events?limit=100')).text).not.toContain('zendesk-token');
  });

  it('that loses its credentials on the way waits for others, at the same address', async () => {
    const { api } = workspace;
    const id = await ready();
    await begun(id);
    old.faults = [{ status: 401, body: '{}' }];
    expect(await outcomeOf(server, workspace, id)).toEqual({});
    expect(await job(id)).toMatchObject({ status: 'paused' });
    (await api.patch(`/migration/jobs/${id}`, { connection: { base_url: elsewhere.at('') } })).expect(422);
    (await api.patch(`/migration/jobs/${id}`, { connection: { api_token: 'zendesk-token' } })).expect(200);
    (await api.post(`/migration/jobs/${id}/resume`)).expect(200);
    expect(await worked(server, workspace, id)).toMatchObject({ status: 'completed' });
  });
});

describe('a service', () => {
  it('is asked again when it says so, or breaks off, and nothing is lost or doubled', async () => {
    const id = await ready();
    await begun(id);
    const soon = new Date(Date.now() + 90_000).toUTCString();
    old.faults = [
      { status: 429, headers: { 'retry-after': '7' } },
      { status: 503, headers: { 'retry-after': soon } },
      'cut',
      { status: 502 },
      { status: 200, body: '<html>' },
    ];
    expect(await outcomeOf(server, workspace, id)).toEqual({ retryInMs: 7_000 });
    const { retryInMs = 0 } = await outcomeOf(server, workspace, id);
    expect(retryInMs).toBeGreaterThan(30_000);
    expect(retryInMs).toBeLessThanOrEqual(90_000);
    expect(await outcomeOf(server, workspace, id)).toEqual({ retryInMs: pauseMs(2, null) });
    expect(await outcomeOf(server, workspace, id)).toEqual({ retryInMs: pauseMs(3, null) });
    expect(await outcomeOf(server, workspace, id)).toEqual({});
    expect(await job(id)).toMatchObject({ status: 'failed', last_error: 'Zendesk answers something that is no JSON.' });
    (await workspace.api.post(`/migration/jobs/${id}/resume`)).expect(200);
    const done = await worked(server, workspace, id);
    expect(done).toMatchObject({ status: 'completed', progress: { created: 18, skipped: 0, failed: 0 } });
  });

  it('that does not come to an end is given up at 8 MB, in one sentence', async () => {
    const id = await ready();
    await begun(id);
    old.faults = ['endless'];
    expect(await outcomeOf(server, workspace, id)).toEqual({});
    expect(await job(id)).toMatchObject({ status: 'failed', last_error: 'A page of Zendesk has more than 8 MB.' });
    (await workspace.api.post(`/migration/jobs/${id}/resume`)).expect(200);
    expect(await worked(server, workspace, id)).toMatchObject({ status: 'completed', progress: { created: 18 } });
  });

  it('is heard once where a worker that was given up for dead hears of it, too', async () => {
    const id = await ready();
    await begun(id);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    old.faults = [
      async (request) => {
        await held;
        return old.reply(request);
      },
    ];
    const first = outcomeOf(server, workspace, id);
    await until('the service is asked', () => old.faults.length === 0);
    const done = await worked(server, workspace, id);
    expect(done).toMatchObject({ status: 'completed', progress: { created: 18, skipped: 0, failed: 0 } });
    const rows = await rowsOf(sql, workspace);
    release();
    await first;
    expect(await rowsOf(sql, workspace)).toEqual(rows);
    expect((await job(id)).progress).toEqual(done.progress);
  });

  it('that never recovers ends the job, which can be resumed', async () => {
    const id = await ready();
    await begun(id);
    old.faults = Array.from({ length: MAX_TRIES + 1 }, () => ({ status: 500 }));
    for (let tries = 0; tries < MAX_TRIES; tries++) expect(await turn(server, workspace, id)).toBe(true);
    expect(await turn(server, workspace, id)).toBe(false);
    const failed = await job(id);
    expect(failed).toMatchObject({ status: 'failed' });
    expect(String(failed.last_error)).toContain('asked 13 times');
    (await workspace.api.post(`/migration/jobs/${id}/resume`)).expect(200);
    expect(await worked(server, workspace, id)).toMatchObject({ status: 'completed' });
  });

  it('is read from the committed page on, whoever dies, and whoever comes second', async () => {
    const id = await ready();
    await begun(id);
    old.receiver.forget();
    const steps = server.app.get(JobSteps);
    const note = steps.note.bind(steps);
    let calls = 0;
    jest.spyOn(steps, 'note').mockImplementation(async (...given) => {
      await note(...given);
      if (++calls % 2 === 1) throw new ApiError('service_unavailable', 'The node dies.');
    });
    let deaths = 0;
    for (let goesOn = true; goesOn;) {
      const both = await Promise.allSettled([turn(server, workspace, id), turn(server, workspace, id)]);
      deaths += both.filter(({ status }) => status === 'rejected').length;
      const { status } = await job(id);
      // What a dying node could not tell of, somebody lets go on.
      if (status === 'failed') (await workspace.api.post(`/migration/jobs/${id}/resume`)).expect(200);
      goesOn = status === 'running' || status === 'failed';
    }
    expect(deaths).toBeGreaterThanOrEqual(3);
    expect(await job(id)).toMatchObject({ status: 'completed', progress: { created: 18, skipped: 0, failed: 0 } });
    const firsts = old.asked.filter((path) => path.includes('/tickets/cursor.json?start_time=0'));
    const seconds = old.asked.filter((path) => path.includes('/tickets/cursor.json?cursor='));
    expect(seconds.length).toBeGreaterThan(0);
    expect(firsts.length).toBeLessThan(8);
    expect((await workspace.api.get('/tickets')).meta.total).toBe(3);
  });

  it('whose next page is somewhere else is not followed', async () => {
    const id = await ready();
    await begun(id);
    const page = {
      organizations: [],
      next_page: elsewhere.at('/api/v2/incremental/organizations.json'),
      end_of_stream: false,
    };
    old.faults = [{ status: 200, body: JSON.stringify(page) }];
    expect(await outcomeOf(server, workspace, id)).toEqual({});
    const failed = await job(id);
    expect(failed).toMatchObject({ status: 'failed' });
    expect(String(failed.last_error)).toContain('another address');
    expect(elsewhere.requests).toEqual([]);
  });

  it('that redirects is not followed either, and what it refuses as a whole is left out', async () => {
    old.faults = [{ status: 403, body: '{}' }];
    const { id } = (
      await workspace.api.post('/migration/jobs', { source: 'zendesk', mode: 'import', connection: connection() })
    ).expect(201).data;
    (await workspace.api.post(`/migration/jobs/${id}/validate`)).expect(200);
    expect(await worked(server, workspace, id)).toMatchObject({
      status: 'ready',
      validation: { problems: [{ entity: 'companies', code: 'unsupported' }] },
    });
    old.faults = [{ status: 302, headers: { location: elsewhere.url } }];
    await begun(id);
    expect(await worked(server, workspace, id)).toMatchObject({ status: 'completed' });
    expect((await workspace.api.get('/companies')).meta.total).toBe(0);
    expect((await workspace.api.get(`/migration/jobs/${id}/logs?level=warning`)).rows).toMatchObject([
      { entity: 'companies' },
    ]);
    expect(elsewhere.requests).toEqual([]);
    // Who had to do without tells so.
    const [ticket] = (await workspace.api.get(`/migration/jobs/${id}/records?entity=tickets&external_id=101`)).rows;
    expect(ticket?.warnings).toEqual(['company_id: "301" is no record of companies that is here; left out']);
  });

  it('may have names of what is gone: left out and said, or a failure where the job says so', async () => {
    const done = await migratedFrom(server, workspace, {
      ...{ source: 'zendesk', connection: connection(), entities: ['users', 'tickets'] },
      options: { unresolved: 'fail', namespace: 'old', updated_since: '2019-03-03T00:00:00Z' },
    });
    expect(done).toMatchObject({ status: 'completed_with_errors', progress: { created: 1, failed: 2 } });
    expect(old.asked.some((path) => path.includes('tickets/cursor.json?start_time=1551571200'))).toBe(true);
    expect((await workspace.api.get('/users?external_id=old:401')).rows).toMatchObject([{ role: 'agent' }]);
  });
});

describe('rules', () => {
  it('pause as long as they are asked to, within bounds, and longer each time', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.option(fc.double({ min: 0, max: 1e9, noNaN: true })), (tries, asked) => {
        const pause = pauseMs(tries, asked);
        expect(pause).toBeGreaterThanOrEqual(1_000);
        expect(pause).toBeLessThanOrEqual(asked === null ? 300_000 : 3_600_000);
        if (asked === null) expect(pauseMs(tries + 1, null)).toBeGreaterThanOrEqual(pause);
      }),
    );
  });

  it('follow links to the origin of the connection and nowhere else', () => {
    const base = 'https://acme.example:8443/api';
    expect(followed('/api/v2/x?page=2#y', base)).toEqual({ path: '/api/v2/x?page=2' });
    expect(followed('https://acme.example:8443/z', base)).toEqual({ path: '/z' });
    for (const link of [
      ...[
        'https://acme.example/z',
        'http://acme.example:8443/z',
        '//evil.example/z',
        'https://acme.example:8443@evil.example/',
      ],
      ...['javascript:alert(1)', 'https://evil.example\\@acme.example:8443/', `/${'x'.repeat(9_000)}`],
    ])
      expect(() => followed(link, base)).toThrow(/another address|without end/);
    expect(pathOf('/x', { a: 'ä&b', b: null, c: '', d: 0 })).toBe('/x?a=%C3%A4%26b&d=0');
  });
});
