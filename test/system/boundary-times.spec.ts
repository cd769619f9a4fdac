import { allResources } from '../../src/platform/resource/resource';
import '../support/areas';
import { rationed, shapeOf, useHostility } from '../support/hostile';
import { bodyOf } from '../support/isolation';
import type { Operation, Schema } from '../support/operations';
import { TAMPERED_IDS, TAMPERED_KEYS, tampered } from '../support/tampered-positions';

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
    const engine = new Map<string, number>();
    const [outside, inside] = [rationed([...OUTSIDE, ...OUTSIDE_DAYS], 1), rationed([...INSIDE, ...INSIDE_DAYS], 1)];
    for (const operation of stage.operations) {
      for (const [name, schema] of Object.entries(operation.parameters)) {
        if (!isTime(name, schema)) continue;
        // Filters of one shape are one parser; each window is read by its area.
        const kind = WINDOW.includes(name) ? `${operation.path} ${name}` : shapeOf(schema);
        met.add(`${operation.path} ${name}`);
        // The list engine reads these itself: after the first ones in every eighth list.
        const turn = engine.get(name) ?? 0;
        if (/^(created|updated)_/.test(name)) engine.set(name, turn + 1);
        if (turn >= 2 && turn % 8 !== 0) continue;
        const asked = async (value: string): Promise<unknown[]> => {
          const answer = await stage.send(operation, encoded(name, value));
          return [operation.path, name, value, answer.status];
        };
        for (const value of outside(kind)) {
          expect(await asked(value)).toEqual([operation.path, name, value, 422]);
        }
        await Promise.all(inside(kind).map(asked));
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
    const days = [rationed(OUTSIDE_DAYS, 1), rationed(INSIDE_DAYS, 1)] as const;
    const moments = [rationed(OUTSIDE, 1), rationed(INSIDE, 1)] as const;
    for (const operation of stage.writes()) {
      for (const [name, schema] of Object.entries(operation.body?.properties ?? {})) {
        if (schema.format !== 'date' && schema.format !== 'date-time') continue;
        met.push(`${operation.method} ${operation.path} ${name}`);
        const [outside, inside] = schema.format === 'date' ? days : moments;
        // What is done with a moment is the area's; a change does with it what the creation did.
        const kind = `${operation.path.split('/{')[0]} ${name}`;
        for (const value of outside(kind)) await refused(operation, name, value);
        for (const value of inside(kind)) await accepted(operation, name, value);
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
  const positions: [number, unknown, unknown][] = TAMPERED_KEYS.map((key, index) => [index % 2, key, 1]);
  positions.push(...TAMPERED_IDS.map((id, index): [number, unknown, unknown] => [index % 2, '1', id]));

  /** By the sorts that lists name: of which type the key of each is, and whether it may be missing. */
  const kinds = new Map(
    allResources().map(({ sort }) => [
      Object.keys(sort).join(),
      new Map(Object.entries(sort).map(([name, { type, nullable }]) => [name, `${type} ${nullable === true}`])),
    ]),
  );

  it('is a page or a 422 in every sort of every list', async () => {
    const lists = stage.operations.filter(({ query }) => query.includes('position'));
    expect(lists.length).toBeGreaterThan(30);
    const share = rationed(positions, 1);
    let turn = 0;
    const met = new Set<string>();
    for (const operation of lists) {
      const { details } = (await stage.send(operation, '?sort=zzz')).expect(422).error;
      const sorts = details?.[0]?.allowed as string[];
      for (const name of sorts) {
        // The type of the key decides how it is read: position.spec.ts has every key and id with every type.
        const kind = kinds.get(sorts.join())?.get(name) ?? `${operation.path} ${name}`;
        met.add(kind);
        // Either way by the same comparison, the other way round.
        for (const sort of turn++ % 2 ? [name] : [`-${name}`]) {
          const asked = share(kind).map(async ([direction, key, id]) => {
            const position = tampered([direction, sort, key, id]);
            const answer = await stage.send(operation, `?sort=${sort}&limit=1&position=${position}`);
            expect([200, 422]).toContain(answer.status);
          });
          await Promise.all(asked);
        }
      }
    }
    expect([...met].sort()).toEqual([...new Set([...kinds.values()].flatMap((each) => [...each.values()]))].sort());
  });

  it('that is no position at all is a 422 in every list', async () => {
    const wrong = [
      '',
      'x',
      tampered(1),
      tampered([]),
      tampered({ length: 4 }),
      tampered([1, '-created_at']),
      '%2500',
      'A'.repeat(5_000),
    ];
    const share = rationed(wrong, 1);
    for (const operation of stage.operations.filter(({ query }) => query.includes('position'))) {
      for (const position of share('list')) {
        expect((await stage.send(operation, `?position=${position}`)).status).toBe(422);
      }
    }
  });
});
