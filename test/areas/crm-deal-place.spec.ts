import fc from 'fast-check';
import { type DealPlace, placeDeal, type PlaceWish, rotsAt } from '../../src/areas/crm/deals/deal-place';
import type { Board, BoardStage } from '../../src/areas/crm/pipelines/board';
import { ApiError } from '../../src/platform/errors/api-error';
import { thrownBy } from '../support/thrown-by';

const NOW = '2026-05-04T10:00:00.000Z';

function stage(id: number, type: BoardStage['type'], probability: number, rotten: number | null = null): BoardStage {
  const pipeline_id = Math.floor(id / 10);
  return { id, pipeline_id, name: `S${id}`, type, position: id % 10, probability, rotten_days: rotten };
}

/** Pipeline 1 is the default, 2 begins with its lost stage, 3 is not active. */
const board: Board = [
  {
    id: 1,
    is_default: true,
    is_active: true,
    currency: null,
    stages: [stage(11, 'open', 10), stage(12, 'open', 40, 7), stage(13, 'won', 100), stage(14, 'lost', 0)],
  },
  {
    id: 2,
    is_default: false,
    is_active: true,
    currency: 'USD',
    stages: [stage(21, 'lost', 0), stage(22, 'open', 30, 3), stage(23, 'won', 100), stage(24, 'open', 60)],
  },
  {
    id: 3,
    is_default: false,
    is_active: false,
    currency: null,
    stages: [stage(31, 'open', 5), stage(32, 'won', 100), stage(33, 'lost', 0)],
  },
];
const stages = board.flatMap((pipeline) => pipeline.stages);

/** The place after a wish; values that a placement does not name stay. */
function after(before: DealPlace | null, wish: PlaceWish): DealPlace & Record<string, unknown> {
  return { ...(before as DealPlace), ...placeDeal(before, wish, board, NOW).values };
}

const refusal = (before: DealPlace | null, wish: PlaceWish): unknown => {
  const [detail] = thrownBy(() => placeDeal(before, wish, board, NOW), ApiError).extras.details ?? [];
  return [detail?.field, detail?.code];
};

const events = (before: DealPlace | null, wish: PlaceWish): string[] => placeDeal(before, wish, board, NOW).events;

describe('where a new deal goes', () => {
  it.each<[string, PlaceWish, Partial<DealPlace>]>([
    ['nothing asked for: first stage of the default pipeline', {}, { pipeline_id: 1, stage_id: 11, probability: 10 }],
    ['a pipeline: its first open stage', { pipeline_id: 2 }, { pipeline_id: 2, stage_id: 22, probability: 30 }],
    ['a stage: its pipeline', { stage_id: 24 }, { pipeline_id: 2, stage_id: 24, status: 'open', probability: 60 }],
    ['a won stage', { stage_id: 13 }, { stage_id: 13, status: 'won', probability: 100, open_stage_id: null }],
    ['won', { status: 'won', pipeline_id: 2 }, { stage_id: 23, status: 'won', first_won_at: NOW }],
    ['lost', { status: 'lost', lost_reason: 'Price' }, { stage_id: 14, lost_reason: 'Price', probability: 0 }],
    ['a probability', { probability: 55 }, { probability: 55, own_probability: 55 }],
    ["the stage's own probability", { probability: 10 }, { probability: 10, own_probability: null }],
  ])('%s', (_name, wish, expected) => {
    expect(after(null, wish)).toMatchObject(expected);
  });

  it('announces besides its creation only that it is closed', () => {
    expect([events(null, {}), events(null, { status: 'won' }), events(null, { stage_id: 24 })]).toEqual([
      [],
      ['deal.won'],
      [],
    ]);
  });

  it.each<[string, PlaceWish, unknown]>([
    ['an unknown pipeline', { pipeline_id: 9 }, ['pipeline_id', 'not_found']],
    ['an unknown stage', { stage_id: 99 }, ['stage_id', 'not_found']],
    ["another pipeline's stage", { pipeline_id: 1, stage_id: 22 }, ['stage_id', 'invalid']],
    ['a status that the stage has not', { stage_id: 11, status: 'won' }, ['status', 'invalid']],
    ['an inactive pipeline', { pipeline_id: 3 }, ['pipeline_id', 'inactive']],
    ['a stage of one', { stage_id: 31 }, ['stage_id', 'inactive']],
    ['lost without a reason', { status: 'lost' }, ['lost_reason', 'required']],
    ['lost with an empty reason', { stage_id: 14, lost_reason: '' }, ['lost_reason', 'required']],
    ['a reason without being lost', { lost_reason: 'Price' }, ['lost_reason', 'invalid']],
    ['won with a probability', { status: 'won', probability: 50 }, ['probability', 'invalid']],
  ])('is refused: %s', (_name, wish, expected) => {
    expect(refusal(null, wish)).toEqual(expected);
  });
});

