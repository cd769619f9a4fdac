import { useApp } from '../support/app';
import { resources, said, ScimClient, scimConnected, USER } from '../support/scim';
import { useSql } from '../support/sql';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

describe('lists and versions', () => {
  let scim: ScimClient;
  const ids: string[] = [];
  beforeAll(async () => {
    ({ scim } = await scimConnected(server));
    for (const [name, title] of [
      ['carl', 'B'],
      ['anna', 'a'],
      ['bert', undefined],
    ] as const)
      ids.push((await scim.makeUser(`${name}@acme.example`, title ? { title } : {})).id);
  });
  const names = async (query: string): Promise<unknown[]> =>
    resources(await scim.get(`/Users?${query}`)).map(({ userName }) => String(userName).split('@')[0]);

  it('are paged, sorted and filtered', async () => {
    expect(await names('')).toEqual(['carl', 'anna', 'bert']);
    expect(await names('sortBy=userName')).toEqual(['anna', 'bert', 'carl']);
    expect(await names('sortBy=title&sortOrder=descending')).toEqual(['bert', 'carl', 'anna']);
    expect(await names('sortBy=name.familyName')).toHaveLength(3);
    expect(await names('startIndex=2&count=1')).toEqual(['anna']);
    expect(await names(`filter=${encodeURIComponent('title pr')}&startIndex=2&count=5`)).toEqual(['anna']);
    expect(said(await scim.get('/Users?count=0'))).toMatchObject({ totalResults: 3, itemsPerPage: 0, Resources: [] });
    expect(said(await scim.get('/Users?count=-4&startIndex=0'))).toMatchObject({ startIndex: 1, Resources: [] });
    const search = { filter: 'userName sw "ca"', attributes: ['userName'], count: 5 };
    expect(said((await scim.send('POST', '/Users/.search', search)).expect(200)).Resources).toEqual([
      { schemas: [USER], id: ids[0], userName: 'carl@acme.example' },
    ]);
    for (const query of ['filter=title', 'filter=x%20pr', 'sortBy=x', 'count=many', `filter=${'('.repeat(5_000)}`])
      expect(said((await scim.get(`/Users?${query}`)).expect(400)).scimType).toMatch(/^invalid/);
  });

  it('are weak tags, which changes can be based on', async () => {
    const path = `/Users/${ids[1]}`;
    const read = (await scim.get(path)).expect(200);
    expect(read.header('etag')).toBe('W/"1"');
    (await scim.get(path, { 'if-none-match': 'W/"1"' })).expect(304);
    const body = { schemas: [USER], userName: 'anna@acme.example', nickName: 'A' };
    (await scim.send('PUT', path, body, { 'if-match': 'W/"7"' })).expect(412);
    const put = (await scim.send('PUT', path, body, { 'if-match': 'W/"1"' })).expect(200);
    expect([put.header('etag'), said(put).title, said(put).nickName]).toEqual(['W/"2"', undefined, 'A']);
    expect((await scim.send('PUT', path, body)).header('etag')).toBe('W/"2"');
    const clash = [{ op: 'replace', path: 'userName', value: 'BERT@acme.example' }];
    expect(said((await scim.patch(path, clash)).expect(409)).scimType).toBe('uniqueness');
    expect(said((await scim.patch(path, [{ op: 'remove', path: 'userName' }])).expect(400)).scimType).toBe(
      'invalidValue',
    );
    expect(said((await scim.patch(path, [{ op: 'replace', path: 'x', value: 1 }])).expect(400)).scimType).toBe(
      'invalidPath',
    );
    (await scim.send('DELETE', path, undefined, { 'if-match': 'W/"1"' })).expect(412);
    // A key that is sent again is answered again.
    const key = { 'idempotency-key': 'one-and-only' };
    const made = await scim.send('POST', '/Users', { userName: 'dora@acme.example' }, key);
    const replay = await scim.send('POST', '/Users', { userName: 'dora@acme.example' }, key);
    expect([made.status, replay.status, replay.text]).toEqual([201, 201, made.text]);
  });
});

it('no one else has a way in: tokens of another workspace, and of none', async () => {
  const { token } = await scimConnected(server);
  const stranger = await makeWorkspace(server);
  expect((await new ScimClient(stranger.api).get('/Users')).status).toBe(403);
  const rows = await sql.rows<{ scopes: string[] }>(
    `SELECT scopes FROM tokens WHERE last4 = $1 AND 'scim' = ANY(scopes)`,
    [token.slice(-4)],
  );
  expect(rows).toEqual([{ scopes: ['scim'] }]);
});
