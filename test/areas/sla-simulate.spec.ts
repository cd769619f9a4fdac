import { simulate, type Story } from '../../src/areas/sla/simulate';
import { ApiError } from '../../src/platform/errors/api-error';
import { thrownBy } from '../support/thrown-by';
import { at, OFFICE, TERMS } from '../support/sla-story';

const story = (more: Partial<Story> = {}): Story => ({ created_at: at(0), priority: 'medium', ...more });

describe('a simulation', () => {
  it('of a ticket that was only created says when it would be due', () => {
    const answer = simulate({ ...TERMS, schedule: OFFICE }, story({ created_at: '2026-10-19T10:00:00+02:00' }));
    expect(answer).toMatchObject({
      as_of: at(0),
      policy: { id: 1, name: 'Gold', version: 1 },
      schedule: { mode: 'business_hours', timezone: 'Europe/Berlin' },
      sla_status: 'on_track',
      first_response_due_at: '2026-10-19T12:00:00.000Z',
      next_response_due_at: null,
      sla_due_at: '2026-10-22T08:00:00.000Z',
      next_due_at: '2026-10-19T12:00:00.000Z',
    });
    expect(answer).not.toHaveProperty('at_risk_at');
  });

  it('follows the whole story, with the ticket reopened by its requester', () => {
    const { clocks, history, sla_status } = simulate(
      TERMS,
      story({
        timeline: [
          { at: at(10), comment: { author: 'agent' } },
          { at: at(20), status: 'on_hold' },
          { at: at(50), comment: { author: 'requester' } },
          { at: at(60), priority: 'urgent', comment: { author: 'agent' } },
          { at: at(100), status: 'resolved' },
          { at: at(130), comment: { author: 'requester' } },
        ],
        as_of: at(140),
      }),
    );
    expect(sla_status).toBe('on_track');
    expect(clocks.map(({ metric, instance, outcome }) => `${metric} ${instance} ${outcome}`)).toEqual([
      'first_response 1 met',
      'resolution 1 active',
      'next_response 1 met',
      'next_response 2 active',
    ]);
    expect(clocks[1]).toMatchObject({
      due_at: at(300),
      elapsed_working_seconds: 80 * 60,
      remaining_working_seconds: 160 * 60,
      pauses: [
        { from: at(20), to: at(50), kind: 'hold', working_seconds: 1_800 },
        { from: at(100), to: at(130), kind: 'resolved', working_seconds: 1_800 },
      ],
    });
    expect(history.filter(({ metric }) => metric === 'resolution').map(({ change }) => change)).toEqual([
      'started',
      'paused',
      'resumed',
      'recomputed',
      'met',
      'reopened',
    ]);
  });

  it('lets time pass until the moment asked for', () => {
    const answer = simulate(TERMS, story({ as_of: at(1_500) }));
    expect(answer.sla_status).toBe('breached');
    expect(answer.clocks.map(({ overdue_seconds }) => overdue_seconds)).toEqual([1_260 * 60, 60 * 60]);
    expect(answer.history.map(({ change }) => change).filter((change) => change === 'breached')).toHaveLength(2);
  });

  it('refuses what did not happen in order, and moments at which nothing happens', () => {
    const problem = (more: Partial<Story>): unknown => thrownBy(() => simulate(TERMS, story(more)), ApiError);
    const field = (name: string): unknown =>
      expect.objectContaining({
        extras: expect.objectContaining({ details: [expect.objectContaining({ field: name })] }) as unknown,
      });
    expect(problem({ timeline: [{ at: at(-1), status: 'open' }] })).toEqual(field('timeline.0.at'));
    expect(
      problem({
        timeline: [
          { at: at(5), status: 'open' },
          { at: at(4), status: 'open' },
        ],
      }),
    ).toEqual(field('timeline.1.at'));
    expect(problem({ timeline: [{ at: at(5) }] })).toEqual(field('timeline.0'));
    expect(problem({ timeline: [{ at: at(5), status: 'open' }], as_of: at(4) })).toEqual(field('as_of'));
    // Working time is worked out day by day: ten thousand years of it would keep everybody else waiting.
    expect(problem({ timeline: [{ at: '9999-12-30T00:00:00Z', status: 'on_hold' }] })).toEqual(field('timeline.0.at'));
    expect(problem({ as_of: '9999-12-30T00:00:00Z' })).toEqual(field('as_of'));
    expect(problem({ created_at: '9999-12-31T23:59:59Z' })).toEqual(field('created_at'));
  });
});
