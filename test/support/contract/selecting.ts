import type { Answer, Fields } from '../api';
import { createOne, dealt, nextSerial, type Subject } from './subject';

/** `fields`, `expand` and `include`, on lists, single records and the answers of POST and PATCH. */
export function describeSelecting(subject: Subject): void {
  const { contract } = subject;
  const { resource } = contract;
  const relations = Object.keys(resource.expand);
  const names = resource.columns.map(({ name }) => name);
  let record: Fields;
  beforeAll(async () => {
    record = await createOne(subject);
  });

  /** The same query on every route that shows a record; answers the records. */
  async function everywhere(query: string): Promise<Fields[]> {
    const { api, path, made } = subject.home;
    const created = (await api.post(`${path}?${query}`, contract.create(nextSerial(), made))).expect(201);
    const read = (await api.get(`${path}/${record.id}?${query}`)).expect(200);
    const patched = (await api.patch(`${path}/${record.id}?${query}`, contract.update(nextSerial(), made))).expect(200);
    const [listed] = (await api.get(`${path}?ids=${record.id}&${query}`)).expect(200).rows;
    expect(listed).toEqual(patched.data);
    return [created.data, read.data, patched.data];
  }

  const embeds = (shown: Fields, relation: string): void => {
    const spec = resource.expand[relation];
    expect(shown).toHaveProperty(relation);
    if (spec && 'one' in spec) {
      expect((shown[relation] as Fields | null)?.id ?? null).toBe(shown[spec.by]);
    } else if (spec && 'many' in spec) {
      expect(shown[relation]).toBeInstanceOf(Array);
      expect(shown[`${relation}_truncated`]).toBe(false);
    }
  };
  const all = relations.length ? `&expand=${relations.join(',')}` : '';

  it('fields picks fields, in the order of the record; expand embeds all relations at once', async () => {
    const by = Object.values(resource.expand).flatMap((spec) => ('one' in spec ? [spec.by] : []));
    const picked = new Set(['id', 'external_id', names.at(-1), ...by]);
    for (const shown of await everywhere(`fields=${[...picked].toReversed().join(',')}${all}`)) {
      const columns = names.filter((name) => picked.has(name));
      expect(Object.keys(shown).slice(0, columns.length)).toEqual(columns);
      expect(
        Object.keys(shown)
          .slice(columns.length)
          .filter((name) => names.includes(name)),
      ).toEqual([]);
      if (!all) expect(Object.keys(shown)).toEqual(columns);
      for (const relation of relations) embeds(shown, relation);
    }
  });

  if (relations.length) {
    it('expand adds to the whole record or to what fields picks, and include is its alias', async () => {
      const get = (query: string) => subject.home.api.get(`${subject.home.path}/${record.id}?${query}`);
      const shown = (await get(all)).expect(200);
      expect(Object.keys(shown.data).slice(0, names.length)).toEqual(names);
      for (const relation of relations) embeds(shown.data, relation);
      const included = await get(`include=${relations.join(',')}`);
      expect([included.data, included.header('etag')]).toEqual([shown.data, shown.header('etag')]);
      // What a relation is found by need not be shown.
      const only = await get(`fields=id${all}`);
      expect(Object.keys(only.data).filter((name) => names.includes(name))).toEqual(['id']);
      for (const relation of relations) expect(only.data[relation]).toEqual(shown.data[relation]);
      const named = await get(`fields=id,${relations.join(',')}${all}`);
      expect([named.status, named.data]).toEqual([200, only.data]);
      const bare = (await get(`fields=id,${relations[0] ?? ''}`)).expect(422);
      expect(bare.codes).toEqual({ fields: 'unknown_field' });
    });
  }

  it('what does not exist is refused everywhere, before anything is written', async () => {
    const { api, path, made } = subject.home;
    const before = (await api.get(path)).meta.total;
    const asks: ((query: string) => Promise<Answer>)[] = [
      (query) => api.get(`${path}?${query}`),
      (query) => api.get(`${path}/${record.id}?${query}`),
      (query) => api.post(`${path}?${query}`, contract.create(nextSerial(), made)),
      (query) => api.patch(`${path}/${record.id}?${query}`, contract.update(nextSerial(), made)),
      (query) => api.delete(`${path}/${record.id}?${query}`),
    ];
    const wrong = [
      ['fields', 'zzz', 'unknown_field'],
      ['expand', 'zzz', 'unknown_relation'],
      ['fields', 'id,workspace_id', 'unknown_field'],
      ['include', 'zzz', 'unknown_relation'],
    ] as const;
    // All routes leave it to the same code, so each is asked for one of them.
    const first = wrong.findIndex((each) => dealt(contract, wrong, 1).includes(each));
    for (const [index, ask] of asks.entries()) {
      const [parameter, value, code] = wrong[(first + index) % wrong.length] ?? wrong[0];
      const answer = await ask(`${parameter}=${value}`);
      expect([answer.status, answer.codes]).toEqual([422, { [parameter]: code }]);
      const allowed = answer.error.details?.[0]?.allowed;
      expect(allowed).toEqual(parameter === 'fields' ? [...names, ...relations] : relations);
    }
    expect((await api.get(path)).meta.total).toBe(before);
  });
}
