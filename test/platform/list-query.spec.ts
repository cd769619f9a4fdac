import { ticketResource } from '../../src/areas/tickets/ticket.resource';
import { commentResource } from '../../src/areas/tickets/comment.resource';
import { historyResource } from '../../src/areas/tickets/history.resource';
import { ApiError, type ErrorDetail } from '../../src/platform/errors/api-error';
import { parseListQuery, type RawQuery } from '../../src/platform/resource/read/list-query';
import { isSoonerGathered } from '../../src/platform/resource/read/gathering';
import { encodePosition } from '../../src/platform/resource/read/position';
import type { Resource } from '../../src/platform/resource/resource';
import { parseSelection, wholeSelection } from '../../src/platform/resource/read/selection';
import { thrownBy } from '../support/thrown-by';

const parse = (query: RawQuery, resource: Resource = ticketResource): ReturnType<typeof parseListQuery> =>
  parseListQuery(resource, query, wholeSelection(resource));

function fault(query: RawQuery, resource?: Resource): ErrorDetail | undefined {
  return thrownBy(() => parse(query, resource), ApiError).extras.details?.[0];
}

describe('paging', () => {
  it.each<[RawQuery, object]>([
    [{}, { limit: 25, offset: 0, dialect: 'page' }],
    [{ page: '3' }, { limit: 25, offset: 50, dialect: 'page' }],
    [
      { page: '3', per_page: '10' },
      { limit: 10, offset: 20, dialect: 'page' },
    ],
    [{ per_page: '100' }, { limit: 100, offset: 0, dialect: 'page' }],
    [{ offset: '7' }, { limit: 25, offset: 7, dialect: 'offset' }],
    [
      { offset: '7', limit: '3' },
      { limit: 3, offset: 7, dialect: 'offset' },
    ],
    [{ limit: '1' }, { limit: 1, offset: 0, dialect: 'offset' }],
  ])('%j', (query, expected) => {
    expect(parse(query)).toMatchObject(expected);
  });

  it.each<[RawQuery, string, string]>([
    [{ page: '0' }, 'page', 'min'],
    [{ page: '-1' }, 'page', 'type'],
    [{ page: '1.5' }, 'page', 'type'],
    [{ page: '' }, 'page', 'type'],
    [{ page: 'two' }, 'page', 'type'],
    [{ page: '99999999999' }, 'page', 'max'],
    [{ per_page: '0' }, 'per_page', 'min'],
    [{ per_page: '101' }, 'per_page', 'max'],
    [{ limit: '0' }, 'limit', 'min'],
    [{ limit: '101' }, 'limit', 'max'],
    [{ offset: '-1' }, 'offset', 'type'],
    [{ offset: '2147483648' }, 'offset', 'max'],
    [{ offset: '1e3' }, 'offset', 'type'],
    [{ page: '1', limit: '5' }, 'limit', 'conflict'],
    [{ per_page: '5', offset: '0' }, 'offset', 'conflict'],
  ])('%j is refused', (query, field, code) => {
    expect(fault(query)).toMatchObject({ field, code });
  });
});

describe('sorting', () => {
  it('is newest first unless the resource or the client says otherwise', () => {
    expect(parse({}).sort).toMatchObject({ name: 'created_at', descending: true });
    expect(parse({}, commentResource).sort).toMatchObject({ name: 'created_at', descending: false });
    expect(parse({}, historyResource).sort).toMatchObject({ name: 'id', descending: true });
    expect(parse({ sort: '-subject' }).sort).toMatchObject({ name: 'subject', descending: true });
    expect(parse({ sort: 'subject' }).sort).toMatchObject({ name: 'subject', descending: false });
  });

  it('goes by rank for status and priority, and by number for code', () => {
    expect(parse({ sort: 'status' }).sort.spec.column).toBe('status_rank');
    expect(parse({ sort: 'priority' }).sort.spec.column).toBe('priority_rank');
    expect(parse({ sort: 'code' }).sort.spec.column).toBe('number');
  });

  it.each(['description', '', '-', '--id', 'toString', '__proto__', 'id;drop table tickets', 'ID'])(
    'by "%s" is refused with what is allowed',
    (sort) => {
      expect(fault({ sort })).toMatchObject({
        field: 'sort',
        code: 'unknown_sort',
        allowed: Object.keys(ticketResource.sort),
      });
    },
  );
});

describe('filters', () => {
  it('are those the resource declares', () => {
    expect(parse({ status: 'open', priority: 'low' }).filters.map(({ name }) => name)).toEqual(['status', 'priority']);
  });

  it.each(['colour', 'toString', '__proto__', 'constructor', 'sla_paused_at', 'workspace_id', 'x'.repeat(500)])(
    'that are none are refused with those that are: %s',
    (name) => {
      expect(fault({ [name]: '1' })).toMatchObject({
        field: name.slice(0, 80),
        code: 'unknown_filter',
        allowed: [...ticketResource.filters.keys(), 'q'],
      });
    },
  );

  it('do not include q where nothing is searchable', () => {
    expect(fault({ q: 'x' }, commentResource)).toMatchObject({ field: 'q', code: 'unknown_filter' });
    expect(fault({ colour: 'x' }, commentResource)?.allowed).not.toContain('q');
  });

  it('do not take moments of updating from a log', () => {
    expect(fault({ updated_after: '2026-01-01' }, historyResource)).toMatchObject({ code: 'unknown_filter' });
  });
});

