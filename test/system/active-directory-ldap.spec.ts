import { Attribute, Change } from 'ldapts';
import { groupOf, guidOf, kindOf, rangeOf } from '../../src/areas/active-directory/ldap/ldap-entry';
import { ldapFailure } from '../../src/areas/active-directory/ldap/ldap-failure';
import { LdapConfig } from '../../src/areas/active-directory/ldap/ldap-config';
import type { Api, Fields } from '../support/api';
import { runToItsEnd } from '../support/directory';
import { startReceiver } from '../support/raw-receiver';
import {
  BASE,
  groupLdif,
  guidBytes,
  guidText,
  LIMITED,
  organisation,
  PASSWORD,
  personLdif,
  READER,
  type Slapd,
  startSlapd,
} from '../support/slapd';
import { useScratchApp } from '../support/scratch-app';
import { testCertificate } from '../support/test-certificate';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const PEOPLE = 20;
const numbers = Array.from({ length: PEOPLE }, (_, index) => index + 1);
/** One of them has everything in the name that has a meaning in distinguished names and filters. */
const nameOf = (number: number): string => (number === 7 ? 'Müller, Ann + "Co" (x)*\\' : `Person ${number}`);
const dnOf = (number: number): string =>
  `CN=${nameOf(number).replaceAll(/[,+"\\<>;#=]/g, String.raw`\$&`)},OU=People,${BASE}`;

// A database of its own: workers of others would do the runs, by a configuration that lets them reach nothing here.
const { server } = useScratchApp({ directoryAllowCidrs: ['127.0.0.1/32'] });
let slapd: Slapd;

beforeAll(async () => {
  const circle = [
    groupLdif(101, 'Helpdesk', [`CN=Inner,OU=Groups,${BASE}`]),
    groupLdif(102, 'Inner', [`CN=Helpdesk,OU=Groups,${BASE}`, ...numbers.map(dnOf), `CN=Nobody,OU=Elsewhere,${BASE}`]),
  ];
  const people = numbers.map((number) =>
    personLdif(number, nameOf(number), {
      ...(number === 2 ? { manager: dnOf(7) } : {}),
      ...(number === 3 ? { userAccountControl: 514 } : {}),
    }),
  );
  slapd = await startSlapd(organisation([...people, ...circle]));
});
afterAll(() => slapd.stop());

const settings = (more: object = {}): object => ({
  ...{
    host: '127.0.0.1',
    port: slapd.secure,
    ca: testCertificate.cert,
    tls: 'ldaps',
    page_size: 5,
    timeout_seconds: 10,
  },
  ...{ base_dn: BASE, bind_dn: READER, bind_password: PASSWORD },
  ...more,
});

async function connected(more: object = {}): Promise<{ workspace: TestWorkspace; api: Api; connection: Fields }> {
  const workspace = await makeWorkspace(server);
  const body = {
    type: 'ldap',
    name: 'Acme',
    config: settings(more),
    role_mappings: [{ group: `cn=helpdesk,ou=groups,${BASE}`, role: 'agent' }],
  };
  const connection = (await workspace.api.post('/active-directory/connections', body)).expect(201).data;
  return { workspace, api: workspace.api, connection };
}

async function synced(workspace: TestWorkspace, body: object = {}): Promise<Fields> {
  const { id } = (await workspace.api.post('/active-directory/sync', body)).expect(200).data;
  return runToItsEnd(server, workspace, id);
}

