import fc from 'fast-check';
import { type Content, contentOf } from '../../src/areas/active-directory/scim/protocol/content';
import { type Filter, parseFilter } from '../../src/areas/active-directory/scim/protocol/filter';
import { matches } from '../../src/areas/active-directory/scim/protocol/matching';
import { operationsOf, patched } from '../../src/areas/active-directory/scim/protocol/patch';
import { Projection } from '../../src/areas/active-directory/scim/protocol/projection';
import { ENTERPRISE, GROUPS, USERS } from '../../src/areas/active-directory/scim/protocol/schema';
import { narrowed } from '../../src/areas/active-directory/scim/scim-keys';
import { groupOf, personOf } from '../../src/areas/active-directory/scim/scim-objects';
import { ApiError } from '../../src/platform/errors/api-error';
import { written } from '../support/scim-filters';

/** The resource of RFC 7643, section 8.2, in part. */
const barbara: Content = {
  id: '2819c223-7f76-453a-919d-413861904646',
  externalId: 'Bjensen',
  userName: 'bjensen@example.com',
  name: { familyName: "O'Malley", givenName: 'Barbara' },
  title: 'Tour Guide',
  active: true,
  emails: [
    { value: 'bjensen@example.com', type: 'work', primary: true },
    { value: 'babs@jensen.org', type: 'home' },
  ],
  meta: { resourceType: 'User', lastModified: '2011-05-13T04:42:34Z' },
  [ENTERPRISE]: { department: 'Tour Operations', manager: { value: '26118915' } },
};

const typeOf = (work: () => unknown): unknown => {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof ApiError ? error.extras.details?.[0]?.scimType : error;
  }
};
const finds = (filter: string): boolean => matches(USERS, parseFilter(filter), barbara);

describe('a filter', () => {
  it.each([
    // RFC 7644, figure 2, and what identity providers send.
    ['userName eq "BJensen@example.com"', true],
    [`name.familyName co "o'malley"`, true],
    ['userName sw "J"', false],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "b"', true],
    ['title pr', true],
    ['nickName pr', false],
    ['meta.lastModified gt "2011-05-13T04:42:33Z"', true],
    ['meta.lastModified ge "2011-05-13T04:42:34.000+00:00"', true],
    ['meta.lastModified lt "2011-05-13T04:42:34Z"', false],
    ['title pr and userType eq "Employee"', false],
    ['title pr or userType eq "Intern"', true],
    ['userType ne "Employee" and not (emails co "example.org" or emails.value co "example.net")', true],
    ['emails[type eq "work" and value co "@example.com"]', true],
    ['emails[type eq "home" and value co "@example.com"]', false],
    ['emails[type eq "work"].value eq "babs@jensen.org"', false],
    ['emails[type eq "home"].value eq "BABS@jensen.org"', true],
    ['emails[not (type eq "work")]', true],
    ['externalId eq "bjensen"', false],
    ['externalId eq Bjensen', true],
    ['active eq true', true],
    ['active eq "False"', false],
    ['ACTIVE EQ TRUE AND USERNAME PR', true],
    [`${ENTERPRISE}:department ew "operations"`, true],
    [`${ENTERPRISE}:manager eq "26118915"`, true],
    ['title ne null', true],
    ['title pr or title pr and nickName pr', true],
    ['(title pr or title pr) and nickName pr', false],
  ])('%s is %s', (filter, isFound) => {
    expect(finds(filter)).toBe(isFound);
  });

  it.each([
    '',
    'userName',
    'userName eq',
    'userName eq "a" and',
    '(userName eq "a"',
    'userName eq "a")',
    'userName eq "a\\q"',
    'eq eq eq eq',
    'emails[type eq "work"',
    'not title pr',
    'nothing eq "a"',
    'name eq "a"',
    'emails[type eq "a"].nothing pr',
    'active gt true',
    'active eq 5',
    `${'('.repeat(50)}title pr${')'.repeat(50)}`,
    Array.from({ length: 300 }, () => 'title pr').join(' or '),
    `title eq "${'a'.repeat(9_000)}"`,
  ])('%.40s makes no sense', (filter) => {
    expect(typeOf(() => matches(USERS, parseFilter(filter), {}))).toBe('invalidFilter');
  });

  const name = fc.constantFrom('userName', 'title', 'emails.value', 'externalId', 'name.givenName');
  const leaf = fc.oneof(
    name.map((path): Filter => ({ op: 'pr', path })),
    fc
      .record({
        op: fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'),
        path: name,
        // NUL is refused: no database holds it.
        value: fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0')),
      })
      .map((each): Filter => each),
  );
  const { tree } = fc.letrec<{ tree: Filter }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      leaf,
      tie('tree').map((of): Filter => ({ op: 'not', of })),
      fc
        .record({
          op: fc.constantFrom('and' as const, 'or' as const),
          of: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
        })
        .map((each): Filter => each),
    ),
  }));
  it('is what was written, and finds no more than the key that it is looked up by', () => {
    fc.assert(
      fc.property(tree, (filter) => {
        const read = parseFilter(written(filter));
        expect(matches(USERS, read, barbara)).toBe(matches(USERS, filter, barbara));
        const bound: unknown[] = [];
        const key = narrowed(USERS, read, (value) => `$${bound.push(value)}`);
        if (key?.startsWith('name_key') && matches(USERS, read, barbara))
          expect(bound).toEqual(['bjensen@example.com']);
        if (key?.startsWith('external_id') && matches(USERS, read, barbara)) expect(bound).toEqual(['Bjensen']);
      }),
    );
  });
});