describe('where a deal moves', () => {
  const open = after(null, { stage_id: 12 });
  const won = after(open, { status: 'won' });
  const lost = after(open, { status: 'lost', lost_reason: 'Price' });

  it('goes to the pipeline of a stage, to the first open stage of a pipeline', () => {
    expect(after(open, { stage_id: 24 })).toMatchObject({ pipeline_id: 2, stage_id: 24, probability: 60 });
    expect(after(open, { pipeline_id: 2 })).toMatchObject({ pipeline_id: 2, stage_id: 22, probability: 30 });
    expect(events(open, { pipeline_id: 2 })).toEqual(['deal.stage_changed']);
  });

  it('takes the status of its stage, and the stage of its status', () => {
    expect(after(open, { stage_id: 13 })).toMatchObject({ status: 'won', won_at: NOW, closed_at: NOW, lost_at: null });
    expect(won).toMatchObject({ stage_id: 13, probability: 100, open_stage_id: 12, rots_at: null, first_won_at: NOW });
    expect(lost).toMatchObject({ stage_id: 14, probability: 0, lost_at: NOW, won_at: null, lost_reason: 'Price' });
    expect(events(open, { status: 'won' })).toEqual(['deal.stage_changed', 'deal.won']);
    expect(events(open, { stage_id: 14, lost_reason: 'x' })).toEqual(['deal.stage_changed', 'deal.lost']);
  });

  it('returns to the open stage it left, without what closing left, but with its first win', () => {
    const again = after(won, { status: 'open' });
    expect(again).toMatchObject({ stage_id: 12, status: 'open', won_at: null, closed_at: null, first_won_at: NOW });
    expect(again).toMatchObject({ probability: 40, rots_at: rotsAt(NOW, 7) });
    expect(events(won, { status: 'open' })).toEqual(['deal.stage_changed', 'deal.reopened']);
    expect(after(won, { status: 'open', stage_id: 24 })).toMatchObject({ pipeline_id: 2, stage_id: 24 });
    expect(after(won, { status: 'open', pipeline_id: 2 })).toMatchObject({ stage_id: 22 });
    expect(after({ ...won, open_stage_id: null }, { status: 'open' })).toMatchObject({ stage_id: 11 });
    expect(after(lost, { status: 'open', lost_reason: 'Price' }).lost_reason).toBeNull();
  });

  it('keeps its first win when it is won again', () => {
    const again = after({ ...won, first_won_at: '2020-01-01T00:00:00.000Z' }, { status: 'open' });
    expect(after(again, { status: 'won' })).toMatchObject({ first_won_at: '2020-01-01T00:00:00.000Z', won_at: NOW });
  });

  it('keeps a probability of its own over moves and closing, until it is set to that of the stage', () => {
    const own = after(open, { probability: 77 });
    expect(after(own, { stage_id: 11 }).probability).toBe(77);
    expect(after(after(own, { status: 'won' }), { status: 'open' }).probability).toBe(77);
    expect(after(own, { probability: 40 })).toMatchObject({ probability: 40, own_probability: null });
    expect(after(open, { stage_id: 11, probability: 40 })).toMatchObject({ probability: 10, own_probability: null });
  });

  it.each<[string, DealPlace, PlaceWish, unknown]>([
    ['won to lost', won, { status: 'lost', lost_reason: 'x' }, ['status', 'invalid_transition']],
    ['lost to won', lost, { status: 'won' }, ['status', 'invalid_transition']],
    ['won to the lost stage', won, { stage_id: 14, lost_reason: 'x' }, ['status', 'invalid_transition']],
    ['won to an open stage', won, { stage_id: 11 }, ['stage_id', 'closed']],
    ['won to another pipeline', won, { pipeline_id: 2 }, ['pipeline_id', 'closed']],
    ['won to the won stage of another pipeline', won, { stage_id: 23 }, ['stage_id', 'closed']],
    ['lost without its reason', lost, { lost_reason: null }, ['lost_reason', 'required']],
    ['a probability for a won deal', won, { probability: 50 }, ['probability', 'invalid']],
    ['an inactive pipeline', open, { pipeline_id: 3 }, ['pipeline_id', 'inactive']],
    ['status and stage that contradict each other', open, { status: 'won', stage_id: 11 }, ['status', 'invalid']],
  ])('is refused: %s', (_name, before, wish, expected) => {
    expect(refusal(before, wish)).toEqual(expected);
  });

  it('may stay in a pipeline that is not active any more', () => {
    const there: DealPlace = { ...open, pipeline_id: 3, stage_id: 31, probability: 5 };
    expect(after(there, { probability: 50 })).toMatchObject({ pipeline_id: 3, probability: 50 });
    expect(after(there, { status: 'won' })).toMatchObject({ stage_id: 32 });
  });
});

