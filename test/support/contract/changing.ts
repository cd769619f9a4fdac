import type { Answer } from '../api';
import { insist } from '../insist';
import { create, createOne, dealt, eventsAbout, eventType, nextSerial, type Subject, writable } from './subject';

/** PATCH and DELETE: what changes, what does not, and under which condition. */
export function describeChanging(subject: Subject): void {
  const { contract } = subject;
  const { resource } = contract;
  const at = (id: number): string => `${subject.home.path}/${id}`;
  const get = (id: number, headers?: Record<string, string>) => subject.home.api.get(at(id), headers);
  const patch = (id: number, body: unknown, headers?: Record<string, string>) =>
    subject.home.api.patch(at(id), body, headers);
  const remove = (id: number, headers?: Record<string, string>) => subject.home.api.delete(at(id), headers);
  const change = (): Record<string, unknown> => contract.update(nextSerial(), subject.home.made);

  it('changes what the body names and nothing else; nothing at all when no value differs', async () => {
    const created = await create(subject);
    const before = created.data;
    const old = created.header('etag') ?? '';
    const [held = ''] = dealt(contract, [old, `W/${old}`, `"other", ${old}`, '*'], 1);
    const same = await get(before.id, { 'if-none-match': held });
    expect([same.status, same.text, same.header('etag')]).toEqual([304, '', old]);
    const asked = change();
    const answer = (await patch(before.id, asked)).expect(200);
    expect(answer.data).toMatchObject(asked);
    expect(answer.data).toMatchObject({ id: before.id, created_at: before.created_at, external_id: null });
    expect(Date.parse(answer.data.updated_at as string)).toBeGreaterThanOrEqual(
      Date.parse(before.updated_at as string),
    );
    const read = (await get(before.id, { 'if-none-match': old })).expect(200);
    expect([read.data, read.header('etag')]).toEqual([answer.data, answer.header('etag')]);
    const events = await eventsAbout(subject, before.id);
    const updates = events.filter(({ type }) => type === eventType(contract, 'updated'));
    expect(updates.length).toBeGreaterThanOrEqual(1);
    for (const body of [asked, answer.data]) {
      const again = (await patch(before.id, body)).expect(200);
      expect([again.data, again.header('etag')]).toEqual([answer.data, answer.header('etag')]);
    }
    expect(await eventsAbout(subject, before.id)).toEqual(events);
  });

  it('refuses to change what the service sets and what it does not know, and takes it back unchanged', async () => {
    const before = await createOne(subject);
    const given = new Set(writable(contract, 'update').map(({ name }) => name));
    const fixed = resource.columns.filter(({ name, kind }) => !given.has(name) && kind !== 'computed');
    // Which they are stands in the declaration, from which the one check of all bodies is made.
    for (const { name, kind } of dealt(contract, fixed, 2)) {
      const other = kind === 'timestamp' ? '2001-01-01T00:00:00.000Z' : 'changed';
      const answer = await patch(before.id, { ...change(), [name]: other });
      expect([answer.status, answer.codes]).toEqual([422, { [name]: 'immutable' }]);
    }
    expect((await patch(before.id, { ...change(), zzz: 1 })).expect(422).codes).toEqual({ zzz: 'unknown_field' });
    expect((await get(before.id)).data).toEqual(before);
  });

  it('clears what may be null, and refuses null elsewhere', async () => {
    const columns = writable(contract, 'update');
    let record = await createOne(subject);
    const cleared = (names: readonly string[]): Promise<Answer> => {
      const required = Object.fromEntries(contract.required.map((each) => [each, record[each]]));
      return patch(record.id, { ...required, ...Object.fromEntries(names.map((name) => [name, null])) });
    };
    const nullable = columns.filter((column) => column.nullable).map(({ name }) => name);
    const together = await cleared(nullable);
    // What a rule asks for while another one is there, or instead of it, goes alone.
    for (const name of together.status === 200 ? [] : nullable) {
      let answer = await cleared([name]);
      if (answer.status !== 200) {
        record = await createOne(subject);
        answer = await cleared([name]);
      }
      expect([name, answer.status, answer.data[name]]).toEqual([name, 200, null]);
    }
    if (together.status === 200)
      expect(nullable.map((name) => [name, together.data[name]])).toEqual(nullable.map((name) => [name, null]));
    const firm = columns.filter((column) => !column.nullable).map(({ name }) => name);
    const answer = await cleared(firm);
    expect([answer.status, Object.keys(answer.codes).sort()]).toEqual([422, [...firm].sort()]);
  });

  it('lets one of several writers win who all saw the same version', async () => {
    const created = await create(subject);
    const etag = created.header('etag') ?? '';
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => insist(() => patch(created.data.id, change(), { 'if-match': etag }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
  });

  it(`heeds If-Match, and ${contract.afterDelete ? 'keeps what was deleted, marked' : 'answers what was deleted, and then 404'}`, async () => {
    const created = await create(subject);
    const { id } = created.data;
    const etag = created.header('etag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const stale of dealt(contract, ['"999"', `W/${etag}`, '"x"', 'nonsense'], 1)) {
      const refused = await patch(id, change(), { 'if-match': stale });
      expect([refused.status, refused.error.type]).toEqual([412, 'precondition_failed']);
    }
    const [good = ''] = dealt(contract, [`"999", ${etag}`, etag, '*'], 1);
    const before = (await patch(id, change(), { 'if-match': good })).expect(200);
    expect((await remove(id, { 'if-match': etag })).status).toBe(412);
    const answer = (await remove(id, { 'if-match': before.header('etag') ?? '' })).expect(200);
    expect((await eventsAbout(subject, id)).at(-1)?.type).toBe(eventType(contract, 'deleted'));
    if (contract.afterDelete) {
      expect(answer.data).toMatchObject({ id, ...contract.afterDelete });
      expect((await get(id)).data).toEqual(answer.data);
      expect((await remove(id)).data).toEqual(answer.data);
      return;
    }
    expect(answer.data).toEqual(before.data);
    for (const gone of [await get(id), await patch(id, change()), await remove(id)]) {
      expect([gone.status, gone.error.type]).toEqual([404, 'not_found']);
    }
    expect((await subject.home.api.get(`${subject.home.path}?ids=${id}`)).rows).toEqual([]);
  });
}
