import fc from 'fast-check';
import { calendarFile, type CalendarMeeting } from '../../src/areas/meetings/invitations/calendar-file';
import { useApp } from '../support/app';
import { makeUser } from '../support/cast';
import { readCalendar } from '../support/meetings';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;
let host: number;

beforeAll(async () => {
  workspace = await makeWorkspace(server);
  host = (await makeUser(workspace.api, { name: 'Ines Ortega', email: 'ines@acme.example' })).id;
});

const book = async (body: Record<string, unknown>): Promise<number> =>
  (await workspace.api.post('/meetings', { starts_at: '2031-07-01T09:00:00Z', host_id: host, ...body })).expect(201)
    .data.id;

describe('the calendar file', () => {
  it('of a meeting is what another program reads out of it', async () => {
    const id = await book({
      title: 'Plan; review, \\ "talk" and\nmore ✓',
      description: `Line one\r\nLine two; ${'long '.repeat(60)}`,
      location: 'Room 4, 2nd floor',
      meeting_url: 'https://video.example/42',
      duration_minutes: 45,
      reminders: [60, 0],
      attendees: [
        { email: 'ada@people.example', name: 'Ada "the first"; Lovelace', response: 'accepted' },
        { email: 'bob@people.example', response: 'declined' },
      ],
    });
    const answer = (await workspace.api.get(`/meetings/${id}/ics`)).expect(200);
    expect(answer.header('content-type')).toBe('text/calendar; charset=utf-8; method=REQUEST');
    expect(answer.header('content-disposition')).toContain(`meeting-${id}.ics`);
    const { method, component, event } = readCalendar(answer.text);
    const meeting = (await workspace.api.get(`/meetings/${id}`)).data;
    expect(method).toBe('REQUEST');
    expect([event.uid, event.sequence, event.summary]).toEqual([
      meeting.ical_uid,
      0,
      'Plan; review, \\ "talk" and\nmore ✓',
    ]);
    expect(event.description).toBe(`Line one\nLine two; ${'long '.repeat(60)}`);
    expect(event.location).toBe('Room 4, 2nd floor');
    expect([event.startDate.toJSDate().toISOString(), event.endDate.toJSDate().toISOString()]).toEqual([
      meeting.starts_at,
      meeting.ends_at,
    ]);
    expect(component.getFirstPropertyValue('organizer')).toBe('mailto:ines@acme.example');
    const attendees = event.attendees.map((each) => [
      String(each.getFirstValue()).toLowerCase(),
      each.getParameter('partstat'),
      each.getParameter('cn'),
    ]);
    expect(attendees).toEqual([
      ['mailto:ada@people.example', 'ACCEPTED', 'Ada the first ; Lovelace'],
      ['mailto:bob@people.example', 'DECLINED', 'bob@people.example'],
    ]);
    const alarms = component
      .getAllSubcomponents('valarm')
      .map((alarm) => String(alarm.getFirstPropertyValue('trigger')));
    expect(alarms).toEqual(['-PT1H', 'PT0S']);
    expect(answer.text.endsWith('\r\n')).toBe(true);
    (await workspace.api.delete(`/meetings/${id}`)).expect(200);
    const gone = readCalendar((await workspace.api.get(`/meetings/${id}/ics`)).expect(200).text);
    expect([gone.method, gone.event.uid, gone.event.sequence, gone.component.getFirstPropertyValue('status')]).toEqual([
      'CANCEL', meeting.ical_uid, 1, 'CANCELLED',
    ]); // prettier-ignore
    expect((await workspace.api.get('/meetings/8999999999999/ics')).status).toBe(404);
  });

  it('survives any text: lines of at most 75 octets, nothing broken out of its place', () => {
    const meeting = (title: string, name: string, place: string): CalendarMeeting => ({
      title,
      description: place,
      location: place,
      meeting_url: null,
      starts_at: '2031-07-01T09:00:00.000Z',
      ends_at: '2031-07-01T10:00:00.000Z',
      status: 'scheduled',
      attendees: [{ email: 'ada@people.example', name, timezone: null, response: 'needs_action', no_show: false }],
      ical_uid: 'uid@x',
      ical_sequence: 2,
      reminders: [10],
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    });
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.constantFrom(
        'x\r\nBEGIN:VALARM',
        'END:VEVENT\r\nEND:VCALENDAR',
        '";X=1:mailto:evil@x',
        '\\n\\,\\;',
        '😀'.repeat(60),
      ),
    );
    fc.assert(
      fc.property(hostile, hostile, hostile, (title, name, place) => {
        const text = calendarFile(meeting(title, name, place), { name, email: 'ines@acme.example' }, 'REQUEST');
        for (const line of text.split('\r\n')) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
          expect(line).not.toMatch(/[\r\n]/);
        }
        const { event, component } = readCalendar(text);
        expect([event.uid, event.sequence, event.attendees.length, component.getAllSubcomponents().length]).toEqual([
          'uid@x',
          2,
          1,
          1,
        ]);
        expect(String(event.attendees[0]?.getFirstValue()).toLowerCase()).toBe('mailto:ada@people.example');
        const plain = title.toWellFormed().replaceAll(/\r\n?/g, '\n');
        if (!/[^\P{Cc}\n\t]/u.test(plain)) expect(event.summary).toBe(plain);
      }),
      { numRuns: 200 },
    );
  });
});
