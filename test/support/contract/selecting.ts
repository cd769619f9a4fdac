import type { Answer, Fields } from '../api';
import { createOne, nextSerial, type Subject } from './subject';

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

  it('fields picks fields, in the order of the record', async () => {
    const last = names.at(-1) ?? 'id';
    for (const shown of await everywhere(`fields=${last},id,external_id`)) {
      expect(Object.keys(shown)).toEqual(names.filter((name) => ['id', 'external_id', last].includes(name)));
    }
  });

  if (relations.length) {
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

    it.each(relations)('expand embeds %s, and include is its alias', async (relation) => {
      const shown = (await subject.home.api.get(`${subject.home.path}/${record.id}?expand=${relation}`)).expect(200);
      expect(Object.keys(shown.data).slice(0, names.length)).toEqual(names);
      embeds(shown.data, relation);
      const included = await subject.home.api.get(`${subject.home.path}/${record.id}?include=${relation}`);
      expect([included.data, included.header('etag')]).toEqual([shown.data, shown.header('etag')]);
      const only = await subject.home.api.get(`${subject.home.path}/${record.id}?fields=id&expand=${relation}`);
      expect(Object.keys(only.data)).toEqual(expect.arrayContaining(['id', relation]));
      expect(only.data).not.toHaveProperty('created_at');
    });

    it('expand embeds all relations at once', async () => {
      for (const shown of await everywhere(`expand=${relations.join(',')}`)) {
        expect(Object.keys(shown).slice(0, names.length)).toEqual(names);
        for (const relation of relations) embeds(shown, relation);
      }
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
    for (const ask of asks) {
      for (const [parameter, value, code] of [
        ['fields', ['zzz', 'id,workspace_id'][asks.indexOf(ask) % 2], 'unknown_field'],
        [['expand', 'include'][asks.indexOf(ask) % 2] ?? '', 'zzz', 'unknown_relation'],
      ] as const) {
        const answer = await ask(`${parameter}=${value}`);
        expect([answer.status, answer.codes]).toEqual([422, { [parameter]: code }]);
        const allowed = answer.error.details?.[0]?.allowed;
        expect(allowed).toEqual(parameter === 'fields' ? [...names, ...relations] : relations);
      }
    }
    expect((await api.get(path)).meta.total).toBe(before);
  });
}
