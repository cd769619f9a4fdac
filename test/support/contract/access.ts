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

  it.each(operations)('%s needs a token', async (_name, _reads, call) => {
    const answer = await call(api(subject.server.url), NOWHERE);
    expect([answer.status, answer.error.type]).toEqual([401, 'unauthorized']);
  });

  it('needs the scope of each operation', async () => {
    const tokens = subject.server.app.get(Tokens);
    const record = await createOne(subject);
    const clientWith = async (scope: 'read' | 'write'): Promise<Api> =>
      api(subject.server.url, (await tokens.create({ workspaceId: subject.home.id, scopes: [scope] })).token);
    const [reader, writer] = [await clientWith('read'), await clientWith('write')];
    for (const [name, reads, call] of operations) {
      const answer = await call(reads ? writer : reader, record.id);
      expect([name, answer.status, answer.error.type]).toEqual([name, 403, 'insufficient_scope']);
    }
    expect((await subject.home.api.get(`${subject.home.path}/${record.id}`)).data).toEqual(record);
  });

  it("finds another workspace's record no more than one that does not exist", async () => {
    const theirs = (): Promise<Answer> =>
      subject.foreign.api.get(`${subject.foreign.path}/${subject.foreignRecord.id}`);
    const before = await theirs();
    for (const [name, , call] of operations.filter(([each]) => !['list', 'create'].includes(each))) {
      const hidden = await call(subject.home.api, subject.foreignRecord.id);
      const unknown = await call(subject.home.api, NOWHERE);
      expect([name, hidden.status, hidden.error.type]).toEqual([name, 404, 'not_found']);
      expect(comparable(hidden.text, subject.foreignRecord.id)).toBe(comparable(unknown.text, NOWHERE));
    }
    const after = await theirs();
    expect([after.data, after.header('etag')]).toEqual([before.data, before.header('etag')]);
  });

  it("a list shows nothing of another workspace's records", async () => {
    const answer = await subject.home.api.get(`${subject.home.path}?ids=${subject.foreignRecord.id}`);
    expect([answer.status, answer.rows, answer.meta.total]).toEqual([200, [], 0]);
  });

  const ids = ['0', '-1', '07', '7.0', 'abc', '1e3', '9007199254740993', '%20'];
  it.each(dealt(contract, ids, 2))('there is no record "%s"', async (id) => {
    for (const [, , call] of operations.slice(1).filter(([name]) => name !== 'create')) {
      const answer = await call(subject.home.api, id as unknown as number);
      expect([answer.status, answer.error.type]).toEqual([404, 'not_found']);
    }
  });
}
