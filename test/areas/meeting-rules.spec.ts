import { storedGuests } from '../../src/areas/meetings/guests';
import {
  isAhead,
  isCounted,
  MEETING_TRANSITIONS,
  type MeetingFacts,
  statusEffects,
} from '../../src/areas/meetings/meeting-status';
import { changedTimes, newTimes } from '../../src/areas/meetings/meeting-times';
import { MEETING_STATUSES } from '../../src/areas/meetings/meeting-values';
import { lettersOf, type MeetingEvent } from '../../src/areas/meetings/invitations/letters';
import { AvailabilityQuery, availabilityWindow } from '../../src/areas/meetings/availability/availability-query';
import { ApiError } from '../../src/platform/errors/api-error';
import { readQuery } from '../support/read-query';
import { thrownBy } from '../support/thrown-by';

/** The refusal of a rule. */
const refusal = (work: () => unknown): ApiError => thrownBy(work, ApiError);

const NOW = '2026-06-10T12:00:00.000Z';
const facts = (more: Partial<MeetingFacts> = {}): MeetingFacts => ({
  status: 'scheduled',
  starts_at: '2026-06-10T09:00:00.000Z',
  concluded_at: null,
  ical_sequence: 3,
  ...more,
});

describe('the status of a meeting', () => {
  const pairs = MEETING_STATUSES.flatMap((from) => MEETING_STATUSES.map((to) => [from, to] as const));

  it.each(pairs)('%s -> %s', (from, to) => {
    const before = facts({ status: from, concluded_at: from === 'completed' || from === 'no_show' ? NOW : null });
    const change = (): unknown => statusEffects(before, to, NOW, 7);
    if (from === to) expect(change()).toEqual({ values: {}, events: [] });
    else if (MEETING_TRANSITIONS[from].includes(to)) {
      expect(change()).toMatchObject({ values: { status: to }, events: [expect.stringMatching(/^meeting\./)] });
    } else {
      expect(refusal(change)).toMatchObject({
        extras: {
          details: [{ field: 'status', code: 'invalid_transition', from, to, allowed: MEETING_TRANSITIONS[from] }],
        },
      });
    }
  });

  it.each(['completed', 'no_show'] as const)('is %s only once it has begun', (to) => {
    const early = refusal(() => statusEffects(facts({ starts_at: '2026-06-10T12:00:01.000Z' }), to, NOW, null));
    expect(early).toMatchObject({ extras: { details: [{ code: 'invalid_transition', allowed: ['cancelled'] }] } });
    expect(statusEffects(facts({ starts_at: NOW }), to, NOW, null).values).toEqual({ status: to, concluded_at: NOW });
  });

  it('can be corrected for seven days, counted from the first word', () => {
    const since = (days: number): MeetingFacts =>
      facts({ status: 'no_show', concluded_at: new Date(Date.parse(NOW) - days * 86_400_000).toISOString() });
    expect(statusEffects(since(7), 'completed', NOW, null).values).toMatchObject({
      concluded_at: '2026-06-03T12:00:00.000Z',
    });
    expect(refusal(() => statusEffects(since(7.001), 'completed', NOW, null))).toMatchObject({
      extras: { details: [{ code: 'invalid_transition', allowed: [] }] },
    });
  });

  it('says who cancelled, in another version of the calendar entry', () => {
    expect(statusEffects(facts(), 'cancelled', NOW, 7)).toEqual({
      values: { status: 'cancelled', cancelled_by: 7, ical_sequence: 4 },
      events: ['meeting.cancelled'],
    });
  });

  it('takes time while it is ahead, and counts until it is called off', () => {
    expect(MEETING_STATUSES.filter(isAhead)).toEqual(['pending', 'scheduled']);
    expect(MEETING_STATUSES.filter(isCounted)).toEqual(['pending', 'scheduled', 'completed', 'no_show']);
  });
});

