import type { Api, Fields } from '../support/api';
import { runToItsEnd } from '../support/directory';
import { type Received, Receiver, type Reply } from '../support/receiver';
import { useScratchApp } from '../support/scratch-app';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

/*
 * A local server in the shapes that learn.microsoft.com documents: "Get access without a user" (the token), "user: delta" and
 * "group: delta" (pages, manager@delta, members@delta, @removed), "Use delta query to track changes in Microsoft Graph data" (410),
 * "Microsoft Graph throttling guidance" (429).
 */
const { server } = useScratchApp({ directoryAllowCidrs: ['127.0.0.1/32'] });
const graph = new Receiver();
beforeAll(() => graph.listen());
afterAll(() => graph.close());

type Pages = Record<string, object | number | Reply[]>;
const SECRET = 'a secret of the application';

/** What is at each address behind the version; everything else is not there. */
function serve(pages: Pages): void {
  const left = new Map(Object.entries(pages));
  graph.forget();
  graph.answer((request): Reply => {
    if (request.path === '/acme.example/oauth2/v2.0/token') return tokenFor(request);
    if (request.headers.authorization !== 'Bearer the-token') return 401;
    const path = decodeURIComponent(request.path.replace(/^\/v1\.0/, '').replace(/\?\$select=.*/, ''));
    const found = left.get(path);
    if (Array.isArray(found)) return (found as Reply[]).shift() ?? 404;
    if (typeof found === 'number') return found;
    return found ? json(found) : 404;
  });
}
const json = (body: object, status = 200): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
function tokenFor({ body }: Received): Reply {
  const form = Object.fromEntries(new URLSearchParams(body));
  const isOwn = form.grant_type === 'client_credentials' && form.scope === `${graph.at('')}/.default`;
  if (!isOwn || form.client_secret !== SECRET)
    return json({ error: 'invalid_client', error_description: 'AADSTS7000215: Invalid client secret provided.' }, 401);
  return json({ token_type: 'Bearer', expires_in: 3599, ext_expires_in: 3599, access_token: 'the-token' });
}

const person = (id: string, values: object = {}): object => ({
  ...{
    id,
    displayName: `Person ${id}`,
    givenName: 'Person',
    surname: id,
    mail: `${id}@acme.example`,
    userPrincipalName: `${id}@acme.onmicrosoft.com`,
  },
  ...{
    jobTitle: null,
    department: 'IT',
    officeLocation: '19/2109',
    businessPhones: ['+1 309 555 0104'],
    mobilePhone: null,
    accountEnabled: true,
  },
  ...values,
});
const member = (id: string, gone = false): object => ({
  ...{ '@odata.type': '#microsoft.graph.user', id },
  ...(gone ? { '@removed': { reason: 'deleted' } } : {}),
});
const next = (path: string): object => ({ '@odata.nextLink': graph.at(`/v1.0${path}`) });
const delta = (path: string): object => ({ '@odata.deltaLink': graph.at(`/v1.0${path}`) });

/** Everything, in pages, of which one is answered "later" first; a group comes in two parts. */
const everything = (): Pages => ({
  '/users/delta': [
    { status: 429, headers: { 'retry-after': '0' } },
    json({
      value: [person('A1'), person('b2', { 'manager@delta': [member('a1')] })],
      ...next('/users/delta?$skiptoken=1'),
    }),
  ],
  '/users/delta?$skiptoken=1': {
    value: [
      person('c3', { accountEnabled: false }),
      person('d4', { mail: null }),
      { id: 'x9', '@removed': { reason: 'changed' } },
    ],
    ...delta('/users/delta?$deltatoken=1'),
  },
  '/groups/delta': {
    value: [
      {
        ...{ id: 'G1', displayName: 'Helpdesk', description: null, groupTypes: ['Unified'], securityEnabled: false },
        'members@delta': [member('g2')],
      },
      { id: 'g2', displayName: 'Inner', groupTypes: [], securityEnabled: true, 'members@delta': [member('a1')] },
    ],
    ...next('/groups/delta?$skiptoken=1'),
  },
  '/groups/delta?$skiptoken=1': {
    value: [{ id: 'g2', 'members@delta': [member('b2'), member('c3'), member('d4')] }],
    ...delta('/groups/delta?$deltatoken=1'),
  },
});

async function connected(more: object = {}): Promise<{ workspace: TestWorkspace; api: Api; connection: Fields }> {
  const workspace = await makeWorkspace(server);
  const config = {
    tenant_id: 'acme.example',
    client_id: '6731de76',
    client_secret: SECRET,
    login_url: graph.at(''),
    graph_url: graph.at(''),
  };
  const body = {
    type: 'entra_id',
    name: 'Acme',
    config: { ...config, ...more },
    role_mappings: [{ group: 'Helpdesk', role: 'agent' }],
  };
  const connection = (await workspace.api.post('/active-directory/connections', body)).expect(201).data;
  return { workspace, api: workspace.api, connection };
}
async function synced(workspace: TestWorkspace, body: object = {}): Promise<Fields> {
  const { id } = (await workspace.api.post('/active-directory/sync', body)).expect(200).data;
  return runToItsEnd(server, workspace, id);
}
const usersOf = async (api: Api): Promise<Fields[]> =>
  (await api.get('/users?sort=email&fields=id,email,name,title,phone,role,status,manager_id')).rows;

