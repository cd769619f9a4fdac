import { Api, type Fields } from '../support/api';
import { make, makeUser } from '../support/cast';
import { runToItsEnd } from '../support/directory';
import { runJob } from '../support/jobs';
import { ENTERPRISE, GROUP, resources, said, type ScimBody, ScimClient, scimConnected, USER } from '../support/scim';
import { useScratchApp } from '../support/scratch-app';
import type { TestWorkspace } from '../support/workspace';

// A database of its own, and nobody at work but who is asked.
const { server, sql } = useScratchApp();

/** Does the run that waits, and those that it begins; the last one. */
async function taken(workspace: TestWorkspace): Promise<Fields> {
  for (;;) {
    const { id, status } = (await workspace.api.get('/active-directory/sync')).expect(200).data;
    if (status !== 'queued' && status !== 'running')
      return (await workspace.api.get(`/active-directory/sync/runs/${id}`)).data;
    await runToItsEnd(server, workspace, id);
  }
}
const usersOf = async ({ api }: TestWorkspace): Promise<Fields[]> =>
  (await api.get('/users?sort=email&fields=id,email,name,title,role,status,team_ids,source,manager_id')).rows;

it('is reached by the token of its connection, which is good for nothing else', async () => {
  const { workspace, connection, scim, token } = await scimConnected(server);
  const { api } = workspace;
  const config = await scim.get('/ServiceProviderConfig');
  expect(config.expect(200).header('content-type')).toBe('application/scim+json; charset=utf-8');
  expect(said(config)).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    etag: { supported: true },
  });
  expect(resources(await scim.get('/ResourceTypes')).map(({ id }) => id)).toEqual(['User', 'Group']);
  expect(said(await scim.get('/ResourceTypes/User'))).toMatchObject({ schemaExtensions: [{ schema: ENTERPRISE }] });
  expect(resources(await scim.get('/Schemas')).map(({ id }) => id)).toEqual([USER, GROUP, ENTERPRISE]);
  expect(said(await scim.get(`/Schemas/${USER}`)).attributes).toContainEqual(
    expect.objectContaining({ name: 'userName', required: true, caseExact: false, uniqueness: 'server' }),
  );

  const client = new Api(server.url, token);
  expect((await client.get('/tickets')).expect(403).error.type).toBe('insufficient_scope');
  expect((await client.post('/tickets', { subject: 'x' })).expect(403).error.type).toBe('insufficient_scope');
  (await client.get('/active-directory/users')).expect(403);
  const other = await scimConnected(server);
  const alice = await scim.makeUser('alice@acme.example');
  (await other.scim.get(`/Users/${alice.id}`)).expect(404);
  (await other.scim.send('DELETE', `/Users/${alice.id}`)).expect(404);
  expect(resources(await other.scim.get('/Users'))).toEqual([]);

  for (const [status, answer] of [
    [401, await new ScimClient(new Api(server.url, 'non-token')).get('/Users')],
    [403, await new ScimClient(api).get('/Users')],
    [404, await scim.get('/Users/00919288221112222')],
    [404, await scim.get('/Nothing')],
    [404, await scim.get('/Users/1/2/3')],
    [501, await scim.get('/Me')],
    [501, await scim.send('POST', '/Bulk', {})],
    [400, await scim.send('POST', '/Users', '{')],
    [415, await scim.send('POST', '/Users', 'a', { 'content-type': 'text/plain' })],
    [400, await scim.send('POST', '/Users', { userName: 'a\u0000b' })],
  ] as const) {
    const error = { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: String(status) };
    expect(said(answer.expect(status))).toMatchObject({ ...error, detail: expect.any(String) as string });
    expect(answer.header('content-type')).toBe('application/scim+json; charset=utf-8');
  }

  const path = `/active-directory/connections/${connection.id}`;
  const next = (await api.post(`${path}/token`, { overlap_seconds: 60 })).expect(200).data;
  expect(next.base_url).toMatch(/\/v1\/scim\/v2$/);
  const rotated = new ScimClient(new Api(server.url, String(next.token)));
  expect(said(await rotated.get(`/Users/${alice.id}`))).toMatchObject({ id: alice.id });
  (await scim.get(`/Users/${alice.id}`)).expect(200);
  (await api.post(`${path}/token`, {})).expect(200);
  (await rotated.get('/Users')).expect(401);
  (await api.patch(path, { status: 'disabled' })).expect(200);
  (await other.workspace.api.post(`${path}/token`, {})).expect(404);
  const [json] = [await make(api, '/active-directory/connections', { type: 'json', name: 'Sent' })];
  (await api.post(`/active-directory/connections/${json.id}/token`, {})).expect(422);
  (await api.post('/active-directory/import', { connection_id: connection.id, status: 'active' })).expect(422);
  (await api.delete(path)).expect(200);
  expect(await sql.rows('SELECT FROM scim_resources WHERE workspace_id = $1', [workspace.id])).toEqual([]);
});

