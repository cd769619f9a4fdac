import { Tokens } from '../../../src/platform/auth/tokens.service';
import { api, type Api, type Answer } from '../api';
import { comparable, createOne, dealt, NOWHERE, type Subject } from './subject';

/** Who may do what: 401, 403, and the 404 that hides other workspaces. */
export function describeAccess(subject: Subject): void {
  const { contract } = subject;

  /** Every operation, in the name of some client, on a record. */
  const operations: [name: string, reads: boolean, call: (client: Api, id: number) => Promise<Answer>][] = [
    ['list', true, (client) => client.get(subject.home.path)],
    ['read', true, (client, id) => client.get(`${subject.home.path}/${id}`)],
    ['create', false, (client) => client.post(subject.home.path, contract.create(1, subject.home.made))],
    [
      'update',
      false,
      (client, id) => client.patch(`${subject.home.path}/${id}`, contract.update(1, subject.home.made)),
    ],
    ['delete', false, (client, id) => client.delete(`${subject.home.path}/${id}`)],
  ];
  const ofOne = operations.filter(([name]) => !['list', 'create'].includes(name));

  it('needs a token for each operation, and its scope', async () => {
    const record = await createOne(subject);
    const { token } = await subject.server.app.get(Tokens).create({ workspaceId: subject.home.id, scopes: ['write'] });
    const [writer, reader, nobody] = [api(subject.server.url, token), subject.home.readApi, api(subject.server.url)];
    for (const [name, reads, call] of operations) {
      const unknown = await call(nobody, NOWHERE);
      expect([name, unknown.status, unknown.error.type]).toEqual([name, 401, 'unauthorized']);
      const answer = await call(reads ? writer : reader, record.id);
      expect([name, answer.status, answer.error.type]).toEqual([name, 403, 'insufficient_scope']);
    }
    expect((await subject.home.api.get(`${subject.home.path}/${record.id}`)).data).toEqual(record);
  });

  it("finds another workspace's record no more than one that does not exist", async () => {
    const theirs = (): Promise<Answer> =>
      subject.foreign.api.get(`${subject.foreign.path}/${subject.foreignRecord.id}`);
    const before = await theirs();
    for (const [name, , call] of ofOne) {
      const hidden = await call(subject.home.api, subject.foreignRecord.id);
      const unknown = await call(subject.home.api, NOWHERE);
      expect([name, hidden.status, hidden.error.type]).toEqual([name, 404, 'not_found']);
      expect(comparable(hidden.text, subject.foreignRecord.id)).toBe(comparable(unknown.text, NOWHERE));
    }
    const listed = await subject.home.api.get(`${subject.home.path}?ids=${subject.foreignRecord.id}`);
    expect([listed.status, listed.rows, listed.meta.total]).toEqual([200, [], 0]);
    const after = await theirs();
    expect([after.data, after.header('etag')]).toEqual([before.data, before.header('etag')]);
  });

  const ids = ['0', '-1', '07', '7.0', 'abc', '1e3', '9007199254740993', '%20'];
  it.each(dealt(contract, ids, 1))('there is no record "%s"', async (id) => {
    for (const [, , call] of ofOne) {
      const answer = await call(subject.home.api, id as unknown as number);
      expect([answer.status, answer.error.type]).toEqual([404, 'not_found']);
    }
  });
}
