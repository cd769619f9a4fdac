import { CreateMeetings1763800500000 } from '../../../migrations/1763800500000-create-meetings';
import { LinkAreas1763800900000 } from '../../../migrations/1763800900000-link-areas';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { changesOf } from '../../platform/events/event-domain';
import { InvitationConsumer } from './invitations/invitation-consumer';
import { MeetingDuties } from './leaving/meeting-duties';
import { MeetingHandovers } from './leaving/meeting-handovers';
import { meetingResource } from './meeting.resource';
import { MEETING_MAILS } from './invitations/meeting-mails';
import { MeetingsModule } from './meetings.module';
import { meetingTypeResource } from './types/meeting-type.resource';
import { meetingsPersonal } from './meetings.personal';

/** Appointments: types, free slots, bookings and invitations. */
export const meetingsArea = defineArea({
  name: 'meetings',
  module: MeetingsModule,
  resources: [meetingResource, meetingTypeResource],
  migrations: [CreateMeetings1763800500000, LinkAreas1763800900000],
  permissions: [
    ...usualPermissions('meetings', 'meetings and their types', {
      read: 'light_agent',
      create: 'agent',
      update: 'agent',
      delete: 'agent',
    }),
    { name: 'meetings.configure', description: 'Add, change and delete types of meetings.', from: 'admin' },
    { name: 'meetings.force', description: 'Book a time that is not free.', from: 'admin' },
  ],
  mails: Object.values(MEETING_MAILS),
  personal: meetingsPersonal,
  events: {
    domain: 'meeting',
    label: 'Meetings',
    events: {
      'meeting.created': 'A meeting was booked.',
      'meeting.updated': 'A meeting was changed; `changes` names the fields.',
      'meeting.rescheduled': 'A meeting was moved to another time.',
      'meeting.confirmed': 'A requested meeting was confirmed.',
      'meeting.rejected': 'A requested meeting was declined.',
      'meeting.cancelled': 'A meeting was cancelled.',
      'meeting.completed': 'A meeting took place.',
      'meeting.no_show': 'Nobody came to a meeting.',
      'meeting.reminder_due': 'A meeting begins soon; `data.reminder` says in how many minutes.',
      ...changesOf('meeting_type', 'A type of meeting'),
    },
    beside: { 'meeting.reminder_due': { reminder: { minutes: 15, due_at: '2026-10-20T08:00:00.000Z' } } },
  },
  triggers: ['meeting.created'],
  consumers: [InvitationConsumer, MeetingHandovers],
  duties: [MeetingDuties],
  stats: [{ resource: meetingResource, place: 60, example: 18 }],
  tags: [
    {
      name: 'Meetings',
      place: 130,
      description: 'Appointments with requesters: types, free slots, bookings and invitations.',
    },
  ],
  examples: {
    'meetings.cancel': { id: 3 },
    'meetings.confirm': { id: 2 },
    'meetings.delete': { id: 3 },
    'meetings.reject': { id: 2 },
    'meetings.update': { id: 3 },
  },
});
