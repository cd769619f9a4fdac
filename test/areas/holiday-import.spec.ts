import { readHolidays } from '../../src/areas/schedules/holiday-file';
import { yearsFrom } from '../../src/areas/schedules/holiday-import.service';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { make } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { calendarOf, wholeDays } from '../support/holidays';
import { useReceiver } from '../support/receiver';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const YEARS = { first: '2026-01-01', last: '2028-12-31' };
const dates = (text: string): string[] =>
  readHolidays({ text, ...YEARS }).holidays.map(({ date, recurring }) => `${date}${recurring ? ' yearly' : ''}`);
const event = (...lines: string[]): string[] => dates(calendarOf(lines));

describe('the holidays of a calendar', () => {
  it('are its whole days, however many an event has', () => {
    const text = wholeDays(['20260406', 'Easter Monday'], ['20261003', 'Unity Day']);
    expect(readHolidays({ text, ...YEARS })).toEqual({
      problem: null,
      holidays: [
        { date: '2026-04-06', name: 'Easter Monday' },
        { date: '2026-10-03', name: 'Unity Day' },
      ],
      skipped: 0,
    });
    expect(event('DTSTART;VALUE=DATE:20261224', 'DTEND;VALUE=DATE:20261227')).toEqual([
      '2026-12-24',
      '2026-12-25',
      '2026-12-26',
    ]);
    expect(event('DTSTART;VALUE=DATE:20261224', 'DURATION:P2D')).toEqual(['2026-12-24', '2026-12-25']);
    expect(event('DTSTART;VALUE=DATE:20261224', 'DTEND;VALUE=DATE:20261224')).toEqual(['2026-12-24']);
    // Only what lies in the years that were asked for.
    expect(event('DTSTART;VALUE=DATE:20281231', 'DTEND;VALUE=DATE:20290102')).toEqual(['2028-12-31']);
  });

  it('return each year where a rule says just that, and are written out where it says more', () => {
    const xmas = ['DTSTART;VALUE=DATE:20101225', 'SUMMARY:Christmas'];
    expect(event(...xmas, 'RRULE:FREQ=YEARLY')).toEqual(['2010-12-25 yearly']);
    expect(event(...xmas, 'RRULE:FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25')).toEqual(['2010-12-25 yearly']);
    expect(event(...xmas, 'RRULE:FREQ=YEARLY;UNTIL=20271225')).toEqual(['2026-12-25', '2027-12-25']);
    expect(event(...xmas, 'RRULE:FREQ=YEARLY;INTERVAL=2')).toEqual(['2026-12-25', '2028-12-25']);
    expect(event(...xmas, 'RRULE:FREQ=YEARLY', 'EXDATE;VALUE=DATE:20271225')).toEqual(['2026-12-25', '2028-12-25']);
    expect(event('DTSTART;VALUE=DATE:20270501', 'RRULE:FREQ=YEARLY')).toEqual(['2027-05-01', '2028-05-01']);
    const thanksgiving = ['DTSTART;VALUE=DATE:20201126', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH'];
    expect(event(...thanksgiving)).toEqual(['2026-11-26', '2027-11-25', '2028-11-23']);
    expect(event('DTSTART;VALUE=DATE:20260105', 'RDATE;VALUE=DATE:20260107')).toEqual(['2026-01-05', '2026-01-07']);
  });

  it('heed single days that were moved', () => {
    const text = calendarOf(
      ['UID:a', 'DTSTART;VALUE=DATE:20200501', 'RRULE:FREQ=YEARLY', 'SUMMARY:May Day'],
      ['UID:a', 'RECURRENCE-ID;VALUE=DATE:20270501', 'DTSTART;VALUE=DATE:20270503', 'SUMMARY:May Day, moved'],
    );
    expect(dates(text)).toEqual(['2026-05-01', '2028-05-01', '2027-05-03']);
  });

  it('are not what has times, was cancelled, returns every week, or makes no sense', () => {
    const text = calendarOf(
      ['DTSTART:20260406T090000Z'],
      ['DTSTART;VALUE=DATE:20260407', 'STATUS:CANCELLED'],
      ['DTSTART;VALUE=DATE:20260407', 'RRULE:FREQ=WEEKLY'],
      ['DTSTART;VALUE=DATE:20260407', 'DTEND;VALUE=DATE:20261231'],
      ['DTSTART;VALUE=DATE:20269999'],
      ['SUMMARY:Never'],
      ['DTSTART;VALUE=DATE:19990407'],
    );
    expect(readHolidays({ text, ...YEARS })).toEqual({ problem: null, holidays: [], skipped: 7 });
  });

  it('have names that a line can hold', () => {
    const { holidays } = readHolidays({ text: wholeDays(['20260101', `A\\nB\u0007${'x'.repeat(300)}`]), ...YEARS });
    expect(holidays[0]?.name).toMatch(/^A B x+$/);
    expect(holidays[0]?.name).toHaveLength(255);
  });

  it.each([
    ['', 'has no calendar (BEGIN:VCALENDAR)'],
    ['Hello', expect.stringMatching(/^is no calendar in the form of RFC 5545: .{5,200}$/)],
    ['BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n', expect.stringContaining('RFC 5545: invalid ical body')],
    [
      calendarOf(['DTSTART;VALUE=DATE:20260407', 'RRULE:FREQ=YEARLY;BYMONTHDAY=77']),
      expect.stringContaining('BYMONTHDAY'),
    ],
    ['BEGIN:VCARD\r\nFN:Ada\r\nEND:VCARD\r\n', 'has no calendar (BEGIN:VCALENDAR)'],
    [wholeDays(...Array.from({ length: 5_001 }, () => ['20260101', 'x'] as const)), 'has more than 5000 events'],
    [
      calendarOf(
        ...Array.from({ length: 300 }, () => ['DTSTART;VALUE=DATE:18000101', 'RRULE:FREQ=YEARLY;INTERVAL=1;COUNT=900']),
      ),
      'repeats its events too often',
    ],
  ])('are none in %.40j', (text, problem) => {
    expect(readHolidays({ text, ...YEARS })).toEqual({ problem, holidays: [], skipped: 0 });
  });
});

describe('POST /schedules/{id}/holidays/import', () => {
  const server = useApp();
  const receiver = useReceiver();
  let workspace: TestWorkspace;
  let schedule: Fields;
  beforeEach(async () => {
    workspace = await makeWorkspace(server);
    schedule = await make(workspace.api, '/schedules', { holidays: [{ date: '2026-12-25', recurring: true }] });
  });

  const { first } = yearsFrom(new Date(), 1);
  const year = first.slice(0, 4);
  const take = (body: object, headers?: Record<string, string>) =>
    workspace.api.post(`/schedules/${schedule.id}/holidays/import`, body, headers);

  it('adds what the schedule has not, once', async () => {
    const ical = wholeDays([`${year}0506`, 'Day off'], [`${year}1225`, 'Christmas']);
    const answer = (await take({ ical })).expect(200);
    expect(answer.meta).toMatchObject({ imported: 1, skipped: 0 });
    expect(answer.data.holidays).toEqual(
      expect.arrayContaining([
        { date: `${year}-05-06`, name: 'Day off' },
        { date: '2026-12-25', name: 'Christmas', recurring: true },
      ]),
    );
    expect(answer.data.holidays).toHaveLength(2);
    const again = (await take({ ical }, { 'if-match': answer.header('etag') ?? '' })).expect(200);
    expect([again.meta.imported, again.header('etag')]).toEqual([0, answer.header('etag')]);
    expect((await eventsOf(server, workspace, 'schedule', schedule.id)).map(({ type }) => type)).toEqual([
      'schedule.created',
      'schedule.updated',
    ]);
    (await take({ ical: wholeDays([`${year}0507`, 'x']) }, { 'if-match': '"1"' })).expect(412);
  });

  it('replaces them where it is asked to, and answers a repeat with the same key alike', async () => {
    const ical = wholeDays([`${year}0506`, 'Day off']);
    const key = { 'idempotency-key': 'holidays-of-the-year' };
    const answer = (await take({ ical, replace: true }, key)).expect(200);
    expect(answer.data.holidays).toEqual([{ date: `${year}-05-06`, name: 'Day off' }]);
    const repeated = (await take({ ical, replace: true }, key)).expect(200);
    expect([repeated.text, repeated.header('idempotent-replayed')]).toEqual([answer.text, 'true']);
  });

  it('refuses what is no calendar, two of them, none, and too many days', async () => {
    const codes = async (body: object): Promise<object> => (await take(body)).expect(422).codes;
    expect(await codes({ ical: 'Hello' })).toEqual({ ical: 'format' });
    expect(await codes({})).toEqual({ ical: 'required' });
    expect(await codes({ ical: 'x', url: 'https://calendar.example/x' })).toEqual({ url: 'conflict' });
    expect(await codes({ ical: 'x', years: 11 })).toEqual({ years: 'max' });
    expect(await codes({ ical: 'x'.repeat(524_289) })).toEqual({ ical: 'max' });
    const daily = Array.from({ length: 20 }, (_, index) => [
      `DTSTART;VALUE=DATE:${Number(year) + Math.floor(index / 10)}${String((index % 10) + 1).padStart(2, '0')}01`,
      'DURATION:P28D',
    ]);
    expect(await codes({ ical: calendarOf(...daily) })).toEqual({ holidays: 'max' });
    expect((await workspace.api.get(`/schedules/${schedule.id}`)).data).toEqual(schedule);
  });

  it('fetches a calendar, by redirects too, and says why it could not', async () => {
    const ical = wholeDays([`${year}0506`, 'Day off']);
    receiver.answer(({ path }) =>
      path === '/moved' ? { status: 302, headers: { location: '/hook' } } : { status: 200, body: ical },
    );
    const fetched = (await take({ url: receiver.at('/moved') })).expect(200);
    expect(fetched.meta.imported).toBe(1);
    const codes = async (url: string): Promise<object> => (await take({ url })).expect(422).codes;
    receiver.answer(() => ({ status: 302, headers: { location: '/hook' } }));
    expect(await codes(receiver.url)).toEqual({ url: 'redirects' });
    receiver.answer(404);
    expect(await codes(receiver.url)).toEqual({ url: 'status' });
    receiver.answer(() => ({ status: 200, body: 'x'.repeat(600_000) }));
    expect(await codes(receiver.url)).toEqual({ url: 'too_large' });
    receiver.answer(() => ({ status: 302, headers: { location: 'http://169.254.169.254/latest/' } }));
    expect(await codes(receiver.url)).toEqual({ url: 'unreachable' });
    expect(await codes('ftp://calendar.example/x')).toEqual({ url: 'format' });
    expect(await codes('http://10.0.0.1/x')).toEqual({ url: 'unreachable' });
  });
});
