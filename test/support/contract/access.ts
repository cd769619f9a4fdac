import { api, type Answer } from '../api';
import { comparable, dealt, NOWHERE, type Subject } from './subject';

/** Who may do what, and the 404 that hides other workspaces. 401 and 403 of every operation: query-parameters.spec.ts, role-walk.spec.ts. */
export function describeAccess(subject: Subject): void {
  const { contract } = subject;

  /** Every operation on one record. */
  const operations: [name: string, call: (id: number | string) => Promise<Answer>][] = [
    ['read', (id) => subject.home.api.get(`${subject.home.path}/${id}`)],
    ['update', (id) => subject.home.api.patch(`${subject.home.path}/${id}`, contract.update(1, subject.home.made))],
    ['delete', (id) => subject.home.api.delete(`${subject.home.path}/${id}`)],
  ];

  it('needs a token, and the scope for what it does', async () => {
    const { path, readApi } = subject.home;
    const unknown = await api(subject.server.url).get(path);
    expect([unknown.status, unknown.error.type]).toEqual([401, 'unauthorized']);
    for (const refused of [await readApi.post(path, {}), await readApi.delete(`${path}/${NOWHERE}`)])
      expect([refused.status, refused.error.type]).toEqual([403, 'insufficient_scope']);
  });

  it("finds another workspace's record no more than one that does not exist", async () => {
    const theirs = (): Promise<Answer> =>
      subject.foreign.api.get(`${subject.foreign.path}/${subject.foreignRecord.id}`);
    const before = await theirs();
    for (const [name, call] of operations) {
      const hidden = await call(subject.foreignRecord.id);
      const unknown = await call(NOWHERE);
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
    for (const [, call] of operations) {
      const answer = await call(id);
      expect([answer.status, answer.error.type]).toEqual([404, 'not_found']);
    }
  });
}
