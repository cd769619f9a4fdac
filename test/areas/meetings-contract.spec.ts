import { CreateMeeting, UpdateMeeting } from '../../src/areas/meetings/meeting.dto';
import { meetingResource } from '../../src/areas/meetings/meeting.resource';
import { make, makeTicket, makeUser } from '../support/cast';
import { describeResource } from '../support/describe-resource';

const at = (serial: number): string => new Date(Date.UTC(2031, 0, 1) + serial * 7_200_000).toISOString();
const emailsOf = (attendees: unknown): string[] => (attendees as { email: string }[]).map(({ email }) => email);

describeResource({
  resource: meetingResource,
  path: () => '/meetings',
  bodies: { create: CreateMeeting, update: UpdateMeeting },
  prepare: async (api) => ({
    ines: (await makeUser(api, { timezone: 'Europe/Berlin' })).id,
    bob: (await makeUser(api)).id,
    ticket: (await makeTicket(api)).id,
    company: (await make(api, '/companies')).id,
    contact: (await make(api, '/contacts')).id,
    lead: (await api.post('/crm/leads', { name: 'Weber', company_name: 'Acme' })).expect(201).data.id,
    deal: (await api.post('/crm/deals', { title: 'Fleet' })).expect(201).data.id,
  }),
  create: (serial, made) => ({
    title: `Call ${serial % 7} ${serial}`,
    description: serial % 2 ? `About ${serial}` : null,
    starts_at: at(serial),
    duration_minutes: 10 + (serial % 50),
    timezone: serial % 2 ? 'Europe/Rome' : 'America/New_York',
    status: serial % 3 ? 'scheduled' : 'pending',
    host_id: serial % 2 ? made.ines : made.bob,
    attendees: serial % 3 ? [{ email: `guest${serial % 4}@people.example`, name: 'Guest' }] : [],
    location_type: serial % 2 ? 'phone' : 'in_person',
    location: serial % 2 ? `Room ${serial}` : null,
    meeting_url: serial % 2 ? 'https://video.example/42' : null,
    ticket_id: serial % 2 ? made.ticket : null,
    company_id: serial % 3 ? made.company : null,
    contact_id: serial % 4 ? made.contact : null,
    lead_id: serial % 2 ? made.lead : null,
    deal_id: serial % 3 ? null : made.deal,
    reminders: serial % 2 ? [30] : [],
  }),
  update: (serial, made) => ({
    title: `Renamed ${serial}`,
    description: 'Other',
    timezone: 'Asia/Kolkata',
    attendees: [
      { email: 'eve@people.example', name: null, timezone: 'Asia/Tokyo', response: 'accepted', no_show: false },
    ],
    location_type: 'custom',
    location: 'There',
    meeting_url: 'http://video.example/7',
    ticket_id: made.ticket,
    company_id: made.company,
    contact_id: made.contact,
    lead_id: made.lead,
    deal_id: made.deal,
    internal_notes: 'Bring cake',
    outcome_notes: 'Good',
    reminders: [5, 15],
  }),
  required: ['starts_at'],
  invalid: {
    title: ['', 7, 'x'.repeat(256)],
    description: [7],
    starts_at: ['tomorrow', 7, '2031-02-30T09:00:00Z', '2031-02-03T09:00:00', '9999-12-31T23:59:00Z'],
    ends_at: ['later', '2001-01-01T00:00:00Z', '2031-01-03T00:00:30Z', '2099-01-01T00:00:00Z'],
    duration_minutes: [0, 1_441, '30', 1.5],
    timezone: ['Mars/Olympus', '+02:00', 7],
    status: ['done', 'completed', 'no_show', 7],
    host_id: ['x', 0],
    attendees: [
      7,
      [{}],
      [{ email: 'x' }],
      [{ email: 'a@b.example', response: 'maybe' }],
      [{ email: 'a@b.example', timezone: 'Mars' }],
      [{ email: 'a@b.example', extra: 1 }],
      [{ email: 'a@b.example' }, { email: 'A@B.example' }],
      Array.from({ length: 101 }, (_, index) => ({ email: `a${index}@b.example` })),
    ],
    location_type: ['moon'],
    location: [7, 'x'.repeat(501)],
    meeting_url: ['x', 'ftp://a.example', 7],
    ticket_id: ['x', 0],
    cancellation_reason: [7],
    reminders: [7, [-1], [1.5], [60, 60], [43_201], ['60'], Array.from({ length: 11 }, (_, index) => index)],
  },
  filters: (all) => {
    const bound = all[9]?.starts_at as string;
    return {
      starts_after: { text: bound, test: (row) => (row.starts_at as string) > bound },
      starts_before: { text: bound, test: (row) => (row.starts_at as string) < bound },
      attendee_email: {
        text: 'Guest1@people.example',
        test: (row) => emailsOf(row.attendees).includes('guest1@people.example'),
      },
    };
  },
  arrange: (sql, workspaceId) =>
    sql.rows(`UPDATE meetings SET status = 'cancelled' WHERE workspace_id = $1 AND id % 5 = 0`, [workspaceId]),
  events: { deleted: 'meeting.cancelled' },
  afterDelete: { status: 'cancelled' },
});
