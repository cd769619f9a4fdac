import { momentFilter, overlapFilter, throughView } from '../../platform/query/filters';
import { defineResource } from '../../platform/resource/resource';
import { Meeting } from './meeting.entity';

export const meetingResource = defineResource(Meeting, {
  name: 'meetings',
  singular: 'meeting',
  table: 'meetings',
  sort: {
    starts_at: { column: 'starts_at', type: 'timestamptz' },
    status: { column: 'status_rank', type: 'integer' },
  },
  defaultSort: 'starts_at',
  filter: ['host_id', 'status', 'type_id', 'ticket_id', 'company_id', 'contact_id', 'lead_id', 'deal_id'],
  where: {
    starts_after: momentFilter('starts_at', '>'),
    starts_before: momentFilter('starts_at', '<'),
    attendee_email: throughView(
      'meetings_search',
      overlapFilter((meeting) => `${meeting}.attendee_emails`, 'any'),
    ),
  },
  search: { view: 'meetings_search', over: ['title', 'location', 'texts of custom_fields'] },
  expand: {
    host: { one: 'users', by: 'host_id' },
    type: { one: 'meeting_types', by: 'type_id' },
    ticket: { one: 'tickets', by: 'ticket_id' },
    company: { one: 'companies', by: 'company_id' },
    contact: { one: 'contacts', by: 'contact_id' },
    lead: { one: 'leads', by: 'lead_id' },
    deal: { one: 'deals', by: 'deal_id' },
  },
  counters: ['status', 'host_id'],
  notice: { path: '/meetings', title: ['title'] },
  fields: 'meetings_fields',
});
