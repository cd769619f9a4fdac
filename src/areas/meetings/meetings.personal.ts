import { ERASED, ERASED_ADDRESS, type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';
import { isRecord } from '../../platform/text/json';

export const meetingsPersonal: readonly PersonalTable[] = [
  {
    table: 'meeting_types',
    texts: [...RESOURCE_TEXTS, 'name', 'slug', 'description'],
    free: ['location_type', 'scheduling', 'schedule', 'color'],
  },
  {
    table: 'meetings',
    own: {
      object: 'meeting',
      of: ({ contact, emails }) => `(r.contact_id = ${contact} OR r.attendee_emails && ${emails})`,
    },
    texts: [
      ...RESOURCE_TEXTS,
      'title',
      'description',
      'attendees',
      'attendee_emails',
      'location',
      'meeting_url',
      'cancellation_reason',
      'internal_notes',
      'outcome_notes',
    ],
    free: ['timezone', 'status', 'location_type', 'ical_uid', 'reminders'],
    also: ['attendees', 'attendee_emails'],
    // Who came stays countable: an attendee keeps the place, the response and nothing else.
    rule: ({ values, mentions }) => {
      if (!Array.isArray(values.attendees)) return;
      values.attendees = values.attendees.map((guest: unknown) =>
        isRecord(guest) && mentions(guest.email)
          ? { ...guest, email: ERASED_ADDRESS, name: ERASED, timezone: null }
          : guest,
      );
    },
  },
];
