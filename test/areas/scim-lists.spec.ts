import fc from 'fast-check';
import { type Filter } from '../../src/areas/active-directory/scim/protocol/filter';
import { matches } from '../../src/areas/active-directory/scim/protocol/matching';
import { GROUPS, type ResourceType, USERS } from '../../src/areas/active-directory/scim/protocol/schema';
import { useApp } from '../support/app';
import { ENTERPRISE, resources, said, ScimClient, scimConnected, USER } from '../support/scim';
import { written } from '../support/scim-filters';
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

  it('are sorted without regard to case and accents, in memory as in the database', async () => {
    const { scim: other } = await scimConnected(server);
    for (const [place, title] of ['zeta', 'Straße', 'alt', 'Zebra', 'Älteste', 'strasse'].entries())
      await other.makeUser(`u${place}@acme.example`, { title });
    // Dates by their letters are looked at in memory.
    for (const filter of ['', `&filter=${encodeURIComponent('meta.created co "-"')}`]) {
      const titles = async (query: string): Promise<unknown[]> =>
        resources(await other.get(`/Users?sortBy=title${query}${filter}`)).map(({ title }) => title);
      expect(await titles('')).toEqual(['alt', 'Älteste', 'Straße', 'strasse', 'Zebra', 'zeta']);
      expect(await titles('&sortOrder=descending')).toEqual(['zeta', 'Zebra', 'Straße', 'strasse', 'Älteste', 'alt']);
    }
  });

  it('take what is said of an extension, whatever else stands in it', async () => {
    const path = `/Users/${ids[2]}`;
    const value = { [ENTERPRISE]: { department: 'IT', badge: 7 }, shoeSize: 43 };
    const answer = (await scim.patch(path, [{ op: 'replace', value }])).expect(200);
    expect(said(answer)[ENTERPRISE]).toEqual({ department: 'IT' });
    const whole = { op: 'add', path: ENTERPRISE, value: { Division: 'East', badge: 7 } };
    const next = (await scim.patch(path, [whole])).expect(200);
    expect(said(next)[ENTERPRISE]).toEqual({ department: 'IT', division: 'East' });
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

describe('a filter that the database answers', () => {
  let scim: ScimClient;
  const all = new Map<ResourceType, Record<string, unknown>[]>();
  beforeAll(async () => {
    ({ scim } = await scimConnected(server));
    const department = (name: string, manager?: string): object => ({
      [ENTERPRISE]: { department: name, ...(manager ? { manager: { value: manager } } : {}) },
    });
    const ada = await scim.makeUser('Ada@Acme.example', { title: 'ÄRZTIN', externalId: 'x', active: false });
    const bert = await scim.makeUser('bert@acme.example', { title: 'Arzt 100%', ...department('IT_Ost', ada.id) });
    const emails = [
      { value: 'C@acme.example', type: 'work' },
      { value: 'carl@home.example', type: 'home', primary: true },
    ];
    await scim.makeUser('carl', { emails, nickName: 'Ω\u{1F600}', externalId: 'X', ...department('it_west') });
    await scim.makeUser('d\uFFFDora@acme.example', { emails: undefined, name: undefined, displayName: '' });
    await scim.makeGroup('Inner', [ada.id, 'nobody']);
    await scim.makeGroup('OUTER', [bert.id, String(resources(await scim.get('/Groups'))[0]?.id)]);
    await scim.makeGroup('empty');
    // As they were kept before they could be asked for by their values.
    await sql.rows(`UPDATE scim_resources SET folded = NULL WHERE name IN ('carl', 'Inner')`, []);
    for (const type of [USERS, GROUPS]) all.set(type, resources(await scim.get(type.endpoint)));
  });

  const text = fc.constantFrom(
    '',
    'a',
    'A',
    'ärzt',
    'Ä',
    '%',
    '_',
    'x',
    'X',
    'it_',
    '@acme.example',
    'work',
    'Ω',
    '\u{1F600}',
    '\uFFFD',
    'inner',
    'User',
    'nobody',
    'true',
  );
  const leafOf = (names: fc.Arbitrary<string>, flags: fc.Arbitrary<string>): fc.Arbitrary<Filter> =>
    fc.oneof(
      names.map((path): Filter => ({ op: 'pr', path })),
      names.map((path): Filter => ({ op: 'eq', path, value: null })),
      flags.chain((path) => fc.boolean().map((value): Filter => ({ op: 'eq', path, value }))),
      fc
        .record({ op: fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'), path: names, value: text })
        .map((each): Filter => each),
    );
  const treeOf = (leaf: fc.Arbitrary<Filter>): fc.Arbitrary<Filter> =>
    fc.letrec<{ tree: Filter }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 2 },
        leaf,
        tie('tree').map((of): Filter => ({ op: 'not', of })),
        fc
          .record({
            op: fc.constantFrom('and' as const, 'or' as const),
            of: fc.array(tie('tree'), { minLength: 2, maxLength: 2 }),
          })
          .map((each): Filter => each),
      ),
    })).tree;
  const listed = treeOf(leafOf(fc.constantFrom('value', 'type', 'display'), fc.constant('primary')));
  const users = leafOf(
    fc.constantFrom(
      'userName',
      'title',
      'nickName',
      'displayName',
      'externalId',
      'name.givenName',
      'emails',
      'emails.type',
      'groups',
      'groups.display',
      `${ENTERPRISE}:department`,
      `${ENTERPRISE}:manager`,
      'id',
      'meta.resourceType',
      'meta.location',
      'meta.version',
    ),
    fc.constantFrom('active', 'emails.primary'),
  );
  const members = treeOf(
    leafOf(fc.constantFrom('value', 'type', 'display', '$ref'), fc.constantFrom('none')).filter(
      (each) => !('value' in each) || typeof each.value !== 'boolean',
    ),
  );
  const groups = fc.oneof(
    leafOf(
      fc.constantFrom(
        'displayName',
        'members',
        'members.value',
        'members.display',
        'members.type',
        'members.$ref',
        'id',
      ),
      fc.constant('none'),
    ).filter((each) => !('value' in each) || typeof each.value !== 'boolean'),
    members.map((of): Filter => ({ op: 'some', path: 'members', of })),
  );
  const moment = fc
    .record({
      op: fc.constantFrom('gt', 'le', 'eq'),
      path: fc.constantFrom('meta.created', 'meta.lastModified'),
      value: fc.constantFrom('2020-01-01T00:00:00Z', '2999-12-31T00:00:00+01:00'),
    })
    .map((each): Filter => each);

  it.each([
    [
      USERS,
      treeOf(
        fc.oneof(
          users,
          users,
          moment,
          listed.map((of): Filter => ({ op: 'some', path: 'emails', of })),
        ),
      ),
    ],
    [GROUPS, treeOf(fc.oneof(groups, moment))],
  ] as const)('finds what is found in memory', async (type, filters) => {
    const known = all.get(type) ?? [];
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const expected = known.filter((each) => matches(type, filter, each)).map(({ id }) => id);
        const found = await scim.send('POST', `${type.endpoint}/.search`, { filter: written(filter) });
        expect(resources(found).map(({ id }) => id)).toEqual(expected);
      }),
      { numRuns: 80 },
    );
  });

  it('has as many groups as its members have room for, and no members where nobody asks for them', async () => {
    const { id } = await scim.makeGroup('many');
    await sql.rows(
      `INSERT INTO scim_members (workspace_id, group_id, member_id) SELECT workspace_id, id, 'm' || n FROM scim_resources, generate_series(1, 20001) n WHERE id = $1`,
      [id],
    );
    const names = (answer: Parameters<typeof resources>[0]): unknown[] =>
      resources(answer).map(({ displayName }) => displayName);
    expect(names(await scim.get('/Groups'))).toEqual(['Inner', 'OUTER', 'empty']);
    expect(said(await scim.get('/Groups'))).toMatchObject({ totalResults: 4, itemsPerPage: 3 });
    expect(names(await scim.get('/Groups?startIndex=4&attributes=displayName,members'))).toEqual(['many']);
    expect(names(await scim.get('/Groups?excludedAttributes=members'))).toHaveLength(4);
  });
});
