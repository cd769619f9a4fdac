import { CreateContact, UpdateContact } from '../../src/areas/contacts/contact.dto';
import { contactResource } from '../../src/areas/contacts/contact.resource';
import { describeResource } from '../support/describe-resource';

describeResource({
  resource: contactResource,
  path: () => '/contacts',
  bodies: { create: CreateContact, update: UpdateContact },
  prepare: async (api) => ({
    acme: (await api.post('/companies', { name: 'Acme' })).expect(201).data.id,
    other: (await api.post('/companies', { name: 'Other' })).expect(201).data.id,
  }),
  create: (serial, made) => ({
    email: `paul${serial}@example.com`,
    name: serial % 3 ? `Paul ${serial % 5}` : null,
    phone: serial % 2 ? `+49 ${serial}` : null,
    mobile: '+49 170 1',
    job_title: 'Head of IT',
    company_id: [made.acme, made.other, null][serial % 3],
    language: 'de',
    timezone: 'Europe/Berlin',
    is_vip: serial % 2 === 0,
    status: serial % 4 ? 'active' : 'blocked',
    notes: 'x',
    tags: serial % 2 ? 'beta,vip' : '',
  }),
  update: (serial, made) => ({
    email: `renamed${serial}@example.com`,
    name: 'Renamed',
    company_id: made.other,
    is_vip: true,
    status: 'blocked',
    mail_status: 'bounced',
    tags: 'x',
  }),
  required: ['email'],
  invalid: {
    email: ['', 'x', 7, 'a@b@c.example'],
    name: [7, 'x'.repeat(256)],
    company_id: ['x', 0],
    language: ['not a language', 7],
    timezone: ['Mars/Base', 7],
    is_vip: ['yes'],
    status: ['gone'],
    tags: [7],
  },
  filters: () => ({ tags: { text: 'vip', test: (row) => String(row.tags).split(',').includes('vip') } }),
});