it('reads everything, then what has changed, and everything again where the place is not known any more', async () => {
  serve(everything());
  const { workspace, api, connection } = await connected();
  expect(connection.config).toMatchObject({ client_secret: '********', client_secret_set: true });
  const first = await synced(workspace);
  expect(first).toMatchObject({ mode: 'full', status: 'completed', counts: { scanned: 7, created: 3, skipped: 1 } });
  expect(first.cursor_after).toMatchObject({
    tenant: 'acme.example',
    users: expect.stringContaining('deltatoken=1') as string,
  });
  const kinds = (await api.get('/active-directory/groups?sort=name')).rows.map(({ scope, type }) => [scope, type]);
  expect(kinds).toEqual([
    [null, 'microsoft_365'],
    [null, 'security'],
  ]);
  const [a, b, d] = await usersOf(api);
  expect([a, b, d]).toMatchObject([
    { email: 'a1@acme.example', role: 'agent', phone: '+1 309 555 0104', status: 'active' },
    { email: 'b2@acme.example', manager_id: a?.id },
    { email: 'd4@acme.onmicrosoft.com' },
  ]);
  const asked = graph.requests.find(({ path }) => path.startsWith('/v1.0/users/delta?$select='));
  expect(asked?.headers.prefer).toBe('odata.maxpagesize=500');

  // Only what has changed of somebody is said.
  serve({
    '/users/delta?$deltatoken=1': {
      value: [
        { id: 'a1', jobTitle: 'Lead' },
        { id: 'b2', '@removed': { reason: 'changed' } },
        { id: 'd4', accountEnabled: false },
      ],
      ...delta('/users/delta?$deltatoken=2'),
    },
    '/groups/delta?$deltatoken=1': {
      value: [{ id: 'g2', 'members@delta': [member('b2', true), member('e5')] }],
      ...delta('/groups/delta?$deltatoken=2'),
    },
  });
  const patch = { safety: { max_deactivations_pct: 100, max_deactivations_abs: 50 } };
  (await api.patch(`/active-directory/connections/${connection.id}`, patch)).expect(200);
  const second = await synced(workspace);
  expect(second).toMatchObject({ mode: 'delta', status: 'completed', counts: { scanned: 4, updated: 2, disabled: 2 } });
  expect(await usersOf(api)).toMatchObject([
    { title: 'Lead', name: 'Person A1', phone: '+1 309 555 0104', status: 'active' },
    { status: 'deactivated' },
    { status: 'deactivated' },
  ]);
  expect((await api.get('/active-directory/groups?sort=name')).rows).toMatchObject([
    { name: 'Helpdesk' },
    { name: 'Inner', member_count: 4 },
  ]);

  serve({ ...everything(), '/users/delta?$deltatoken=2': 410 });
  expect(await synced(workspace)).toMatchObject({ mode: 'full', status: 'completed', counts: { enabled: 2 } });
});

it('says in one sentence what is wrong, goes nowhere else, and changes nothing', async () => {
  serve({ '/users': { value: [{ id: 'a1', displayName: 'Ada' }] }, '/groups': { value: [] } });
  const { workspace, api, connection } = await connected();
  const path = `/active-directory/connections/${connection.id}`;
  expect((await api.post(`${path}/test`, {})).expect(200).data).toMatchObject({ ok: true, sample_user: 'Ada' });
  const tried = async (): Promise<unknown> => {
    const { error, status } = await synced(workspace);
    (await api.patch(path, { status: 'active' })).expect(200);
    return [status, error];
  };
  const failed = (code: string, message: string): unknown => [
    'failed',
    { code, message: expect.stringContaining(message) as string },
  ];
  serve({ '/users/delta': 403 });
  expect(await tried()).toEqual(failed('refused', 'User.Read.All'));
  serve({ '/users/delta': { value: [], '@odata.nextLink': 'https://elsewhere.example/v1.0/users/delta' } });
  expect(await tried()).toEqual(failed('protocol', 'another server'));
  serve({ '/users/delta': { value: 1 } });
  expect(await tried()).toEqual(failed('protocol', 'something else than a list'));
  serve({ '/users/delta': { value: [] } });
  expect(await tried()).toEqual(failed('protocol', 'does not come to an end'));
  serve({ '/users/delta': [{ status: 200, body: 'no JSON' }] });
  expect(await tried()).toEqual(failed('protocol', 'no JSON'));
  serve({ '/users/delta': [{ status: 503, headers: { 'retry-after': '86400' } }] });
  expect(await tried()).toEqual(failed('busy', 'fewer requests'));
  serve({ '/users/delta': 410 });
  expect(await tried()).toEqual(failed('busy', 'begins anew'));
  (await api.patch(path, { config: { client_secret: 'wrong' } })).expect(200);
  expect(await tried()).toEqual(failed('credentials', 'AADSTS7000215'));
  (await api.patch(path, { config: { client_secret: SECRET, login_url: 'https://nowhere.invalid' } })).expect(200);
  expect(await tried()).toEqual(failed('unreachable', 'nowhere.invalid: The server could not be reached.'));
  expect((await api.get('/active-directory/users')).meta.total).toBe(0);
});
