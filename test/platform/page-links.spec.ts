import fc from 'fast-check';
import type { ListPlan } from '../../src/platform/resource/read/list-query';
import type { PageEdges } from '../../src/platform/resource/read/page-row';
import { pageLinks } from '../../src/platform/resource/read/page-links';
import { decodePosition } from '../../src/platform/resource/read/position';

const edges: PageEdges = { first: { key: 'a', id: 1 }, last: { key: 'b', id: 2 } };
const none: PageEdges = { first: null, last: null };

function plan(limit: number, offset: number, dialect: ListPlan['dialect'] = 'page'): ListPlan {
  return {
    limit,
    offset,
    dialect,
    sort: { name: 'name', spec: { column: 'name', type: 'text' }, descending: true },
    further: [],
    filters: [],
    seen: null,
    search: null,
    selection: { fields: [], keys: null, expand: [], whole: true, sight: null },
    position: null,
  };
}

function parameters(link: string | null): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(link?.split('?')[1] ?? ''));
}

describe('links of a page', () => {
  it('keep every parameter but those of paging, in the dialect of the client', () => {
    const query = { status: 'open,closed', q: 'a&b=c %_', page: '2', per_page: '5', position: 'x', sort: undefined };
    const links = pageLinks('/v1/tickets', query, plan(5, 5), 17, edges);
    for (const link of [links.first, links.next, links.prev, links.last]) {
      expect(link).toMatch(/^\/v1\/tickets\?/);
      expect(parameters(link)).toMatchObject({ status: 'open,closed', q: 'a&b=c %_', per_page: '5' });
    }
    expect(parameters(links.first)).toMatchObject({ page: '1' });
    expect(parameters(links.last)).toMatchObject({ page: '4' });
    expect(Object.keys(parameters(links.first)).sort()).toEqual(['page', 'per_page', 'q', 'status']);
    const other = pageLinks('/v1/tickets', { offset: '5', limit: '5' }, plan(5, 5, 'offset'), 17, edges);
    expect(parameters(other.first)).toEqual({ offset: '0', limit: '5' });
    expect(parameters(other.last)).toEqual({ offset: '15', limit: '5' });
  });

  it('say where the neighbours begin', () => {
    const links = pageLinks('/t', {}, plan(5, 10), 17, edges);
    expect(decodePosition(parameters(links.next).position ?? '', '-name', 'text')).toMatchObject({
      direction: 'after',
      ...edges.last,
    });
    expect(decodePosition(parameters(links.prev).position ?? '', '-name', 'text')).toMatchObject({
      direction: 'before',
      ...edges.first,
    });
  });

  it.each([
    ['an empty list', 25, 0, 0, { page: '1' }, null, null],
    ['the only page', 25, 0, 25, { page: '1' }, null, null],
    ['the first of two', 25, 0, 26, { page: '2' }, '2', null],
    ['the last of two', 25, 25, 26, { page: '2' }, null, '1'],
    ['a page beyond the end', 25, 100, 26, { page: '2' }, null, '2'],
    ['a page beyond an empty list', 25, 100, 0, { page: '1' }, null, '1'],
  ])('of %s', (_name, limit, offset, total, last, next, previous) => {
    const links = pageLinks('/t', {}, plan(limit, offset), total, total > offset ? edges : none);
    expect(parameters(links.last)).toMatchObject(last);
    expect(parameters(links.next).page ?? null).toBe(next);
    expect(parameters(links.prev).page ?? null).toBe(previous);
  });

  it('lead over every record once, forward and back, for any total and page size', () => {
    const size = fc.integer({ min: 1, max: 100 });
    fc.assert(
      fc.property(size, fc.integer({ min: 1, max: 1_000 }), (limit, total) => {
        const starts: number[] = [];
        let offset: number | null = 0;
        while (offset !== null) {
          starts.push(offset);
          const links = pageLinks('/t', {}, plan(limit, offset, 'offset'), total, edges);
          const next = parameters(links.next).offset;
          const previous = parameters(links.prev).offset;
          expect(previous === undefined ? null : Number(previous)).toBe(offset === 0 ? null : offset - limit);
          offset = next === undefined ? null : Number(next);
        }
        expect(starts).toEqual(Array.from({ length: Math.ceil(total / limit) }, (_, index) => index * limit));
      }),
    );
  });
});
