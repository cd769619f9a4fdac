import type { Fields } from '../api';
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
    it.each(relations)('expand embeds %s, and include is its alias', async (relation) => {
      const spec = resource.expand[relation];
      for (const shown of await everywhere(`expand=${relation}`)) {
        expect(Object.keys(shown).slice(0, names.length)).toEqual(names);
        expect(shown).toHaveProperty(relation);
        if (spec && 'one' in spec) {
          expect((shown[relation] as Fields | null)?.id ?? null).toBe(shown[spec.by]);
        } else if (spec && 'many' in spec) {
          expect(shown[relation]).toBeInstanceOf(Array);
          expect(shown[`${relation}_truncated`]).toBe(false);
        }
      }
      const [expanded, included] = await Promise.all(
        ['expand', 'include'].map((name) =>
          subject.home.api.get(`${subject.home.path}/${record.id}?${name}=${relation}`),
        ),
      );
      expect([included?.data, included?.header('etag')]).toEqual([expanded?.data, expanded?.header('etag')]);
      const only = await subject.home.api.get(`${subject.home.path}/${record.id}?fields=id&expand=${relation}`);
      expect(Object.keys(only.data)).toEqual(expect.arrayContaining(['id', relation]));
      expect(only.data).not.toHaveProperty('created_at');
    });

    it('expand embeds all relations at once', async () => {
      for (const shown of await everywhere(`expand=${relations.join(',')}`)) {
        expect(Object.keys(shown)).toEqual(expect.arrayContaining(relations));
      }
    });
  }

  it.each([
    ['fields', 'zzz', 'unknown_field'],
    ['fields', 'id,workspace_id', 'unknown_field'],
    ['expand', 'zzz', 'unknown_relation'],
    ['include', 'zzz', 'unknown_relation'],
  ])('%s=%s is refused everywhere, before anything is written', async (parameter, value, code) => {
    const { api, path, made } = subject.home;
    const query = `${parameter}=${value}`;
    const before = (await api.get(path)).meta.total;
    const answers = [
      await api.get(`${path}?${query}`),
      await api.get(`${path}/${record.id}?${query}`),
      await api.post(`${path}?${query}`, contract.create(nextSerial(), made)),
      await api.patch(`${path}/${record.id}?${query}`, contract.update(nextSerial(), made)),
      await api.delete(`${path}/${record.id}?${query}`),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.codes]).toEqual([422, { [parameter]: code }]);
      const allowed = answer.error.details?.[0]?.allowed;
      expect(allowed).toEqual(parameter === 'fields' ? [...names, ...relations] : relations);
    }
    expect((await api.get(path)).meta.total).toBe(before);
  });
}
