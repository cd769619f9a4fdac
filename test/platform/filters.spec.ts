import { ticketResource } from '../../src/areas/tickets/ticket.resource';
import { userResource } from '../../src/areas/users/user.resource';
import { newContext, runInContext } from '../../src/platform/context/current';
import { ApiError, type ErrorDetail } from '../../src/platform/errors/api-error';
import type { Resource } from '../../src/platform/resource/resource';
import { thrownBy } from '../support/thrown-by';

function filter(name: string, resource: Resource): NonNullable<ReturnType<Resource['filters']['get']>> {
  const spec = resource.filters.get(name);
  if (!spec) throw new Error(`${resource.name} has no filter ${name}.`);
  return spec;
}

/** The SQL of a filter over `t`, with its parameters. */
function sql(name: string, raw: string, resource: Resource = ticketResource): [text: string, ...values: unknown[]] {
  const spec = filter(name, resource);
  const values: unknown[] = [];
  const text = spec.sql('t', spec.parse(raw, name), (value) => `$${values.push(value)}`);
  return [text, ...values];
}

function fault(name: string, raw: string, resource: Resource = ticketResource): ErrorDetail | undefined {
  return thrownBy(() => filter(name, resource).parse(raw, name), ApiError).extras.details?.[0];
}

describe('a filter by equality', () => {
  it.each<[string, string, unknown[]]>([
    ['status', 'open', ['t.status = $1::text', 'open']],
    ['status', 'open, closed ,open', ['t.status = ANY($1::text[])', ['open', 'closed']]],
    ['company_id', '7', ['t.company_id = $1::bigint', 7]],
    ['company_id', 'none', ['t.company_id IS NULL']],
    ['company_id', '7,none,8', ['(t.company_id = ANY($1::bigint[]) OR t.company_id IS NULL)', [7, 8]]],
    ['requester_email', 'Ada@Example.COM', ['t.requester_email = $1::text', 'ada@example.com']],
    ['external_id', 'A,b', ['t.external_id = ANY($1::text[])', ['A', 'b']]],
    ['ids', '3,1,3', ['t.id = ANY($1::bigint[])', [3, 1]]],
    ['code', 'TCK-000001, tck-1000000, TCK-1, x', ['t.number = ANY($1::bigint[])', [1, 1_000_000, -1, -1]]],
  ])('%s=%s', (name, raw, expected) => {
    expect(sql(name, raw)).toEqual(expected);
  });

  it.each([
    ['status', 'opened', 'enum'],
    ['status', 'OPEN', 'enum'],
    ['status', 'none', 'enum'],
    ['status', '', 'format'],
    ['status', 'open,', 'format'],
    ['company_id', 'x', 'type'],
    ['company_id', '1.5', 'type'],
    ['company_id', '9007199254740993', 'type'],
    ['company_id', '1e5', 'type'],
    ['ids', 'none', 'type'],
    ['ids', Array.from({ length: 101 }, (_, index) => index).join(','), 'max'],
  ])('%s=%s is refused', (name, raw, code) => {
    expect(fault(name, raw)).toMatchObject({ field: name, code });
  });

  it('names what an enumeration allows', () => {
    expect(fault('priority', 'top')?.allowed).toEqual(['low', 'medium', 'high', 'urgent']);
  });

  it('takes "me" for the user of the token, and refuses it for a token without one', () => {
    const token = (user_id: number | null) => newContext('r', { principal: { userId: user_id } as never });
    expect(runInContext(token(9), () => sql('assigned_to', 'me,4'))).toEqual([
      't.assigned_to = ANY($1::bigint[])',
      [9, 4],
    ]);
    expect(runInContext(token(null), () => fault('assigned_to', 'me'))).toMatchObject({ code: 'not_found' });
    expect(runInContext(token(9), () => fault('company_id', 'me'))).toMatchObject({ code: 'type' });
  });
});

describe('a filter by number', () => {
  it.each<[string, unknown[]]>([
    ['2', ['t.escalation_level = $1::bigint', 2]],
    ['1,2,3', ['t.escalation_level = ANY($1::bigint[])', [1, 2, 3]]],
    ['gt:0', ['t.escalation_level > $1::bigint', 0]],
    ['gte:1', ['t.escalation_level >= $1::bigint', 1]],
    ['lt:3', ['t.escalation_level < $1::bigint', 3]],
    ['lte:-3', ['t.escalation_level <= $1::bigint', -3]],
  ])('%s', (raw, expected) => {
    expect(sql('escalation_level', raw)).toEqual(expected);
  });

  it.each(['gt:', 'gt:x', 'ne:1', '>0', '1,gt:2', 'gt:99999999999999999'])('%s is refused', (raw) => {
    expect(fault('escalation_level', raw)).toMatchObject({ field: 'escalation_level', code: 'type' });
  });
});

describe('a filter by moment', () => {
  it.each<[string, string, string]>([
    ['created_after', '2026-10-20T08:00:00Z', '2026-10-20T08:00:00.000Z'],
    ['created_after', '2026-10-20', '2026-10-20T00:00:00.000Z'],
    ['created_after', '2026-10-20T08:00:00+02:00', '2026-10-20T06:00:00.000Z'],
    ['created_after', '2026-10-20T08:00:00 02:00', '2026-10-20T06:00:00.000Z'],
    ['created_after', '2026-10-20T08:00:00.123456Z', '2026-10-20T08:00:00.123Z'],
  ])('%s=%s', (name, raw, bound) => {
    expect(sql(name, raw)).toEqual(['t.created_at > $1::timestamptz', bound]);
  });

  it.each(['2026-02-30', '2026-13-01', 'yesterday', '2026-10-20T08:00:00', '20261020', '0000-01-01', ''])(
    '%s is refused',
    (raw) => {
      for (const name of ['created_before', 'updated_after', 'sla_due_before', 'resolved_after']) {
        expect(fault(name, raw)).toMatchObject({ field: name, code: 'format' });
      }
    },
  );
});

describe('other filters', () => {
  it('by presence', () => {
    expect(sql('has_parent', 'true')).toEqual(['t.parent_id IS NOT NULL']);
    expect(sql('has_parent', 'false')).toEqual(['t.parent_id IS NULL']);
    expect(fault('has_parent', 'yes')).toMatchObject({ code: 'enum', allowed: ['true', 'false'] });
  });

  it('by items of a list', () => {
    expect(sql('tags', 'VIP, b').slice(1)).toEqual([['vip', 'b']]);
    expect(sql('tags', 'a')[0]).toContain('&&');
    expect(sql('tags_all', 'a')[0]).toContain('@>');
    expect(fault('tags', 'a,,b')).toMatchObject({ code: 'format' });
    expect(sql('team_id', '4,5', userResource).slice(1)).toEqual([[4, 5]]);
    expect(fault('team_id', 'x', userResource)).toMatchObject({ code: 'type' });
  });

  it('never write what the client sent into SQL', () => {
    const hostile = `x'); DROP TABLE tickets; --`;
    for (const resource of [ticketResource, userResource]) {
      for (const name of resource.filters.keys()) {
        let text: string;
        try {
          [text] = sql(name, hostile, resource);
        } catch (error) {
          expect(error).toMatchObject({ type: 'validation_error' });
          continue;
        }
        expect(text).not.toContain('DROP');
      }
    }
  });
});
