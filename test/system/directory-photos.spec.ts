import { Attribute, Change } from 'ldapts';
import sharp from 'sharp';
import type { Api, Fields } from '../support/api';
import { pushed, runToItsEnd, takePhotos } from '../support/directory';
import { type Received, Receiver, type Reply } from '../support/receiver';
import { scimConnected, USER } from '../support/scim';
import { useScratchApp } from '../support/scratch-app';
import { BASE, organisation, PASSWORD, personLdif, READER, type Slapd, startSlapd } from '../support/slapd';
import { testCertificate } from '../support/test-certificate';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const { server, sql } = useScratchApp({ directoryAllowCidrs: ['127.0.0.1/32'] });
const graph = new Receiver();
let slapd: Slapd;
let pictures: Buffer[];
beforeAll(async () => {
  slapd = await startSlapd(organisation([1, 2, 3].map((number) => personLdif(number, `Person ${number}`))));
  await graph.listen();
  const colours = ['red', 'green', 'blue'];
  pictures = await Promise.all(
    colours.map((background) =>
      sharp({ create: { width: 8, height: 8, channels: 3, background } })
        .jpeg()
        .toBuffer(),
    ),
  );
});
afterAll(async () => {
  await slapd.stop();
  await graph.close();
});

async function connected(type: string, config: object): Promise<{ workspace: TestWorkspace; api: Api; id: number }> {
  const workspace = await makeWorkspace(server);
  const body = { type, name: 'Acme', config, users_without_mapping: 'agent' };
  const { id } = (await workspace.api.post('/active-directory/connections', body)).expect(201).data;
  return { workspace, api: workspace.api, id };
}

/** A run, and the photos behind it. @returns how many jobs for photos it has left */
async function synced(workspace: TestWorkspace, connectionId: number, mode = 'full'): Promise<number> {
  const { id } = (await workspace.api.post('/active-directory/sync', { mode })).expect(200).data;
  expect(await runToItsEnd(server, workspace, id)).toMatchObject({ status: 'completed' });
  const jobs = await sql.rows(
    `DELETE FROM work WHERE workspace_id = $1 AND kind = 'directory_photos' RETURNING subject_id`,
    [workspace.id],
  );
  await takePhotos(server, workspace.id, connectionId);
  return jobs.length;
}

const NOBODY: Fields = { id: 0 };
const userOf = async (api: Api, email: string): Promise<Fields> =>
  (await api.get(`/users?email=${email}`)).rows[0] ?? NOBODY;
const personOf = async (api: Api, email: string): Promise<Fields> =>
  (await api.get(`/active-directory/users?email=${email}&expand=photo`)).rows[0] ?? NOBODY;