it('reads people and groups page by page, and then what has changed; a move is a change', async () => {
  const { workspace, api, connection } = await connected();
  expect(connection.config).toMatchObject({ bind_password: '********', bind_password_set: true, tls: 'ldaps' });
  const tested = (await api.post(`/active-directory/connections/${connection.id}/test`, {})).expect(200).data;
  expect(tested).toMatchObject({ ok: true, warnings: [], sample_user: expect.any(String) as string });
  const dry = await synced(workspace, { dry_run: true });
  expect(dry).toMatchObject({
    mode: 'full',
    status: 'completed',
    counts: { created: PEOPLE - 1, skipped: 1, scanned: PEOPLE + 2 },
  });
  expect((await api.get('/users')).meta.total).toBe(0);

  const first = await synced(workspace);
  expect(first).toMatchObject({ mode: 'full', status: 'completed', counts: { created: PEOPLE - 1 } });
  expect(first.cursor_after).toEqual({
    dc: 'dc1.acme.example',
    usn: '1000',
    invocation_id: guidOf({ dn: '', id: Buffer.alloc(16, 7) }, 'id'),
  });
  const seventh = (await api.get(`/active-directory/users?object_guid=${guidText(7)}&expand=user`)).rows[0];
  expect(seventh).toMatchObject({
    display_name: nameOf(7),
    username: 'u7',
    link_status: 'linked',
    user: { email: 'u7@acme.example' },
  });
  expect((await api.get('/users?email=u2@acme.example')).rows[0]).toMatchObject({ manager_id: seventh?.user_id });
  const kinds = (await api.get('/active-directory/groups?scope=global&type=security')).rows;
  expect(kinds.map(({ name }) => name).sort()).toEqual(['Helpdesk', 'Inner']);
  expect((await api.get(`/active-directory/users?object_guid=${guidText(3)}`)).rows[0]).toMatchObject({
    enabled: false,
    user_id: null,
  });

  await slapd.changing(async (client) => {
    const replace = (type: string, value: string): Change =>
      new Change({ operation: 'replace', modification: new Attribute({ type, values: [value] }) });
    await client.modify(dnOf(5), [replace('title', 'Lead'), replace('uSNChanged', '1001')]);
    await client.modify(dnOf(6), [replace('uSNChanged', '1002')]);
    await client.modifyDN(dnOf(6), `CN=Person Six,OU=Former,${BASE}`);
    const group = `CN=Inner,OU=Groups,${BASE}`;
    const member = (operation: 'add' | 'delete', dn: string): Change =>
      new Change({ operation, modification: new Attribute({ type: 'member', values: [dn] }) });
    // A directory does so by itself.
    await client.modify(group, [
      member('delete', dnOf(6)),
      member('add', `CN=Person Six,OU=Former,${BASE}`),
      replace('uSNChanged', '1003'),
    ]);
  });
  const delta = await synced(workspace);
  expect(delta).toMatchObject({ mode: 'delta', status: 'completed', counts: { scanned: 3, updated: 2 } });
  expect((await api.get('/users?email=u5@acme.example')).rows[0]).toMatchObject({ title: 'Lead' });
  expect((await api.get(`/active-directory/users?object_guid=${guidText(6)}`)).rows[0]).toMatchObject({
    distinguished_name: expect.stringMatching(/person six,ou=former/i) as string,
    link_status: 'linked',
  });
  expect((await synced(workspace, { mode: 'full' })).counts).toEqual({ scanned: PEOPLE + 2 });
  expect((await api.get('/users?status=deactivated')).meta.total).toBe(0);
});

it('says in one sentence what is wrong, and changes nothing', async () => {
  const { workspace, api, connection } = await connected();
  const path = `/active-directory/connections/${connection.id}`;
  const silent = await startReceiver(() => undefined);
  const cases: readonly (readonly [object, string, string])[] = [
    [{ bind_password: 'wrong' }, 'credentials', 'The server refuses the user that signs in, or the password.'],
    [{ ca: null }, 'certificate', 'The certificate of 127.0.0.1 cannot be trusted'],
    [{ base_dn: 'DC=nowhere' }, 'base_dn', 'There is no entry with the base DN'],
    [{ base_dn: `OU=Elsewhere,${BASE}` }, 'referral', 'The server refers to another one'],
    [{ port: slapd.plain }, 'tls', '127.0.0.1 does not speak TLS on this port.'],
    [{ port: 9 }, 'unreachable', '127.0.0.1 cannot be reached (ECONNREFUSED).'],
    [{ port: silent.port, tls: 'starttls', timeout_seconds: 1 }, 'timeout', '127.0.0.1 did not answer in time.'],
    [{ host: '10.0.0.1' }, 'blocked_address', '10.0.0.1 has no address that may be reached'],
  ];
  for (const [wrong, code, message] of cases) {
    (await api.patch(path, { config: { ...settings(), ...wrong } })).expect(200);
    const tested = (await api.post(`${path}/test`, {})).expect(200).data;
    expect([wrong, tested.ok, tested.warnings]).toEqual([
      wrong,
      false,
      [{ code, message: expect.stringContaining(message) as string }],
    ]);
  }
  await silent.close();
  (await api.patch(path, { config: { ...settings(), bind_dn: LIMITED } })).expect(200);
  expect((await synced(workspace)).error).toEqual({
    code: 'size_limit',
    message: 'The server answers fewer entries than there are; raise its limit for the user that signs in.',
  });
  (await api.patch(path, { config: { host: '10.0.0.1', bind_password: PASSWORD } })).expect(200);
  const failed = await synced(workspace);
  expect(failed).toMatchObject({ status: 'failed', error: { code: 'blocked_address' } });
  expect((await api.get(path)).data).toMatchObject({
    status: 'error',
    failure_count: 2,
    last_error: { code: 'blocked_address' },
  });
  await synced(workspace);
  expect((await api.get(path)).data).toMatchObject({ status: 'quarantined', failure_count: 3 });
  expect((await api.get('/active-directory/users')).meta.total).toBe(0);
  expect((await api.patch(path, { config: { user_filter: '(cn=x)(cn=y)' } })).expect(422).codes).toEqual({
    'config.user_filter': 'invalid',
  });
});