/**
 * The steps of Okta's "SCIM 2.0 SPEC Test" (the file for Runscope that developer.okta.com offers under "Test your SCIM API"), with what
 * each asserts.
 */
it('passes the steps of the test of Okta', async () => {
  const { scim } = await scimConnected(server);
  await scim.makeUser('first@example.com');
  const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
  const first = said((await scim.get('/Users?count=1&startIndex=1')).expect(200));
  expect(first).toMatchObject({ schemas: [LIST], itemsPerPage: 1, startIndex: 1, totalResults: 1 });
  const [{ id } = { id: '' }] = first.Resources as ScimBody[];
  const whole = { id, name: { familyName: 'Person', givenName: 'first' }, userName: 'first@example.com', active: true };
  expect(said((await scim.get(`/Users/${id}`)).expect(200))).toMatchObject({
    ...whole,
    emails: [{ value: 'first@example.com' }],
  });
  const nobody = said(
    (await scim.get(`/Users?filter=${encodeURIComponent('userName eq "abcdefgh@atko.com"')}`)).expect(200),
  );
  expect(nobody).toMatchObject({ schemas: [LIST], totalResults: 0 });
  const body = {
    ...{ schemas: [USER], userName: 'Runscope300@atko.com', name: { givenName: 'Runscope', familyName: 'Test' } },
    ...{
      emails: [{ primary: true, value: 'runscope300@atko.com', type: 'work' }],
      displayName: 'Runscope Test',
      active: true,
    },
  };
  const json = { 'content-type': 'application/json' };
  const made = (await scim.send('POST', '/Users', body, json)).expect(201);
  expect(said(made)).toMatchObject(body);
  expect(made.header('location')).toMatch(new RegExp(`/scim/v2/Users/${said(made).id}$`));
  expect(said((await scim.get(`/Users/${said(made).id}`)).expect(200))).toMatchObject(body);
  expect(said((await scim.send('POST', '/Users', body, json)).expect(409))).toMatchObject({
    scimType: 'uniqueness',
    status: '409',
  });
  expect(
    resources(await scim.get(`/Users?filter=${encodeURIComponent('userName eq "RUNSCOPE300@ATKO.COM"')}`)),
  ).toHaveLength(1);
  expect(said((await scim.get('/Groups')).expect(200))).toMatchObject({ totalResults: 0, Resources: [] });
});

/**
 * The requests of "Tutorial: Develop and plan provisioning for a SCIM endpoint in Microsoft Entra ID" (learn.microsoft.com, "SCIM
 * protocol requests and responses"), with what it asks of each answer, and what becomes of users here.
 */