describe('a PATCH', () => {
  const apply = (operations: readonly object[], content: Content = barbara): Content =>
    operationsOf(USERS, { Operations: operations }).reduce(patched, content);

  it('is done as Entra ID writes it', () => {
    const after = apply([
      { op: 'Replace', path: 'active', value: 'False' },
      { op: 'Add', path: 'title', value: 'Lead' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@example.com' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+49 170 1' },
      { op: 'Replace', path: 'name.familyName', value: 'Jensen' },
      { op: 'Add', path: `${ENTERPRISE}:manager`, value: '42' },
      { op: 'Remove', path: `${ENTERPRISE}:department` },
    ]);
    expect(after).toMatchObject({
      active: false,
      title: 'Lead',
      name: { familyName: 'Jensen', givenName: 'Barbara' },
      phoneNumbers: [{ type: 'mobile', value: '+49 170 1' }],
      [ENTERPRISE]: { manager: { value: '42' } },
    });
    expect(after.emails).toEqual([
      { value: 'new@example.com', type: 'work', primary: true },
      { value: 'babs@jensen.org', type: 'home' },
    ]);
    const flat = {
      'name.givenName': 'Babs',
      'emails[type eq "other"].value': 'o@example.com',
      [`${ENTERPRISE}:costCenter`]: '7',
    };
    expect(apply([{ op: 'replace', value: flat }])).toMatchObject({
      name: { givenName: 'Babs', familyName: "O'Malley" },
      emails: [{}, {}, { type: 'other', value: 'o@example.com' }],
      [ENTERPRISE]: { costCenter: '7', department: 'Tour Operations' },
    });
  });

  it('is done as Okta writes it, and as the RFC does', () => {
    expect(apply([{ op: 'replace', value: { active: false, id: 'x', unheard: 1 } }])).toMatchObject({
      active: false,
      id: barbara.id,
    });
    const added = apply([
      { op: 'add', path: 'emails', value: [{ value: 'c@example.com', type: 'other', primary: true }] },
    ]);
    expect(added.emails).toMatchObject([{ primary: false }, {}, { value: 'c@example.com', primary: true }]);
    expect(apply([{ op: 'add', value: { [ENTERPRISE]: { division: 'A' } } }])[ENTERPRISE]).toMatchObject({
      division: 'A',
    });
    expect(apply([{ op: 'remove', path: 'emails[type eq "home"]' }]).emails).toHaveLength(1);
    expect(apply([{ op: 'remove', path: 'emails[type eq "home"].value' }]).emails).toMatchObject([
      {},
      { type: 'home' },
    ]);
    expect(apply([{ op: 'remove', path: 'emails' }])).not.toHaveProperty('emails');
    expect(apply([{ op: 'remove', path: ENTERPRISE }])).not.toHaveProperty([ENTERPRISE]);
    expect(apply([{ op: 'replace', path: 'name', value: { givenName: 'B' } }]).name).toEqual({
      givenName: 'B',
      familyName: "O'Malley",
    });
    expect(barbara.active).toBe(true);
  });

  it.each([
    [[], 'invalidSyntax'],
    [[{ op: 'move', path: 'title' }], 'invalidSyntax'],
    [[{ op: 'remove' }], 'noTarget'],
    [[{ op: 'add', path: 'nothing', value: 1 }], 'invalidPath'],
    [[{ op: 'add', path: 'title[type eq "a"]', value: 'x' }], 'invalidPath'],
    [[{ op: 'add', path: 'emails[type eq', value: 'x' }], 'invalidPath'],
    [[{ op: 'replace', path: 'id', value: 'x' }], 'mutability'],
    [[{ op: 'replace', path: 'groups', value: [] }], 'mutability'],
    [[{ op: 'replace', path: 'active', value: 'perhaps' }], 'invalidValue'],
    [[{ op: 'replace', path: 'title', value: ['a'] }], 'invalidValue'],
    [[{ op: 'replace', path: 'emails[type sw "z"].value', value: 'x' }], 'noTarget'],
    [[{ op: 'add', value: 'x' }], 'invalidValue'],
  ])('%j is refused: %s', (operations, scimType) => {
    expect(typeOf(() => apply(operations))).toBe(scimType);
  });
});