describe('the time of a meeting', () => {
  const starts_at = '2026-06-10T09:00:00+02:00';

  it('takes the end, the duration, or what is usual', () => {
    const start = '2026-06-10T07:00:00.000Z';
    expect(newTimes({ starts_at })).toEqual({
      starts_at: start,
      ends_at: '2026-06-10T07:30:00.000Z',
      duration_minutes: 30,
    });
    expect(newTimes({ starts_at }, 45).duration_minutes).toBe(45);
    expect(newTimes({ starts_at, duration_minutes: 50 }, 45).ends_at).toBe('2026-06-10T07:50:00.000Z');
    expect(newTimes({ starts_at, ends_at: '2026-06-10T08:00:00Z', duration_minutes: 60 }).duration_minutes).toBe(60);
  });

  it.each([
    [{ ends_at: '2026-06-10T07:00:00Z' }, 'ends_at', 'min'],
    [{ ends_at: '2026-06-10T06:00:00Z' }, 'ends_at', 'min'],
    [{ ends_at: '2026-06-10T07:00:30Z' }, 'ends_at', 'format'],
    [{ ends_at: '2026-06-11T07:01:00Z' }, 'ends_at', 'max'],
    [{ ends_at: '2026-06-10T08:00:00Z', duration_minutes: 30 }, 'duration_minutes', 'conflict'],
  ])('refuses %j', (more, field, code) => {
    expect(refusal(() => newTimes({ starts_at, ...more }))).toMatchObject({ extras: { details: [{ field, code }] } });
  });

  it('moves whole with its start, stretches with its end, and takes itself back as it is', () => {
    const before = newTimes({ starts_at, duration_minutes: 60 });
    expect(changedTimes(before, before)).toEqual(before);
    expect(changedTimes(before, { ...before, starts_at: '2026-06-10T10:00:00Z' })).toMatchObject({
      ends_at: '2026-06-10T11:00:00.000Z',
    });
    expect(changedTimes(before, { ends_at: '2026-06-10T07:20:00Z' })).toMatchObject({ duration_minutes: 20 });
    expect(changedTimes(before, { ...before, duration_minutes: 90 })).toMatchObject({
      ends_at: '2026-06-10T08:30:00.000Z',
    });
  });
});

describe('attendees', () => {
  it('keep what a change does not say', () => {
    const before = storedGuests([{ email: 'Ada@People.example', name: 'Ada', response: 'accepted' }]);
    expect(before).toEqual([
      { email: 'ada@people.example', name: 'Ada', timezone: null, response: 'accepted', no_show: false },
    ]);
    expect(storedGuests([{ email: 'ada@people.example' }, { email: 'bob@people.example', name: '' }], before)).toEqual([
      before[0],
      { email: 'bob@people.example', name: null, timezone: null, response: 'needs_action', no_show: false },
    ]);
    expect(storedGuests([{ email: 'ada@people.example', name: null, no_show: true }], before)[0]).toMatchObject({
      name: null,
      no_show: true,
    });
  });
});

describe('who is told what', () => {
  const guest = (name: string) =>
    storedGuests([{ email: `${name}@people.example` }])[0] as ReturnType<typeof storedGuests>[number];
  const [ada, bob] = [guest('ada'), guest('bob')];
  const told = (type: string, status: string, changes: MeetingEvent['changes'], attendees = [ada]): string[] =>
    lettersOf({ type, data: { status, attendees }, changes }).map(
      ({ kind, method, to }) => `${kind} ${method} ${to.email.split('@')[0]}`,
    );
  const from = <T>(before: T) => ({ from: before, to: null });

  it.each<[string, string, MeetingEvent['changes'], string[]]>([
    ['meeting.created', 'scheduled', null, ['invitation REQUEST ada']],
    ['meeting.created', 'pending', null, []],
    ['meeting.confirmed', 'scheduled', { status: from('pending') }, ['invitation REQUEST ada']],
    ['meeting.updated', 'scheduled', { status: from('pending') }, []],
    ['meeting.rejected', 'rejected', { status: from('pending') }, ['rejection null ada']],
    ['meeting.cancelled', 'cancelled', { status: from('scheduled') }, ['cancellation CANCEL ada']],
    ['meeting.cancelled', 'cancelled', { status: from('pending') }, ['rejection null ada']],
    ['meeting.rescheduled', 'scheduled', { starts_at: from('x') }, ['update REQUEST ada']],
    ['meeting.updated', 'scheduled', { starts_at: from('x') }, []],
    ['meeting.rescheduled', 'pending', { starts_at: from('x') }, []],
    [
      'meeting.rescheduled',
      'scheduled',
      { starts_at: from('x'), attendees: from([bob]) },
      ['invitation REQUEST ada', 'cancellation CANCEL bob'],
    ],
    ['meeting.updated', 'scheduled', { attendees: from([bob]) }, ['invitation REQUEST ada', 'cancellation CANCEL bob']],
    ['meeting.updated', 'scheduled', { attendees: from([{ ...ada, response: 'declined' }]) }, []],
    ['meeting.updated', 'scheduled', { location: from(null) }, ['update REQUEST ada']],
    ['meeting.updated', 'scheduled', { internal_notes: from(null) }, []],
    ['meeting.updated', 'completed', { title: from('x') }, []],
    ['meeting.completed', 'completed', { status: from('scheduled') }, []],
  ])('%s, now %s, %j: %j', (type, status, changes, expected) => {
    expect(told(type, status, changes)).toEqual(expected);
  });
});