it('does what Entra ID sends, and people are here what their groups say', async () => {
  const { workspace, scim } = await scimConnected(server, {
    role_mappings: [{ group: 'Helpdesk', role: 'supervisor' }],
  });
  const { api } = workspace;
  const person = (n: number): object => ({
    schemas: [USER, ENTERPRISE],
    externalId: `0a21f0f2-${n}`,
    userName: `user${n}@testuser.com`,
    active: true,
    emails: [{ primary: true, type: 'work', value: `user${n}@testuser.com` }],
    meta: { resourceType: 'User' },
    name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    roles: [],
  });
  const [one, two] = [await scim.send('POST', '/Users', person(1)), await scim.send('POST', '/Users', person(2))];
  const [ada, ben] = [said(one.expect(201)), said(two.expect(201))];
  const byFilter = async (path: string, filter: string): Promise<ScimBody[]> =>
    resources(await scim.get(`${path}filter=${encodeURIComponent(filter)}`));
  expect(await byFilter('/Users?', 'externalId eq "0a21f0f2-1"')).toMatchObject([{ id: ada.id }]);
  expect(await byFilter('/Users?', 'emails[type eq "work"].value eq "USER2@testuser.com"')).toMatchObject([
    { id: ben.id },
  ]);
  expect((await taken(workspace)).counts).toMatchObject({ skipped: 2 });
  expect(await usersOf(workspace)).toEqual([]);

  const extra = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group';
  const group = said(
    (
      await scim.send('POST', '/Groups', { schemas: [GROUP, extra], externalId: '8aa1', displayName: 'Helpdesk' })
    ).expect(201),
  );
  expect(await byFilter('/Groups?excludedAttributes=members&', 'displayName eq "helpdesk"')).toEqual([
    expect.not.objectContaining({ members: [] }),
  ]);
  const member = { $ref: null, value: ada.id };
  const added = await scim.patch(`/Groups/${group.id}`, [
    { op: 'Add', path: 'members', value: [member, { value: ben.id }] },
  ]);
  expect([added.expect(204).text, added.header('etag')]).toEqual(['', 'W/"2"']);
  const asks = `id eq "${group.id}" and members eq "${ada.id}"`;
  expect(await byFilter('/Groups?attributes=id&', asks)).toEqual([{ schemas: [GROUP], id: group.id }]);
  expect((await taken(workspace)).counts).toMatchObject({ created: 2 });
  expect(await usersOf(workspace)).toMatchObject([
    { email: 'user1@testuser.com', role: 'supervisor', source: 'scim', status: 'active', name: 'givenName familyName' },
    { email: 'user2@testuser.com', role: 'supervisor' },
  ]);
  expect(said(await scim.get(`/Users/${ada.id}`)).groups).toMatchObject([
    { value: group.id, display: 'Helpdesk', type: 'direct' },
  ]);

  const changed = await scim.patch(`/Users/${ada.id}`, [
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
    { op: 'Replace', path: 'displayName', value: 'Ada Updated' },
    { op: 'Add', path: `${ENTERPRISE}:manager`, value: ben.id },
    { op: 'Add', path: `${ENTERPRISE}:department`, value: 'IT' },
  ]);
  expect(said(changed.expect(200))).toMatchObject({
    [ENTERPRISE]: { manager: { value: ben.id }, department: 'IT' },
    schemas: [USER, ENTERPRISE],
  });
  await taken(workspace);
  const [first, second] = await usersOf(workspace);
  expect(first).toMatchObject({ email: 'updatedemail@microsoft.com', name: 'Ada Updated', manager_id: second?.id });

  // One who leaves, and comes back; as a text, as Entra ID writes it unless it is told not to.
  (await scim.patch(`/Users/${ada.id}`, [{ op: 'Replace', path: 'active', value: 'False' }])).expect(200);
  const off = await taken(workspace);
  expect(off.counts).toMatchObject({ disabled: 1 });
  const [told] = (await api.get(`/active-directory/sync/runs/${off.id}/changes?action=disable`)).rows;
  expect(told).toMatchObject({ object_guid: ada.id, result: 'success', user_id: first?.id });
  (await scim.patch(`/Users/${ada.id}`, [{ op: 'Replace', path: 'active', value: true }])).expect(200);
  expect((await taken(workspace)).counts).toMatchObject({ enabled: 1 });

  (await scim.patch(`/Groups/${group.id}`, [{ op: 'Replace', path: 'displayName', value: 'Helpdesk' }])).expect(204);
  expect(said(await scim.get(`/Groups/${group.id}?excludedAttributes=members`))).toMatchObject({
    meta: { version: 'W/"2"' },
  });
  (await scim.send('DELETE', `/Users/${ben.id}`)).expect(204);
  (await scim.get(`/Users/${ben.id}`)).expect(404);
  (await scim.send('DELETE', `/Users/${ben.id}`)).expect(404);
  expect(said(await scim.get(`/Groups/${group.id}`)).members).toMatchObject([{ value: ada.id, type: 'User' }]);
  // The second one within an hour is more than ten per cent of two.
  const waiting = await taken(workspace);
  expect(waiting).toMatchObject({
    status: 'awaiting_approval',
    approval: { reason: expect.stringContaining('within an hour') as string },
  });
  (await api.post(`/active-directory/sync/runs/${waiting.id}/approve`, {})).expect(200);
  await runToItsEnd(server, workspace, waiting.id);
  expect((await usersOf(workspace)).map(({ status }) => status).sort()).toEqual(['active', 'deactivated']);
  expect(await sql.rows('SELECT FROM scim_resources WHERE workspace_id = $1 AND is_deleted', [workspace.id])).toEqual(
    [],
  );
  // Whoever comes again is the same user.
  const again = said((await scim.send('POST', '/Users', person(2))).expect(201));
  (await scim.patch(`/Groups/${group.id}`, [{ op: 'Add', path: 'members', value: [{ value: again.id }] }])).expect(204);
  await taken(workspace);
  expect(await usersOf(workspace)).toMatchObject([{ status: 'active' }, { id: second?.id, status: 'active' }]);
  (await scim.patch(`/Groups/${group.id}`, [{ op: 'Remove', path: 'members', value: [member] }])).expect(204);
  (await scim.patch(`/Groups/${group.id}`, [{ op: 'remove', path: `members[value eq "${again.id}"]` }])).expect(204);
  expect(said(await scim.get(`/Groups/${group.id}`)).members).toEqual([]);
  (await scim.send('DELETE', `/Groups/${group.id}`)).expect(204);
});