describe('what a body says', () => {
  it('is kept under the names of the schema, and nothing else is', () => {
    const body = {
      SCHEMAS: [],
      USERNAME: ' a@b.c ',
      Active: 'True',
      id: 'mine',
      meta: {},
      password: 'x',
      emails: 'a@b.c',
      nickname: null,
    };
    expect(contentOf(USERS, body)).toEqual({ userName: 'a@b.c', active: true, emails: [{ value: 'a@b.c' }] });
    const twins = [
      { value: 'a', primary: true },
      { value: 'b', primary: 'true' },
    ];
    expect(contentOf(USERS, { userName: 'a', emails: twins }).emails).toEqual([
      { value: 'a', primary: true },
      { value: 'b', primary: false },
    ]);
    expect(contentOf(GROUPS, { displayName: 'G', members: [{ value: 'a', display: 'A' }, { value: 'a' }] })).toEqual({
      displayName: 'G',
      members: [{ value: 'a' }],
    });
    for (const wrong of [
      {},
      { userName: '' },
      { userName: {} },
      { userName: 'a', name: 'b' },
      { userName: 'a'.repeat(256) },
      { userName: 'a', active: 2 },
    ])
      expect(typeOf(() => contentOf(USERS, wrong))).toBe('invalidValue');
  });

  it('is somebody as runs compare them', () => {
    const moments = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-02T00:00:00.000Z' };
    expect(personOf({ id: 'g', content: barbara, ...moments })).toMatchObject({
      ...{ guid: 'g', username: 'bjensen@example.com', email: 'bjensen@example.com', display_name: "Barbara O'Malley" },
      ...{ title: 'Tour Guide', department: 'Tour Operations', manager: '26118915', enabled: true },
    });
    const phones = [
      { value: '1', type: 'mobile', primary: true },
      { value: '2', type: 'work' },
    ];
    expect(
      personOf({ id: 'g', content: { userName: 'x', phoneNumbers: phones, active: false }, ...moments }),
    ).toMatchObject({
      ...{ email: null, display_name: 'x', phone: '2', mobile: '1', enabled: false },
    });
    expect(groupOf({ id: 'g', content: { displayName: 'Staff' } }, ['a'])).toMatchObject({
      name: 'Staff',
      members: ['a'],
    });
  });

  it('is answered in the part that was asked for', () => {
    const shown = (attributes?: string, excluded?: string): Content =>
      new Projection(USERS, attributes, excluded).of(barbara);
    expect(shown()).toBe(barbara);
    expect(shown('userName,name.givenName,emails.value')).toEqual({
      ...{ id: barbara.id, userName: 'bjensen@example.com', name: { givenName: 'Barbara' } },
      emails: [{ value: 'bjensen@example.com' }, { value: 'babs@jensen.org' }],
    });
    expect(shown(`${ENTERPRISE}:department`)).toEqual({
      id: barbara.id,
      [ENTERPRISE]: { department: 'Tour Operations' },
    });
    const less = shown(undefined, `emails,name.givenName,id,${ENTERPRISE}`);
    expect(less).toMatchObject({ id: barbara.id, name: { familyName: "O'Malley" } });
    expect(Object.keys(less)).not.toEqual(expect.arrayContaining(['emails']));
    expect(less[ENTERPRISE]).toBeUndefined();
  });
});
