import { overlapFilter, throughView } from '../../platform/query/filters';
import { toldRows } from '../../platform/resource/read/sight';
import { defineResource, resourceIfAny } from '../../platform/resource/resource';
import { Contact, lastSeen } from './contact.entity';

export const contactResource = defineResource(Contact, {
  name: 'contacts',
  singular: 'contact',
  table: 'contacts',
  sort: {
    name: { column: 'name', type: 'text', nullable: true },
    email: { column: 'email', type: 'text' },
  },
  filter: ['email', 'company_id', 'status', 'mail_status', 'is_vip'],
  where: {
    tags: throughView(
      'contacts_search',
      overlapFilter((contact) => `string_to_array(${contact}.tags, ',')`, 'any'),
    ),
  },
  search: { view: 'contacts_search', over: ['email', 'name', 'phone', 'mobile', 'texts of custom_fields'] },
  expand: { company: { one: 'companies', by: 'company_id' } },
  sight: {
    columns: {
      last_seen_at: (sight, contact) => {
        const tickets = resourceIfAny('tickets');
        const told = tickets ? toldRows(tickets, 'o', sight) : null;
        if (told === null) return null;
        const theirs = `o.workspace_id = ${contact}.workspace_id AND o.contact_id = ${contact}.id`;
        return lastSeen(`tickets o WHERE ${theirs} AND ${told}`);
      },
    },
  },
  counters: [],
  notice: { path: '/contacts', title: ['name'] },
  fields: 'contacts_fields',
});