describe('the query of availability', () => {
  const now = Date.parse('2026-10-20T22:30:00Z');
  const parse = (query: Record<string, string>, zone = 'Europe/Berlin') =>
    availabilityWindow(readQuery(AvailabilityQuery, query), zone, now);
  const text = (moment: number): string => new Date(moment).toISOString();

  it('reads both bounds in the time zone, a date as its whole day', () => {
    const { from, to } = parse({ from: '2026-10-24', to: '2026-10-25' });
    expect([text(from), text(to)]).toEqual(['2026-10-23T22:00:00.000Z', '2026-10-25T23:00:00.000Z']);
    const other = parse({ from: '2026-10-24', to: '2026-10-25', timezone: 'America/New_York' });
    expect([text(other.from), text(other.to)]).toEqual(['2026-10-24T04:00:00.000Z', '2026-10-26T04:00:00.000Z']);
    const moments = parse({ from: '2026-10-24T09:00', to: '2026-10-24T10:00:00Z' });
    expect([text(moments.from), text(moments.to)]).toEqual(['2026-10-24T07:00:00.000Z', '2026-10-24T10:00:00.000Z']);
    expect(text(parse({ from: '2026-10-24T09:00:00 02:00' }).from)).toBe('2026-10-24T07:00:00.000Z');
  });

  it('looks at a week from the beginning of the local today', () => {
    const { from, to } = parse({});
    expect([text(from), text(to)]).toEqual(['2026-10-20T22:00:00.000Z', '2026-10-27T23:00:00.000Z']);
  });

  it.each([
    [{ from: '2026-10-01', to: '2026-11-01' }, 'to', 'max'],
    [{ from: '2026-10-02', to: '2026-10-01' }, 'to', 'min'],
    [{ from: 'today' }, 'from', 'format'],
    [{ to: '2026-02-30' }, 'to', 'format'],
    [{ from: '9999-12-31T00:00:00Z' }, 'from', 'format'],
    [{ timezone: 'Mars/Olympus' }, 'timezone', 'unknown_time_zone'],
    [{ timezone: '+02:00' }, 'timezone', 'unknown_time_zone'],
    [{ duration_minutes: '4' }, 'duration_minutes', 'min'],
    [{ duration_minutes: '481' }, 'duration_minutes', 'max'],
    [{ duration_minutes: '30', type_id: '1' }, 'duration_minutes', 'conflict'],
    [{ type_id: 'x' }, 'type_id', 'type'],
    [{ host_id: '1,,2' }, 'host_id', 'type'],
    [{ host_id: Array.from({ length: 51 }, (_, index) => index + 1).join(',') }, 'host_id', 'max'],
  ])('refuses %j', (query, field, code) => {
    expect(refusal(() => parse(query as Record<string, string>))).toMatchObject({
      extras: { details: [{ field, code }] },
    });
  });

  it('allows exactly 31 days, also over a change of the clock', () => {
    expect(() => parse({ from: '2026-10-01', to: '2026-10-31' })).not.toThrow();
    expect(() => parse({ from: '2026-03-15', to: '2026-04-14' })).not.toThrow();
  });
});
