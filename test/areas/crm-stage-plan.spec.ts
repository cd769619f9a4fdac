import fc from 'fast-check';
import { conversions, percentage, type StayCount } from '../../src/areas/crm/metrics/conversion';
import type { BoardStage } from '../../src/areas/crm/pipelines/board';
import { MetricsQuery, metricsWindow } from '../../src/areas/crm/metrics/metrics-query';
import { type AskedStage, placed, planStages, requirePermutation } from '../../src/areas/crm/stages/stage-plan';
import { ApiError } from '../../src/platform/errors/api-error';
import { readQuery } from '../support/read-query';
import { thrownBy } from '../support/thrown-by';

const refusal = (work: () => unknown): unknown => {
  const [detail] = thrownBy(work, ApiError).extras.details ?? [];
  return [detail?.field, detail?.code];
};

describe('the stages of a new pipeline', () => {
  const shown = (asked?: AskedStage[]): unknown =>
    planStages(asked).map(({ name, type, probability }) => [name, type, probability]);

  it('are the standard ones, unless asked for', () => {
    expect(shown()).toEqual([
      ['Qualification', 'open', 10],
      ['Demo', 'open', 25],
      ['Proposal', 'open', 50],
      ['Negotiation', 'open', 70],
      ['Won', 'won', 100],
      ['Lost', 'lost', 0],
    ]);
  });

  it('get a won and a lost stage, forced probabilities, and steps where none is given', () => {
    expect(shown([{ name: 'Gone', type: 'lost', probability: 40 }, { name: 'A' }, { name: 'B' }])).toEqual([
      ['Gone', 'lost', 0],
      ['A', 'open', 33],
      ['B', 'open', 67],
      ['Won', 'won', 100],
    ]);
  });

  it.each<[string, AskedStage[], unknown]>([
    ['no open stage', [{ name: 'Won', type: 'won' }], ['stages', 'min']],
    ['none at all', [], ['stages', 'min']],
    ['a name twice', [{ name: 'A' }, { name: 'a' }], ['stages.1.name', 'duplicate']],
    ['the name of an added stage', [{ name: 'lost' }], ['stages.2.name', 'duplicate']],
    [
      'two won stages',
      [{ name: 'A' }, { name: 'B', type: 'won' }, { name: 'C', type: 'won' }],
      ['stages.2.type', 'duplicate'],
    ],
    [
      'rotten days of a closed stage',
      [{ name: 'A' }, { name: 'B', type: 'won', rotten_days: 3 }],
      ['stages.1.rotten_days', 'invalid'],
    ],
    ['too many', Array.from({ length: 49 }, (_, index) => ({ name: `S${index}` })), ['stages', 'max']],
  ])('are refused: %s', (_name, asked, expected) => {
    expect(refusal(() => planStages(asked))).toEqual(expected);
  });

  it('are in order, without gaps, with exactly one end of each kind, whatever is asked for', () => {
    const asked = fc.uniqueArray(
      fc.record({ name: fc.string({ minLength: 1, maxLength: 9 }), probability: fc.nat(100) }),
      {
        minLength: 1,
        maxLength: 20,
        selector: ({ name }) => name.toLowerCase(),
      },
    );
    fc.assert(
      fc.property(asked, (open) => {
        fc.pre(!open.some(({ name }) => ['won', 'lost'].includes(name.toLowerCase())));
        const plan = planStages(open);
        expect(plan.map(({ position }) => position)).toEqual(plan.map((_, index) => index + 1));
        expect(plan.filter(({ type }) => type === 'won').map(({ probability }) => probability)).toEqual([100]);
        expect(plan.filter(({ type }) => type === 'lost').map(({ probability }) => probability)).toEqual([0]);
        expect(
          plan.filter(({ type }) => type === 'open').map(({ name, probability }) => ({ name, probability })),
        ).toEqual(open);
      }),
    );
  });
});

