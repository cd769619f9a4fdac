import { useApp } from '../support/app';
import { ENTERPRISE, resources, said, type ScimBody, type ScimClient, scimConnected, USER } from '../support/scim';

const server = useApp();
let scim: ScimClient;
let token: string;
let ada: ScimBody;

beforeAll(async () => {
  ({ scim, token } = await scimConnected(server));
  ada = await scim.makeUser('ada@acme.example', { title: 'Lead' });
});

describe('names in any case (RFC 7643, section 2.1)', () => {
  it('are those of operations, with a path and without', async () => {
    const path = `/Users/${ada.id}`;
    const patch = (...OPERATIONS: object[]) => scim.send('PATCH', path, { OPERATIONS });
    expect(said((await patch({ Op: 'Replace', Path: 'ACTIVE', Value: 'False' })).expect(200)).active).toBe(false);
    const value = { Active: 'True', 'NAME.givenname': 'Augusta', [`${ENTERPRISE}:DEPARTMENT`.toUpperCase()]: 'IT' };
    expect(said((await patch({ OP: 'add', VALUE: value })).expect(200))).toMatchObject({
      ...{ active: true, name: { givenName: 'Augusta' } },
      [ENTERPRISE]: { department: 'IT' },
    });
  });

  it('are those of a search', async () => {
    const search = { Filter: 'USERNAME eq "ada@acme.example"', Attributes: ['userName'], COUNT: 1 };
    expect(resources(await scim.send('POST', '/Users/.search', search))).toEqual([
      { schemas: [USER, ENTERPRISE], id: ada.id, userName: 'ada@acme.example' },
    ]);
    expect(resources(await scim.send('POST', '/Users/.search', { Count: 0 }))).toEqual([]);
  });
});

it('what stands under the URN of the schema itself is said of the resource', async () => {
  const path = `/Users/${ada.id}`;
  const bare = (await scim.patch(path, [{ op: 'replace', value: { [USER]: { active: false } } }])).expect(200);
  expect(said(bare).active).toBe(false);
  const named = (await scim.patch(path, [{ op: 'replace', path: USER, value: { active: true } }])).expect(200);
  expect(said(named).active).toBe(true);
  expect(said((await scim.patch(path, [{ op: 'remove', path: USER }])).expect(400)).scimType).toBe('noTarget');
});

it('a member that is not named is refused, not left out', async () => {
  const { id } = await scim.makeGroup('Staff', [ada.id]);
  const members = [{ value: ada.id }, { display: 'Bert' }];
  const refusals = [
    await scim.patch(`/Groups/${id}`, [{ op: 'add', path: 'members', value: members }]),
    await scim.patch(`/Groups/${id}`, [{ op: 'replace', path: 'members', value: [{ value: '' }] }]),
    await scim.send('PUT', `/Groups/${id}`, { displayName: 'Staff', members }),
    await scim.send('POST', '/Groups', { displayName: 'Others', members }),
  ];
  expect(refusals.map((answer) => [answer.status, said(answer).scimType])).toEqual(
    refusals.map(() => [400, 'invalidValue']),
  );
  expect(resources(await scim.get('/Groups'))).toMatchObject([{ displayName: 'Staff', members: [{ value: ada.id }] }]);
});

it('the root answers in the words of the protocol, too', async () => {
  for (const path of ['', '/', '?x=1']) {
    const answer = await fetch(`${server.url}/v1/scim/v2${path}`, { headers: { authorization: `Bearer ${token}` } });
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
      path,
      404,
      'application/scim+json; charset=utf-8',
    ]);
    expect(await answer.json()).toMatchObject({ status: '404' });
  }
});