describe('whatever is asked for, in any order', () => {
  const wish: fc.Arbitrary<PlaceWish> = fc.record(
    {
      pipeline_id: fc.constantFrom(1, 2, 3, 9),
      stage_id: fc.constantFrom(...stages.map(({ id }) => id), 99),
      status: fc.constantFrom('open' as const, 'won' as const, 'lost' as const),
      probability: fc.constantFrom(0, 10, 30, 50, 100),
      lost_reason: fc.constantFrom(null, '', 'Price'),
    },
    { requiredKeys: [] },
  );

  it('a deal stays in one piece, and a refusal is a 422 that names a field', () => {
    fc.assert(
      fc.property(fc.array(wish, { minLength: 1, maxLength: 12 }), (wishes) => {
        let deal: (DealPlace & Record<string, unknown>) | null = null;
        for (const asked of wishes) {
          const before: DealPlace | null = deal;
          try {
            deal = after(before, asked);
          } catch (error) {
            const { type, extras } = error as ApiError;
            expect(type).toBe('validation_error');
            expect(extras.details?.length).toBe(1);
            continue;
          }
          requireWhole(deal);
          requireHonoured(before, asked, deal);
        }
      }),
      { numRuns: 500 },
    );
  });

  /** What must hold of any deal. */
  function requireWhole(deal: DealPlace & Record<string, unknown>): void {
    const at = stages.find(({ id }) => id === deal.stage_id);
    expect([at?.pipeline_id, at?.type]).toEqual([deal.pipeline_id, deal.status]);
    expect(deal.probability).toBe(deal.status === 'open' ? (deal.own_probability ?? at?.probability) : at?.probability);
    expect(deal.status === 'lost').toBe(deal.lost_reason !== null);
    expect([deal.closed_at !== null, deal.won_at !== null, deal.lost_at !== null]).toEqual([
      deal.status !== 'open',
      deal.status === 'won',
      deal.status === 'lost',
    ]);
    expect(deal.status !== 'won' || deal.first_won_at !== null).toBe(true);
    expect(deal.rots_at !== null).toBe(deal.status === 'open' && at?.rotten_days !== null);
  }

  /** What was asked for and not refused came true; a deal that is closed did not move. */
  function requireHonoured(before: DealPlace | null, asked: PlaceWish, deal: DealPlace): void {
    for (const name of ['pipeline_id', 'stage_id', 'status', 'probability'] as const) {
      if (asked[name] !== undefined && asked[name] !== before?.[name]) {
        expect([name, deal[name]]).toEqual([name, asked[name]]);
      }
    }
    if (before && before.status !== 'open' && deal.status !== 'open') {
      expect([deal.status, deal.stage_id]).toEqual([before.status, before.stage_id]);
    }
  }
});