describe('a search', () => {
  it.each([
    ['', 'min'],
    ['   ', 'min'],
    ['""', 'min'],
    ['x'.repeat(501), 'max'],
    ['a b c d e f g h i j k', 'max'],
  ])('%j is refused', (q, code) => {
    expect(fault({ q })).toMatchObject({ field: 'q', code });
  });
});

describe('a position', () => {
  it('must belong to the sort in force', () => {
    const position = encodePosition({ direction: 'after', sort: '-created_at', key: '2026-01-01 00:00:00+00', id: 3 });
    expect(parse({ position }).position).toMatchObject({ direction: 'after', id: 3 });
    expect(fault({ position, sort: 'subject' })).toMatchObject({ field: 'position', code: 'format' });
  });

  it.each(['created_at', 'code', 'status', 'priority', 'sla_due_at', 'updated_at', 'id'])(
    'must carry a key that is a value of %s',
    (sort) => {
      for (const key of ['abc', '', '1e999', '99999999999999999999', '2026-13-45', "1'; --"]) {
        const position = encodePosition({ direction: 'after', sort, key, id: 3 });
        expect(fault({ position, sort })).toMatchObject({ field: 'position', code: 'format' });
      }
    },
  );
});

describe('field selection', () => {
  it('keeps the order of the resource, whatever the client writes', () => {
    const { fields, expand, whole } = parseSelection(ticketResource, { fields: 'subject, id,subject', expand: 'team' });
    expect({ fields, expand, whole }).toEqual({ fields: ['id', 'subject'], expand: ['team'], whole: false });
  });

  it('takes include for expand, not both', () => {
    expect(parseSelection(ticketResource, { include: 'company,company' }).expand).toEqual(['company']);
    const error = thrownBy(() => parseSelection(ticketResource, { include: 'team', expand: 'team' }), ApiError);
    expect(error.extras.details?.[0]).toMatchObject({ field: 'include', code: 'conflict' });
  });

  it('takes relations among the fields where they are embedded', () => {
    const asked = { fields: 'id,company', expand: 'company,team' };
    expect(parseSelection(ticketResource, asked)).toMatchObject({ fields: ['id'], expand: ['company', 'team'] });
    const error = thrownBy(() => parseSelection(ticketResource, { ...asked, expand: 'team' }), ApiError);
    expect(error.extras.details?.[0]).toMatchObject({ field: 'fields', code: 'unknown_field' });
    expect(error.extras.details?.[0]?.allowed).toEqual(expect.arrayContaining(['id', 'team']));
    expect(error.extras.details?.[0]?.allowed).not.toContain('company');
  });

  it.each([
    ['fields', 'workspace_id', 'unknown_field'],
    ['fields', '', 'unknown_field'],
    ['fields', 'id,,subject', 'unknown_field'],
    ['fields', '*', 'unknown_field'],
    ['expand', 'owner', 'unknown_relation'],
    ['include', 'constructor', 'unknown_relation'],
  ])('refuses %s=%s', (parameter, value, code) => {
    const error = thrownBy(() => parseSelection(ticketResource, { [parameter]: value }), ApiError);
    expect(error.extras.details?.[0]).toMatchObject({ field: parameter, code });
    expect(error.extras.details?.[0]?.allowed).toContain(parameter === 'fields' ? 'subject' : 'company');
  });
});

describe('few rows are gathered and sorted, many are gone through in order', () => {
  it.each<[RawQuery, number, boolean]>([
    // Nothing filters, or what does is in order.
    [{ sort: 'subject' }, 10, false],
    [{ status: 'open' }, 10, false],
    [{ status: 'open', priority: 'low', offset: '75' }, 10, false],
    // What is counted was not among the first in the order, or is asked for further down.
    [{ status: 'open', sort: 'subject' }, 20_000, true],
    [{ status: 'open', sort: 'subject' }, 20_001, false],
    [{ status: 'open', priority: 'low', offset: '100' }, 20_000, true],
    [{ type: 'task' }, 10, false],
    [{ csat_score: 'none', sort: 'subject' }, 10, false],
    [{ type: 'task', q: 'word' }, 10, false],
    [{ type: 'task', sort: 'subject' }, 3_000, true],
    [{ type: 'task', sort: 'subject' }, 3_001, false],
    [{ type: 'task', csat_score: 'none' }, 10, true],
    [{ sla_due_after: '2026-01-01', sort: 'sla_due_at' }, 10, false],
    [{ sla_due_after: '2026-01-01' }, 20_000, true],
    [{ sla_due_after: '2026-01-01' }, 20_001, false],
    [{ sla_due_after: '2026-01-01', offset: '1000' }, 50_000, true],
    [{ type: 'task', sort: 'subject', offset: '49990' }, 50_000, true],
    [{ type: 'task', sort: 'subject', offset: '1000' }, 50_001, false],
  ])('%j of %i: %s', (query, total, expected) => {
    expect(isSoonerGathered(ticketResource, parse(query), total)).toBe(expected);
  });
});
