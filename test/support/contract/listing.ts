import { lineMatches, termsOf } from '../../../src/platform/search/terms';
import { wordLine } from '../../../src/platform/search/words';
import type { Answer, Fields } from '../api';
import { thrownBy } from '../thrown-by';
import { ApiError } from '../../../src/platform/errors/api-error';
import { createOne, dealt, type Subject } from './subject';

const RECORDS = 13;
/** Three pages of them, and two. */
const SMALL_PAGE = 6;
const LARGE_PAGE = 9;

/**
 * Lists: paging, links, sorts, filters; before anything else writes in the workspace. What lists of all resources have in common is tried
 * in depth by the specs of the list query, filters, positions, links and several sorts.
 */
export function describeListing(subject: Subject): void {
  const { contract } = subject;
  const { resource } = contract;
  /** Every record, oldest first. */
  let all: Fields[];

  const list = (query: string): Promise<Answer> => subject.home.api.get(`${subject.home.path}?${query}`);

  beforeAll(async () => {
    for (let index = 0; index < RECORDS; index++) await createOne(subject);
    await contract.arrange?.(subject.sql, subject.home.id);
    all = (await list('per_page=100&sort=id')).expect(200).rows;
  });

  it('shows up to 25 records unless asked for another number, in the default order', async () => {
    const answer = (await list('')).expect(200);
    expect(answer.rows.length).toBe(Math.min(all.length, 25));
    expect(answer.meta).toEqual({ total: all.length, limit: 25, offset: 0, has_more: all.length > 25 });
    expect(Object.keys(answer.body)).toEqual(['data', 'meta', 'links']);
    expect((await list(`sort=${resource.defaultSort}`)).rows).toEqual(answer.rows);
    expect(Object.keys(answer.rows[0] ?? {})).toEqual(resource.columns.map(({ name }) => name));
  });

  it('shows the same however often it is asked for', async () => {
    const first = (await list('')).expect(200);
    for (let again = 0; again < 3; again++) expect((await list('')).expect(200).text).toBe(first.text);
    const { api, path } = subject.home;
    const [record] = first.rows;
    for (let again = 0; again < 4; again++)
      expect((await api.get(`${path}/${record?.id ?? 0}`)).expect(200).data).toEqual(record);
  });

  it('pages by page and per_page, or by offset and limit', async () => {
    const size = all.length;
    const page = (await list('page=2&per_page=5&sort=id')).expect(200);
    const slice = (await list('offset=5&limit=5&sort=id')).expect(200);
    expect(page.rows).toEqual(all.slice(5, 10));
    expect(slice.rows).toEqual(page.rows);
    expect(page.meta).toEqual({ total: size, limit: 5, offset: 5, has_more: true });
    expect(slice.meta).toEqual(page.meta);
    const beyond = (await list('page=1000&per_page=10')).expect(200);
    expect([beyond.rows, beyond.meta, beyond.body.links?.next]).toEqual([
      [],
      { total: size, limit: 10, offset: 9_990, has_more: false },
      null,
    ]);
  });

  const refused: [query: string, field: string][] = [
    ['page=0', 'page'],
    ['page=x', 'page'],
    ['per_page=0', 'per_page'],
    ['per_page=101', 'per_page'],
    ['limit=101', 'limit'],
    ['limit=0', 'limit'],
    ['offset=-1', 'offset'],
    ['page=1&offset=0', 'offset'],
    ['per_page=10&limit=10', 'limit'],
    ['page=1&page=2', 'page'],
    ['sort=', 'sort'],
    ['sort=workspace_id', 'sort'],
    ['position=abc', 'position'],
  ];
  it.each([['sort=zzz', 'sort'], ['zzz=1', 'zzz'], ...dealt(contract, refused, 2)] as const)(
    '?%s is refused',
    async (query, field) => {
      const answer = await list(query);
      expect([answer.status, Object.keys(answer.codes)]).toEqual([422, [field]]);
      const detail = answer.error.details?.[0];
      if (detail?.code === 'unknown_sort') expect(detail.allowed).toEqual(Object.keys(resource.sort));
      if (detail?.code === 'unknown_filter')
        expect(detail.allowed).toEqual(expect.arrayContaining([...resource.filters.keys()]));
    },
  );

  it('gives absolute links that keep every other parameter', async () => {
    const kept = 'created_after=2001-01-01&fields=id&sort=-id';
    const { links } = (await list(`${kept}&page=2&per_page=5`)).body;
    const numbers: Record<string, string> = {
      first: '1',
      prev: '1',
      next: '3',
      last: String(Math.ceil(all.length / 5)),
    };
    for (const [name, link] of Object.entries(links ?? {})) {
      const url = new URL(link ?? '');
      expect([url.origin, url.pathname]).toEqual([subject.server.url, `/v1${subject.home.path}`]);
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        created_after: '2001-01-01',
        fields: 'id',
        sort: '-id',
        per_page: '5',
        page: numbers[name],
      });
    }
  });

  const sorts = Object.keys(resource.sort);
  /** Walked there and back; what else may be missing is, too. Of the others each resource has another one. */
  const inDepth = ['id', ...dealt(contract, sorts, 1)];
  it.each(sorts)('sorted by %s, up and down, its links lead over every record once', async (sort) => {
    const nullable = resource.sort[sort]?.nullable === true;
    const column = resource.column.get(sort);
    if (column && resource.sort[sort]?.column === sort) expect(nullable).toBe(column.nullable);
    const [size, back] = nullable || inDepth.includes(sort) ? [SMALL_PAGE, true] : [LARGE_PAGE, false];
    // Back over the pages is the other order, but for what has no value, which is last in both.
    const ups = nullable
      ? await walk(sort, size, back)
      : (await list(`sort=${sort}&per_page=100`)).rows.map(({ id }) => id);
    expect(ups.toSorted((a, b) => a - b)).toEqual(all.map(({ id }) => id));
    const value = new Map(all.map((row) => [row.id, row[sort]]));
    const set = nullable ? ups.filter((id) => value.get(id) !== null) : ups;
    const unset = ups.slice(set.length);
    if (nullable) expect(unset.every((id) => value.get(id) === null)).toBe(true);
    // Nulls are last both ways; ties go by id, in the direction of the sort.
    expect(await walk(`-${sort}`, size, back)).toEqual([...set.toReversed(), ...unset.toReversed()]);
    const kind = column?.kind;
    if (kind === 'timestamp' || kind === 'integer' || kind === 'date') {
      const values = set.map((id) =>
        kind === 'integer' ? Number(value.get(id)) : Date.parse(value.get(id) as string),
      );
      expect(values).toEqual(values.toSorted((a, b) => a - b));
    }
  });

  /** The ids on the way of `next` to the end, from where `prev` leads back over the same pages. */
  async function walk(sort: string, size: number, back: boolean): Promise<number[]> {
    const read = async (path: string) => {
      const { rows, meta, body } = (await subject.home.api.get(path)).expect(200);
      expect(meta.has_more).toBe(body.links?.next !== null);
      return { ids: rows.map(({ id }) => id), next: body.links?.next, prev: body.links?.prev, last: body.links?.last };
    };
    let page = await read(`${subject.home.path}?sort=${sort}&per_page=${size}&fields=id`);
    const pages = [page.ids];
    while (page.next) pages.push((page = await read(page.next)).ids);
    if (sort === '-id') expect((await read(page.last ?? '')).ids).toEqual(page.ids);
    for (const before of back ? pages.slice(0, -1).toReversed() : []) {
      page = await read(page.prev ?? '');
      expect(page.ids).toEqual(before);
    }
    if (back) expect(page.prev).toBeNull();
    return pages.flat();
  }

  it.each([...resource.filters.keys()])('filters by %s', async (name) => {
    const find = async (text: string): Promise<number[]> => {
      const { rows, meta } = (await list(`${name}=${encodeURIComponent(text)}&per_page=100&sort=id&fields=id`)).expect(
        200,
      );
      expect(meta.total).toBe(rows.length);
      return rows.map(({ id }) => id);
    };
    const idsWhere = (test: (row: Fields) => boolean): number[] => all.filter(test).map(({ id }) => id);
    const refuses = (text: string): void => {
      const { type, extras } = thrownBy(() => resource.filters.get(name)?.parse(text, name), ApiError);
      expect([type, extras.details?.map(({ field }) => field)]).toEqual(['validation_error', [name]]);
    };
    refuses('');
    const column = resource.column.get(name);
    const sample = contract.filters?.(all, subject.home.made)[name];
    const moment = /^(created|updated)_(after|before)$/.exec(name);
    if (name === 'ids') {
      expect(await find(`${all[3]?.id},${all[1]?.id},${subject.foreignRecord.id}`)).toEqual([all[1]?.id, all[3]?.id]);
    } else if (moment) {
      const bound = all[7]?.[`${moment[1]}_at`] as string;
      const later = (row: Fields): boolean => (row[`${moment[1]}_at`] as string) > bound;
      const earlier = (row: Fields): boolean => (row[`${moment[1]}_at`] as string) < bound;
      expect(await find(bound)).toEqual(idsWhere(moment[2] === 'after' ? later : earlier));
    } else if (column && !sample) {
      const values = [...new Set(all.map((row) => row[name] as string | number | boolean | null))].slice(0, 5);
      const alone = column.kind === 'boolean' ? values : values.slice(-1);
      for (const value of alone) expect(await find(textOf(value))).toEqual(idsWhere((row) => row[name] === value));
      if (column.kind !== 'boolean') {
        const several = values.map(textOf).join(',');
        expect(await find(several)).toEqual(idsWhere((row) => values.some((value) => value === row[name])));
      }
      if (!['string', 'email'].includes(column.kind)) refuses('zz!');
    } else {
      if (!sample) throw new Error(`The contract of ${resource.name} gives no sample of the filter ${name}.`);
      const expected = idsWhere(sample.test);
      expect([name, expected.length > 0 && expected.length < all.length]).toEqual([name, true]);
      expect(await find(sample.text)).toEqual(expected);
    }
  });

  const { search } = resource;
  if (search) {
    it('finds by words that begin as those of q do, whatever their case', async () => {
      const find = async (q: string): Promise<number[]> => {
        const { rows, meta } = (await list(`q=${encodeURIComponent(q)}&per_page=100&sort=id&fields=id`)).expect(200);
        expect(meta.total).toBe(rows.length);
        return rows.map(({ id }) => id);
      };
      const textOfRow = (row: Fields): string =>
        search.over.map((name) => [(row[name] ?? '') as string | string[]].flat().join(' ')).join(' ');
      const [word = ''] = textOfRow(all[3] as Fields)
        .split(' ')
        .filter((part) => /^[\w.@-]{2,}$/.test(part))
        .toReversed();
      for (const q of [word.toUpperCase(), `${word.slice(0, -1)} ${word.slice(0, 2)}`]) {
        const expected = all.filter((row) => lineMatches(wordLine(textOfRow(row)), termsOf(q))).map(({ id }) => id);
        expect(expected.length).toBeGreaterThan(0);
        expect(await find(q)).toEqual(expected);
      }
      expect(await find('zzzz zzzz')).toEqual([]);
      for (const q of dealt(contract, ['%', '_', '\\', "'"], 1)) {
        expect((await list(`q=${encodeURIComponent(q)}`)).expect(422).codes).toEqual({ q: 'min' });
      }
    });
  }
}

function textOf(value: string | number | boolean | null): string {
  return value === null ? 'none' : String(value);
}