describe('the order of stages', () => {
  it('puts a stage at a place, or at the end when the place is behind it', () => {
    expect(placed([1, 2, 3], 3, 1)).toEqual([3, 1, 2]);
    expect(placed([1, 2, 3], 1, 2)).toEqual([2, 1, 3]);
    expect(placed([1, 2, 3], 9, 2)).toEqual([1, 9, 2, 3]);
    expect(placed([1, 2, 3], 2, 99)).toEqual([1, 3, 2]);
  });

  it('takes any permutation, and nothing else', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([1, 2, 3, 4], { minLength: 4 }), (asked) => {
        requirePermutation('stage_ids', [1, 2, 3, 4], asked);
      }),
    );
    const refused = (asked: number[]): unknown => refusal(() => requirePermutation('stage_ids', [1, 2, 3], asked));
    expect(refused([1, 2])).toEqual(['stage_ids', 'permutation']);
    expect(refused([1, 2, 3, 3])).toEqual(['stage_ids', 'permutation']);
    expect(refused([1, 2, 9])).toEqual(['stage_ids', 'not_found']);
  });
});

describe('the conversion of stages', () => {
  const stage = (id: number, type: BoardStage['type']): BoardStage => ({
    id,
    pipeline_id: 1,
    name: `S${id}`,
    type,
    position: id,
    probability: 0,
    rotten_days: null,
  });
  const stages = [stage(1, 'open'), stage(2, 'open'), stage(3, 'open'), stage(4, 'won'), stage(5, 'lost')];
  const count = (stage_id: number, to: number | null, stays: number): StayCount => ({ stage_id, to, stays });

  it('tells what moved on from what fell back, was lost, left, or is still there', () => {
    const counts = [count(2, 3, 4), count(2, 4, 1), count(2, 1, 2), count(2, 5, 3), count(2, 77, 1), count(2, null, 1)];
    expect(conversions(stages, counts).get(stages[1]!)).toEqual({
      entered: 12,
      moved_on: 5,
      moved_back: 2,
      lost: 3,
      left: 1,
      still_there: 1,
      conversion_pct: 41.67,
    });
  });

  it('has no percentage where nothing entered, and none of nothing', () => {
    expect(conversions(stages, []).get(stages[0]!)).toMatchObject({ entered: 0, conversion_pct: null });
    expect([percentage(0, 0), percentage(1, 3), percentage(2, 2)]).toEqual([null, 33.33, 100]);
  });

  it('accounts for every stay exactly once', () => {
    const some = fc.array(
      fc.record({
        stage_id: fc.constantFrom(1, 2, 3, 4, 5),
        to: fc.constantFrom(null, 0, 1, 2, 3, 4, 5),
        stays: fc.nat(9),
      }),
    );
    fc.assert(
      fc.property(some, (counts) => {
        for (const [{ id }, row] of conversions(stages, counts)) {
          const stays = counts.filter(({ stage_id }) => stage_id === id).reduce((sum, each) => sum + each.stays, 0);
          expect(row.moved_on + row.moved_back + row.lost + row.left + row.still_there).toBe(stays);
          expect(row.entered).toBe(stays);
        }
      }),
    );
  });
});

describe('the window of the metrics', () => {
  const now = Date.parse('2026-05-04T10:00:00Z');
  const windowOf = (query: Record<string, unknown>) => metricsWindow(readQuery(MetricsQuery, query), now);

  it('is 90 days long and ends now, unless asked for', () => {
    expect(metricsWindow({}, now)).toEqual({ from: '2026-02-03T10:00:00.000Z', to: '2026-05-04T10:00:00.000Z' });
    expect(windowOf({ from: '2026-01-01', to: '2026-02-01T00:00:00+01:00' })).toEqual({
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-01-31T23:00:00.000Z',
    });
  });

  it.each<[Record<string, unknown>, unknown]>([
    [{ from: 'soon' }, ['from', 'format']],
    [{ to: ['2026-01-01', '2026-01-02'] }, ['to', 'format']],
    [{ from: '2026-06-01' }, ['from', 'order']],
    [{ from: '2020-01-01' }, ['from', 'max']],
  ])('refuses %j', (query, expected) => {
    expect(refusal(() => windowOf(query))).toEqual(expected);
  });
});
