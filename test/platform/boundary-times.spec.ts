import { useHostility } from '../support/hostile';
import { bodyOf } from '../support/isolation';
import type { Operation, Schema } from '../support/operations';

const stage = useHostility();

/** Valid ISO 8601, but in no year from 1 to 9999 once written in UTC. */
const OUTSIDE = ['9999-12-31T23:59:59-14:00', '0001-01-01T00:00:00+14:00', '0000-06-15T12:00:00Z'];
const OUTSIDE_DAYS = ['0000-01-01', '0000-12-31'];
/** Inside, as far out as can be, or with an offset that PostgreSQL does not take. */
const INSIDE = [
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59+14:00',
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00-14:00',
  '2031-05-05T10:00:00+23:59',
  '2031-05-05T10:00:00-23:59',
];
const INSIDE_DAYS = ['9999-12-31', '9999-12-30', '0001-01-01', '0001-01-02'];

/** Windows of time are read by their areas: their parameters take days and moments. */
const WINDOW = ['from', 'to'];
const isTime = (name: string, { format }: Schema): boolean =>
  format === 'date' || format === 'date-time' || WINDOW.includes(name) || /_(after|before)$/.test(name);

const encoded = (name: string, value: string): string => `?${name}=${encodeURIComponent(value)}`;

describe('a time at the end of the calendar', () => {
  it('is never a failure in any parameter of any operation, and a 422 when it lies outside', async () => {
    const met = new Set<string>();
    for (const operation of stage.operations) {
      for (const [name, schema] of Object.entries(operation.parameters)) {
        if (!isTime(name, schema)) continue;
        met.add(`${operation.path} ${name}`);
        const asked = async (value: string): Promise<unknown[]> => {
          const answer = await stage.send(operation, encoded(name, value));
          return [operation.path, name, value, answer.status];
        };
        for (const value of [...OUTSIDE, ...OUTSIDE_DAYS]) {
          expect(await asked(value)).toEqual([operation.path, name, value, 422]);
        }
        await Promise.all([...INSIDE, ...INSIDE_DAYS].map(asked));
      }
    }
    expect(met.size).toBeGreaterThan(60);
  });

  it.each([
    '/stats?from=9999-12-30&to=9999-12-31',
    '/stats?from=9999-12-31',
    '/sla/compliance?to=0001-01-01T00:00:00Z',
    '/crm/pipelines/1/metrics?to=0001-01-01T00:00:00Z',
    '/meetings/availability?from=9999-12-30&to=9999-12-31&duration_minutes=30',
    '/meetings/availability?from=0001-01-01&to=0001-01-02&duration_minutes=30',
  ])('is a 422 as %s', async (path) => {
    const pipeline = String(stage.own.pipelines);
    const answer = await stage.workspace.api.get(path.replace('pipelines/1', `pipelines/${pipeline}`));
    expect([answer.status, answer.error.type]).toEqual([422, 'validation_error']);
  });

  it('is never a failure in any member of any body, and a 422 when it lies outside', async () => {
    const met: string[] = [];
    for (const operation of stage.writes()) {
      for (const [name, schema] of Object.entries(operation.body?.properties ?? {})) {
        if (schema.format !== 'date' && schema.format !== 'date-time') continue;
        met.push(`${operation.method} ${operation.path} ${name}`);
        const outside = schema.format === 'date' ? OUTSIDE_DAYS : OUTSIDE;
        for (const value of outside) await refused(operation, name, value);
        for (const value of schema.format === 'date' ? INSIDE_DAYS : INSIDE) await accepted(operation, name, value);
      }
    }
    expect(met.length).toBeGreaterThan(30);
  });

  it.each([
    ['PATCH', 'users', 'out_of_office', (at: string) => ({ from: at })],
    ['PATCH', 'users', 'out_of_office', (at: string) => ({ from: '0001-01-01T00:00:00Z', to: at })],
  ] as const)('is a 422 outside in %s /%s, deeper inside %s', async (method, kind, member, value) => {
    for (const at of OUTSIDE) {
      const path = `/${kind}/${stage.own[kind] ?? 0}`;
      const answer = await stage.workspace.api.send(method, path, { body: { [member]: value(at) } });
      expect([at, answer.status]).toEqual([at, 422]);
    }
  });

  it('leaves what it touched readable', async () => {
    for (const operation of stage.operations.filter(({ method }) => method === 'GET')) await stage.send(operation);
  });
});

async function refused(operation: Operation, name: string, value: string): Promise<void> {
  const answer = await stage.send(operation, '', { ...bodyOf(operation, stage.own), [name]: value });
  const seen = [operation.path, name, value, answer.status, Object.keys(answer.codes).includes(name)];
  expect(seen).toEqual([operation.path, name, value, 422, true]);
}

async function accepted(operation: Operation, name: string, value: string): Promise<void> {
  await stage.send(operation, '', { ...bodyOf(operation, stage.own), [name]: value });
}

describe('a tampered position', () => {
  const keys = [
    '',
    'NaN',
    'Infinity',
    '-Infinity',
    'infinity',
    '-infinity',
    '0',
    '-0',
    '9223372036854775808',
    '-9223372036854775809',
    '9'.repeat(400),
    `1.${'9'.repeat(40)}`,
    '1e400',
    '0001-01-01',
    '0000-01-01',
    '9999-12-31',
    '10000-01-01',
    '2026-02-30',
    '2026-10-20 24:00:00+00',
    '2026-10-20 08:00:60+00',
    '0000-01-01 00:00:00+00',
    '9999-12-31 23:59:59.999999+00',
    '9999-12-31T23:59:59-14:00',
    '0001-01-01T00:00:00+14:00',
    '2026-10-20 08:00:00+23:59',
    'now',
    'a\0b',
    '\ud800',
    '\u{10ffff}'.repeat(500),
    'x'.repeat(2_900),
    7,
    null,
    true,
    [],
    {},
  ];
  const ids = [1, 0, -1, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 2 ** 53, 2 ** 64, 1.5, '1', null];
  const text = (parts: unknown): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

  it('is a page or a 422 in every sort of every list', async () => {
    const lists = stage.operations.filter(({ query }) => query.includes('position'));
    expect(lists.length).toBeGreaterThan(30);
    for (const operation of lists) {
      const { details } = (await stage.send(operation, '?sort=zzz')).expect(422).error;
      const sorts = details?.[0]?.allowed as string[];
      for (const sort of sorts.flatMap((name) => [name, `-${name}`])) {
        const positions = [
          ...keys.map((key, index) => text([index % 2, sort, key, 1])),
          ...ids.map((id, index) => text([index % 2, sort, '1', id])),
        ];
        const asked = positions.map(async (position) => {
          const answer = await stage.send(operation, `?sort=${sort}&limit=1&position=${position}`);
          expect([200, 422]).toContain(answer.status);
        });
        await Promise.all(asked);
      }
    }
  });

  it('that is no position at all is a 422 in every list', async () => {
    const wrong = [
      '',
      'x',
      text(1),
      text([]),
      text({ length: 4 }),
      text([1, '-created_at']),
      '%2500',
      'A'.repeat(5_000),
    ];
    for (const operation of stage.operations.filter(({ query }) => query.includes('position'))) {
      for (const position of wrong) {
        expect((await stage.send(operation, `?position=${position}`)).status).toBe(422);
      }
    }
  });
});