it('speaks StartTLS, and mends itself', async () => {
  const { workspace, api, connection } = await connected({
    tls: 'starttls',
    port: slapd.plain,
    bind_password: 'wrong',
  });
  expect((await synced(workspace)).error).toMatchObject({ code: 'credentials' });
  (await api.patch(`/active-directory/connections/${connection.id}`, { config: { bind_password: PASSWORD } })).expect(
    200,
  );
  expect(await synced(workspace)).toMatchObject({ status: 'completed' });
  expect((await api.get(`/active-directory/connections/${connection.id}`)).data).toMatchObject({
    status: 'active',
    failure_count: 0,
    last_error: null,
  });
});

it.each([
  [
    { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    'certificate',
    'The certificate of the server is for another name than dc1.',
  ],
  [{ code: 'CERT_HAS_EXPIRED' }, 'certificate', 'The certificate of dc1 cannot be trusted (CERT_HAS_EXPIRED)'],
  [{ code: 49 }, 'credentials', 'The server refuses the user that signs in, or the password.'],
  [{ code: 4 }, 'size_limit', 'The server answers fewer entries than there are'],
  [{ code: 11 }, 'size_limit', 'The server answers fewer entries than there are'],
  [{ code: 3 }, 'time_limit', 'The server gave up'],
  [{ code: 10 }, 'referral', 'The server refers to another one'],
  [{ code: 50 }, 'refused', 'The user that signs in may not read these entries.'],
  [{ code: 51 }, 'busy', 'The server is busy.'],
  [{ code: 80 }, 'refused', 'The server refuses it: result 80.'],
  [{ code: 'ECONNRESET' }, 'unreachable', 'dc1 cannot be reached (ECONNRESET).'],
  [new Error('Connection timed out'), 'timeout', 'dc1 did not answer in time.'],
])('%j has one sentence', (error, code, message) => {
  expect(ldapFailure(error, 'dc1')).toMatchObject({ code, message: expect.stringContaining(message) as string });
});

describe('an entry', () => {
  const config = new LdapConfig();

  it.each([
    ['-2147483646', 'global', 'security'],
    ['-2147483643', 'domain_local', 'security'],
    ['-2147483640', 'universal', 'security'],
    ['2', 'global', 'distribution'],
    ['8', 'universal', 'distribution'],
    ['0', null, 'distribution'],
    ['', null, null],
    ['99999999999999999999', null, null],
    [null, null, null],
  ])('of groupType %s has a scope and a type', (said, scope, type) => {
    expect(kindOf(said)).toEqual({ scope, type });
  });

  it('has a GUID as Microsoft writes it, or a text', () => {
    const bytes = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
    expect(guidOf({ dn: '', id: bytes }, 'id')).toBe('33221100-5544-7766-8899-aabbccddeeff');
    expect(guidOf({ dn: '', id: Buffer.from('F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6') }, 'id')).toBe(
      'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    );
    expect(guidOf({ dn: '' }, 'id')).toBeNull();
    expect(guidBytes(5).length).toBe(16);
  });

  it('has its members in parts where there are many', () => {
    const entry = {
      dn: 'CN=x',
      objectGUID: Buffer.alloc(16, 1),
      cn: 'x',
      member: [],
      'member;range=0-1': ['CN=a', 'CN=b'],
    };
    expect(rangeOf(entry, 'member')).toEqual({ values: ['CN=a', 'CN=b'], next: 2 });
    expect(rangeOf({ dn: '', 'member;range=2-*': 'CN=c' }, 'member')).toEqual({ values: ['CN=c'], next: null });
    expect(rangeOf({ dn: '', member: ['CN=a'] }, 'member')).toBeNull();
    expect(groupOf(entry, config)).toMatchObject({ members: [], scope: null, type: null });
    expect(groupOf({ dn: 'CN=x' }, config)).toMatchObject({ guid: null, message: 'The entry has no objectGUID.' });
  });
});
