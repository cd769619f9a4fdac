import { useApp } from '../support/app';
import { said, type ScimClient, scimConnected } from '../support/scim';

const server = useApp();
let scim: ScimClient;
beforeAll(async () => {
  ({ scim } = await scimConnected(server));
});

it.each(['\\u0000', '\\ud800', `e${'\\u0301'.repeat(40)}`])('a filter whose text is %s is refused', async (text) => {
  for (const filter of [`userName eq "${text}"`, `title co "${text}"`, `emails[value eq "${text}"]`]) {
    const answer = (await scim.get(`/Users?filter=${encodeURIComponent(filter)}`)).expect(400);
    expect(said(answer)).toMatchObject({ status: '400', scimType: 'invalidFilter' });
  }
  const group = await scim.makeGroup('Readers');
  const removal = { op: 'remove', path: `members[value eq "${text}"]` };
  expect(said((await scim.patch(`/Groups/${group.id}`, [removal])).expect(400)).scimType).toBe('invalidPath');
});

it('an id that nobody could have is not found', async () => {
  for (const id of ['%00', 'x'.repeat(3_000), '..%2fUsers', '%F0%9F%96%A8'])
    for (const answer of [
      await scim.get(`/Users/${id}`),
      await scim.patch(`/Groups/${id}`, [{ op: 'add', value: {} }]),
    ])
      expect([id, answer.status, said(answer).status]).toEqual([id, 404, '404']);
});

it('of two people who are given one name at once, one has it, and the other is told so', async () => {
  for (let round = 0; round < 5; round++) {
    const ids = [];
    for (const name of ['one', 'two']) ids.push((await scim.makeUser(`${name}-${round}@acme.example`)).id);
    const renamed = [{ op: 'replace', path: 'userName', value: `Same-${round}@acme.example` }];
    const answers = await Promise.all(ids.map((id) => scim.patch(`/Users/${id}`, renamed)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused && said(refused).scimType).toBe('uniqueness');
  }
});