async function shown({ avatar_url }: Fields): Promise<Buffer> {
  const { pathname } = new URL(String(avatar_url));
  const answer = await fetch(`${server.url}${pathname}`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  return Buffer.from(await answer.arrayBuffer());
}

it('takes photos of LDAP when entries change, and leaves pictures that people have chosen', async () => {
  const photo = (number: number, type: string, value: Buffer | null): Promise<void> =>
    slapd.changing((client) =>
      client.modify(`CN=Person ${number},OU=People,${BASE}`, [
        new Change({
          operation: 'replace',
          modification: new Attribute({ type, values: value === null ? [] : ([value] as Buffer[]) }),
        }),
        new Change({
          operation: 'replace',
          modification: new Attribute({ type: 'uSNChanged', values: [String(2_000 + changes++)] }),
        }),
      ]),
    );
  let changes = 0;
  const [red, green, blue] = pictures as [Buffer, Buffer, Buffer];
  await photo(1, 'thumbnailPhoto', red);
  await photo(2, 'jpegPhoto', green);
  await photo(3, 'thumbnailPhoto', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  const { workspace, api, id } = await connected('ldap', {
    ...{ host: '127.0.0.1', port: slapd.secure, ca: testCertificate.cert, tls: 'ldaps', page_size: 5 },
    ...{ base_dn: BASE, bind_dn: READER, bind_password: PASSWORD },
  });
  expect(await synced(workspace, id)).toBe(1);
  const first = await userOf(api, 'u1@acme.example');
  expect(await shown(first)).toEqual(red);
  expect(await shown(await userOf(api, 'u2@acme.example'))).toEqual(green);
  expect(await userOf(api, 'u3@acme.example')).toMatchObject({ avatar_url: null });
  expect(await personOf(api, 'u3@acme.example')).toMatchObject({ photo_id: null, photo_problem: 'no_picture' });
  const { photo: file } = await personOf(api, 'u1@acme.example');
  expect(file).toMatchObject({ user_id: first.id, content_type: 'image/jpeg', size: red.length });
  const events = await sql.rows(
    `SELECT actor ->> 'type' AS actor FROM events WHERE object = 'user' AND object_id = $1 AND type = 'user.updated'`,
    [first.id],
  );
  expect(events).toEqual([{ actor: 'directory' }]);

  // Nothing has changed: nobody is asked.
  expect(await synced(workspace, id)).toBe(0);
  expect(await userOf(api, 'u1@acme.example')).toEqual(first);

  await photo(1, 'thumbnailPhoto', blue);
  await photo(2, 'jpegPhoto', null);
  const own = 'https://cdn.acme.example/own.png';
  (await api.patch(`/users/${(await userOf(api, 'u2@acme.example')).id}`, { avatar_url: own })).expect(200);
  expect(await synced(workspace, id)).toBe(1);
  expect(await shown(await userOf(api, 'u1@acme.example'))).toEqual(blue);
  expect(await userOf(api, 'u2@acme.example')).toMatchObject({ avatar_url: own });
  expect((await fetch(`${server.url}${new URL(String(first.avatar_url)).pathname}`)).status).toBe(404);
  expect((await api.get('/attachments?attached=true')).meta.total).toBe(1);

  // Whoever deletes the file takes the picture away; unlinked, the user keeps it.
  await photo(2, 'jpegPhoto', red);
  await synced(workspace, id);
  const second = await personOf(api, 'u2@acme.example');
  (await api.post(`/active-directory/users/${second.id}/unlink`, {})).expect(200);
  expect(await personOf(api, 'u2@acme.example')).toMatchObject({ photo_id: null });
  expect(await shown(await userOf(api, 'u2@acme.example'))).toEqual(red);
  (await api.delete(`/attachments/${String((await personOf(api, 'u1@acme.example')).photo_id)}`)).expect(200);
  expect(await userOf(api, 'u1@acme.example')).toMatchObject({ avatar_url: null });
  expect(await personOf(api, 'u1@acme.example')).toMatchObject({ photo_id: null });
});

it('takes photos of Entra ID with every full run', async () => {
  const photos = new Map<string, Reply>();
  const json = (body: object): Reply => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const person = (id: string): object => ({ id, displayName: id, mail: `${id}@acme.example`, accountEnabled: true });
  const delta = (path: string): object => ({ '@odata.deltaLink': graph.at(`/v1.0/${path}`) });
  let busy = 1;
  graph.answer(({ path, headers }: Received): Reply => {
    if (path.endsWith('/oauth2/v2.0/token')) return json({ access_token: 'the-token' });
    if (headers.authorization !== 'Bearer the-token') return 401;
    if (path.includes('/photo/')) {
      if (busy-- > 0) return { status: 429, headers: { 'retry-after': '0' } };
      return photos.get(path.split('/')[3] ?? '') ?? 404;
    }
    if (path.includes('/groups/')) return json({ value: [], ...delta('groups/delta?$deltatoken=1') });
    const isFirst = !path.includes('deltatoken');
    return json({ value: isFirst ? ['ada', 'bea'].map(person) : [], ...delta('users/delta?$deltatoken=1') });
  });
  const [red, green] = pictures as [Buffer, Buffer];
  const image = (body: Buffer): Reply => ({ status: 200, headers: { 'content-type': 'image/jpeg' }, body });
  photos.set('ada', image(red));
  photos.set('bea', image(Buffer.alloc(5 * 1_048_576)));
  const at = graph.at('');
  const { workspace, api, id } = await connected('entra_id', {
    ...{ tenant_id: 'acme.example', client_id: '6731de76', client_secret: 's', login_url: at, graph_url: at },
  });
  expect(await synced(workspace, id)).toBe(1);
  expect(await shown(await userOf(api, 'ada@acme.example'))).toEqual(red);
  expect(await personOf(api, 'bea@acme.example')).toMatchObject({ photo_id: null, photo_problem: 'too_large' });
  expect(await synced(workspace, id, 'delta')).toBe(0);
  photos.set('ada', image(green));
  photos.delete('bea');
  expect(await synced(workspace, id)).toBe(1);
  expect(await shown(await userOf(api, 'ada@acme.example'))).toEqual(green);
  expect(await personOf(api, 'bea@acme.example')).toMatchObject({ photo_problem: null });
  // What the application may not read leaves everything as it is, to be asked for again.
  photos.set('ada', 403);
  await synced(workspace, id);
  expect(await shown(await userOf(api, 'ada@acme.example'))).toEqual(green);
  (await api.patch(`/active-directory/connections/${id}`, { config: { photos: false } })).expect(200);
  expect(await synced(workspace, id)).toBe(0);
});

/** The photos behind the runs of what was sent. */
async function sentOn(workspace: TestWorkspace, connectionId: number): Promise<void> {
  for (;;) {
    const { id, status } = (await workspace.api.get('/active-directory/sync')).expect(200).data;
    if (status !== 'queued' && status !== 'running') break;
    await runToItsEnd(server, workspace, id);
  }
  await takePhotos(server, workspace.id, connectionId);
}
const waiting = async ({ id }: TestWorkspace): Promise<number> =>
  (await sql.rows('SELECT FROM directory_photos WHERE workspace_id = $1', [id])).length;

it('takes photos that are sent with people, and keeps none of them for longer than it takes', async () => {
  const [red, green] = pictures as [Buffer, Buffer];
  const { workspace, api, id } = await connected('json', {});
  const send = async (users: object[], more: object = {}): Promise<void> => {
    (await api.post('/active-directory/import', { users, ...more })).expect(200);
    await sentOn(workspace, id);
  };
  const photo = (picture: Buffer): object => ({ photo: picture.toString('base64') });
  for (const wrong of ['%%%', 'abc', 'a'.repeat(1_000_004), 7])
    (await api.post('/active-directory/import', { users: [pushed('x', { photo: wrong })] })).expect(422);
  await send([pushed('ada', photo(red))], { dry_run: true });
  expect(await waiting(workspace)).toBe(0);
  await send([
    pushed('ada', photo(red)),
    pushed('bea', photo(Buffer.from('<svg/>'))),
    pushed('off', { enabled: false, ...photo(red) }),
  ]);
  expect(await waiting(workspace)).toBe(0);
  expect(await shown(await userOf(api, 'ada@acme.example'))).toEqual(red);
  expect(await personOf(api, 'bea@acme.example')).toMatchObject({ photo_id: null, photo_problem: 'no_picture' });
  // Who says nothing of it changes nothing; neither does the same again.
  const first = await userOf(api, 'ada@acme.example');
  await send([pushed('ada', { title: 'Engineer' })], { mode: 'full' });
  await send([pushed('ada', { title: 'Engineer', ...photo(red) })]);
  expect((await userOf(api, 'ada@acme.example')).avatar_url).toBe(first.avatar_url);
  // What a run that was stopped was sent is nobody's; of several the last one counts.
  const open = (
    await api.post('/active-directory/import', { users: [pushed('ada', { photo: null })], complete: false })
  ).expect(200).data;
  (await api.post(`/active-directory/sync/runs/${open.id}/cancel`, {})).expect(200);
  expect([await waiting(workspace), (await userOf(api, 'ada@acme.example')).avatar_url]).toEqual([0, first.avatar_url]);
  await send([pushed('ada', photo(red)), pushed('ada', photo(green))]);
  expect(await shown(await userOf(api, 'ada@acme.example'))).toEqual(green);
  await send([pushed('ada', { photo: null })]);
  expect(await userOf(api, 'ada@acme.example')).toMatchObject({ avatar_url: null });
  expect([await waiting(workspace), (await api.get('/attachments?attached=true')).meta.total]).toEqual([0, 0]);
});

it('takes photos that a client of SCIM tells, as addresses and as they are', async () => {
  const [red, green] = pictures as [Buffer, Buffer];
  const { workspace, connection, scim } = await scimConnected(server, { users_without_mapping: 'agent' });
  const { api } = workspace;
  const asked: string[] = [];
  let answer: Reply = { status: 200, headers: { 'content-type': 'image/jpeg' }, body: green };
  graph.answer(({ path, headers }: Received): Reply => {
    asked.push(path);
    expect(headers.authorization).toBeUndefined();
    return answer;
  });
  const data = `data:image/jpeg;base64,${red.toString('base64')}`;
  const thumbnail = { value: graph.at('/small.jpg'), type: 'thumbnail' };
  const ada = await scim.makeUser('ada@acme.example', { photos: [thumbnail, { value: data, type: 'photo' }] });
  await scim.makeUser('bea@acme.example', { photos: [{ value: graph.at('/bea.jpg') }] });
  await scim.makeUser('cem@acme.example', { photos: [{ value: 'ftp://files.acme.example/cem.jpg' }] });
  await scim.makeUser('dan@acme.example', { photos: [{ value: 'http://10.0.0.1/dan.jpg' }] });
  await sentOn(workspace, connection.id);
  expect(await shown(await userOf(api, 'ada@acme.example'))).toEqual(red);
  expect(await shown(await userOf(api, 'bea@acme.example'))).toEqual(green);
  expect(await personOf(api, 'cem@acme.example')).toMatchObject({ photo_id: null, photo_problem: 'no_picture' });
  expect(await personOf(api, 'dan@acme.example')).toMatchObject({ photo_id: null, photo_problem: 'unreachable' });
  expect(asked).toEqual(['/bea.jpg']);
  // Told as before, nobody is asked; what cannot be had leaves what there is.
  await scim.patch(`/Users/${ada.id}`, [{ op: 'replace', path: 'title', value: 'Engineer' }]);
  await sentOn(workspace, connection.id);
  expect(asked).toHaveLength(1);
  for (const [path, reply] of [
    ['/broken', 500],
    ['/huge', { status: 200, body: Buffer.alloc(5 * 1_048_576) }],
    ['/gone', 404],
  ] as const) {
    answer = reply;
    const operation = { op: 'replace', path: 'photos', value: [{ value: graph.at(path), primary: true }] };
    expect((await scim.patch(`/Users/${ada.id}`, [operation])).status).toBe(200);
    await sentOn(workspace, connection.id);
    const { avatar_url } = await userOf(api, 'ada@acme.example');
    const { photo_problem } = await personOf(api, 'ada@acme.example');
    expect([path, avatar_url === null, photo_problem]).toEqual(
      { '/broken': [path, false, 'unreachable'], '/huge': [path, true, 'too_large'], '/gone': [path, true, null] }[
        path
      ],
    );
  }
  expect((await scim.send('GET', `/Users/${ada.id}`)).text).toContain('/gone');
  const long = [{ value: `data:image/jpeg;base64,${'A'.repeat(33_000)}` }];
  expect(
    (await scim.send('POST', '/Users', { schemas: [USER], userName: 'eve@acme.example', photos: long })).status,
  ).toBe(400);
});
