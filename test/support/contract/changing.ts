import type { Answer } from '../api';
import { insist } from '../insist';
import { createOne, dealt, eventsAbout, eventType, nextSerial, type Subject, writable } from './subject';

/** PATCH and DELETE: what changes, what does not, and under which condition. */
export function describeChanging(subject: Subject): void {
  const { contract } = subject;
  const { resource } = contract;
  const at = (id: number, query = ''): string => `${subject.home.path}/${id}${query}`;
  const get = (id: number) => subject.home.api.get(at(id));
  const patch = (id: number, body: unknown, headers?: Record<string, string>) =>
    subject.home.api.patch(at(id), body, headers);
  const change = (): Record<string, unknown> => contract.update(nextSerial(), subject.home.made);
  it('changes what the body names, and nothing else', async () => {
    const before = await createOne(subject);
    const asked = change();
    const answer = (await patch(before.id, asked)).expect(200);
    expect(answer.data).toMatchObject(asked);
    expect(answer.data).toMatchObject({ id: before.id, created_at: before.created_at, external_id: null });
    expect(Date.parse(answer.data.updated_at as string)).toBeGreaterThanOrEqual(
      Date.parse(before.updated_at as string),
    );
    const read = await get(before.id);
    expect([read.data, read.header('etag')]).toEqual([answer.data, answer.header('etag')]);
    const types = (await eventsAbout(subject, before.id)).map(({ type }) => type);
    expect(types.filter((type) => type === eventType(contract, 'updated')).length).toBeGreaterThanOrEqual(1);
  });

  it('does nothing when no value differs: same ETag, no event', async () => {
    const before = await createOne(subject);
    const asked = change();
    const first = (await patch(before.id, asked)).expect(200);
    const events = await eventsAbout(subject, before.id);
    for (const body of [asked, first.data]) {
      const again = (await patch(before.id, body)).expect(200);
      expect([again.data, again.header('etag')]).toEqual([first.data, first.header('etag')]);
    }
    expect(await eventsAbout(subject, before.id)).toEqual(events);
  });

  it('refuses to change what the service sets, and takes it back unchanged', async () => {
    const before = await createOne(subject);
    const given = new Set(writable(contract, 'update').map(({ name }) => name));
    const fixed = resource.columns.filter(({ name, kind }) => !given.has(name) && kind !== 'computed');
    // Which they are stands in the declaration, from which the one check of all bodies is made.
    for (const { name, kind } of dealt(contract, fixed, 3)) {
      const other = kind === 'timestamp' ? '2001-01-01T00:00:00.000Z' : 'changed';
      const answer = await patch(before.id, { ...change(), [name]: other });
      expect([answer.status, answer.codes]).toEqual([422, { [name]: 'immutable' }]);
    }
    expect((await get(before.id)).data).toEqual(before);
  });

  it('refuses unknown fields', async () => {
    const { id } = await createOne(subject);
    expect((await patch(id, { ...change(), zzz: 1 })).expect(422).codes).toEqual({ zzz: 'unknown_field' });
  });

  it('clears what may be null, and refuses null elsewhere', async () => {
    const columns = writable(contract, 'update');
    let record = await createOne(subject);
    const cleared = (name: string): Promise<Answer> => {
      const required = Object.fromEntries(contract.required.map((each) => [each, record[each]]));
      return patch(record.id, { ...required, [name]: null });
    };
    for (const { name } of columns.filter(({ nullable }) => nullable)) {
      let answer = await cleared(name);
      if (answer.status !== 200) {
        // Without what was cleared before it may be one that a rule asks for.
        record = await createOne(subject);
        answer = await cleared(name);
      }
      expect([name, answer.status, answer.data[name]]).toEqual([name, 200, null]);
    }
    const firm = columns.filter(({ nullable }) => !nullable).map(({ name }) => name);
    const answer = await patch(record.id, Object.fromEntries(firm.map((name) => [name, null])));
    expect([answer.status, Object.keys(answer.codes).sort()]).toEqual([422, [...firm].sort()]);
  });

  it('heeds If-Match', async () => {
    const { id } = await createOne(subject);
    const etag = (await get(id)).header('etag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const stale of ['"999"', `W/${etag}`, '"x"', 'nonsense']) {
      const answer = await patch(id, change(), { 'if-match': stale });
      expect([answer.status, answer.error.type]).toEqual([412, 'precondition_failed']);
    }
    (await patch(id, change(), { 'if-match': `"999", ${etag}` })).expect(200);
    expect((await patch(id, change(), { 'if-match': etag })).status).toBe(412);
    expect((await subject.home.api.delete(at(id), { 'if-match': etag })).status).toBe(412);
    const last = (await patch(id, change(), { 'if-match': '*' })).expect(200);
    (await subject.home.api.delete(at(id), { 'if-match': last.header('etag') ?? '' })).expect(200);
  });

  it('lets one of several writers win who all saw the same version', async () => {
    const { id } = await createOne(subject);
    const etag = (await get(id)).header('etag') ?? '';
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => insist(() => patch(id, change(), { 'if-match': etag }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(412)]);
  });

  it('answers 304 to who already holds the record', async () => {
    const { id } = await createOne(subject);
    const first = await get(id);
    const etag = first.header('etag') ?? '';
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await subject.home.api.get(at(id), { 'if-none-match': held });
      expect([answer.status, answer.text, answer.header('etag')]).toEqual([304, '', etag]);
    }
    (await patch(id, change())).expect(200);
    expect((await subject.home.api.get(at(id), { 'if-none-match': etag })).status).toBe(200);
  });

  it(contract.afterDelete ? 'keeps what was deleted, marked' : 'answers what was deleted, and then 404', async () => {
    const before = await createOne(subject);
    const answer = (await subject.home.api.delete(at(before.id))).expect(200);
    const last = (await eventsAbout(subject, before.id)).at(-1);
    if (contract.afterDelete) {
      expect(answer.data).toMatchObject({ id: before.id, ...contract.afterDelete });
      expect((await get(before.id)).data).toEqual(answer.data);
      expect((await subject.home.api.delete(at(before.id))).data).toEqual(answer.data);
      expect(last?.type).toBe(eventType(contract, 'deleted'));
      return;
    }
    expect(answer.data).toEqual(before);
    expect(last?.type).toBe(eventType(contract, 'deleted'));
    for (const gone of [
      await get(before.id),
      await patch(before.id, change()),
      await subject.home.api.delete(at(before.id)),
    ]) {
      expect([gone.status, gone.error.type]).toEqual([404, 'not_found']);
    }
    expect((await subject.home.api.get(`${subject.home.path}?ids=${before.id}`)).rows).toEqual([]);
  });
}