it('keeps the last owner and what was done here, and goes on with what came meanwhile', async () => {
  const { workspace, scim } = await scimConnected(server, {
    users_without_mapping: 'agent',
    safety: { max_deactivations_pct: 100 },
  });
  const { api } = workspace;
  const owner = await makeUser(api, { email: 'olga@acme.example', role: 'owner' });
  const olga = await scim.makeUser('olga@acme.example', { title: 'Chief' });
  await taken(workspace);
  expect(await usersOf(workspace)).toMatchObject([{ id: owner.id, role: 'owner', title: 'Chief', source: 'scim' }]);
  (await scim.send('DELETE', `/Users/${olga.id}`)).expect(204);
  const run = await taken(workspace);
  expect((await api.get(`/active-directory/sync/runs/${run.id}/changes`)).rows).toMatchObject([
    { result: 'skipped', error: { code: 'last_owner' } },
  ]);
  expect(await usersOf(workspace)).toMatchObject([{ status: 'active', role: 'owner' }]);

  // What is told while a run is under way is for the next one; a dry run takes nothing.
  await scim.makeUser('p1@acme.example');
  const { id } = (await api.get('/active-directory/sync')).data;
  await scim.makeUser('p2@acme.example');
  expect((await api.get('/active-directory/sync')).data.id).toBe(id);
  await sql.rows(`UPDATE directory_runs SET status = 'cancelled', finished_at = now() WHERE id = $1`, [id]);
  await sql.rows(`UPDATE scim_resources SET run_id = $1 WHERE workspace_id = $2`, [id, workspace.id]);
  const dry = (await api.post('/active-directory/sync', { dry_run: true })).expect(200).data;
  expect((await runToItsEnd(server, workspace, dry.id)).counts).toMatchObject({ created: 2 });
  await scim.makeUser('p3@acme.example');
  expect((await taken(workspace)).counts).toMatchObject({ created: 3 });
  // One that nothing has begun for is found by the upkeep.
  await sql.rows(`UPDATE scim_resources SET run_id = NULL WHERE workspace_id = $1 AND name_key = 'p3@acme.example'`, [
    workspace.id,
  ]);
  const before = (await api.get('/active-directory/sync')).data.id;
  await runJob(server, 'directory-due');
  expect((await api.get('/active-directory/sync')).data.id).toBeGreaterThan(before);
  expect(await taken(workspace)).toMatchObject({ status: 'completed', counts: { scanned: 1 } });
  expect((await api.post('/active-directory/sync', { mode: 'full' })).expect(200).data.status).toBe('queued');
  expect(await taken(workspace)).toMatchObject({ mode: 'full', counts: { scanned: 3 } });
});

it('counts somebody who leaves as user and contact once among those of the hour', async () => {
  const { workspace, scim } = await scimConnected(server, {
    ...{ role_mappings: [{ group: 'Staff', role: 'agent' }], users_without_mapping: 'contact' },
    safety: { max_deactivations_pct: 100, max_deactivations_abs: 2 },
  });
  const [ada, ben] = [await scim.makeUser('ada@acme.example'), await scim.makeUser('ben@acme.example')];
  await taken(workspace);
  await scim.makeGroup('Staff', [ada.id]);
  await taken(workspace);
  for (const [person, rows] of [
    [ada, ['contact', 'user']],
    [ben, ['contact']],
  ] as const) {
    (await scim.patch(`/Users/${person.id}`, [{ op: 'replace', path: 'active', value: false }])).expect(200);
    const run = await taken(workspace);
    const path = `/active-directory/sync/runs/${run.id}/changes?action=disable`;
    expect((await workspace.api.get(path)).rows.map(({ object }) => object).sort()).toEqual(rows);
    expect(run.status).toBe('completed');
  }
});
