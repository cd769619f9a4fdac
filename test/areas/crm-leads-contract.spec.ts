import { CreateLead, UpdateLead } from '../../src/areas/crm/leads/lead.dto';
import { leadResource } from '../../src/areas/crm/leads/lead.resource';
import { make, makeTicket, makeUser } from '../support/cast';
import { describeResource } from '../support/describe-resource';

const statuses = ['new', 'contacted', 'nurturing', 'qualified', 'unqualified', 'junk'];

describeResource({
  resource: leadResource,
  path: () => '/crm/leads',
  bodies: { create: CreateLead, update: UpdateLead },
  prepare: async (api) => ({
    owner: (await makeUser(api)).id,
    company: (await make(api, '/companies')).id,
    contact: (await make(api, '/contacts')).id,
    ticket: (await makeTicket(api)).id,
  }),
  create: (serial, made) => ({
    name: `Lead ${serial % 4} ${serial}`,
    email: serial % 3 ? `lead${serial % 5}@people.example` : null,
    phone: '+49 30 901820',
    company_name: serial % 2 ? `Firm ${serial}` : null,
    company_id: serial % 4 ? made.company : null,
    contact_id: serial % 3 ? made.contact : null,
    job_title: 'Buyer',
    website: 'https://firm.example',
    source: ['website', 'event', 'ticket'][serial % 3],
    status: statuses[serial % 6],
    lost_reason: serial % 6 > 3 ? 'No budget' : null,
    owner_id: serial % 2 ? made.owner : null,
    score: serial % 100,
    rating: ['cold', 'warm', 'hot', null][serial % 4],
    estimated_value: serial % 4 ? serial * 10.25 : null,
    currency: serial % 2 ? 'EUR' : 'USD',
    expected_close_date: '2027-03-31',
    industry: 'Retail',
    employee_count: 12,
    country: serial % 3 ? 'DE' : null,
    notes: 'Some\n**Markdown**',
    tags: serial % 2 ? ['fair', 'big'] : 'Small, fair',
    source_ticket_id: serial % 2 ? made.ticket : null,
    last_contacted_at: serial % 3 ? `2026-05-${String((serial % 28) + 1).padStart(2, '0')}T10:00:00.000Z` : null,
    utm: { source: 'newsletter', wave: serial },
  }),
  update: (serial, made) => ({
    name: `Renamed ${serial}`,
    email: `renamed${serial}@people.example`,
    company_id: made.company,
    contact_id: made.contact,
    owner_id: made.owner,
    source: 'partner',
    score: 7,
    rating: 'hot',
    estimated_value: 12.5,
    currency: 'CHF',
    country: 'AT',
    tags: 'a,b',
    source_ticket_id: made.ticket,
    utm: { source: 'fair' },
  }),
  required: ['name'],
  invalid: {
    name: ['', 7, 'x'.repeat(256)],
    email: ['x', 7],
    website: ['x', 'javascript:alert(1)'],
    source: ['rumour', null],
    status: ['lukewarm', 'converted', null],
    score: [-1, 101, 1.5, '50'],
    rating: ['boiling', 7],
    estimated_value: [-1, '12', 0.001, 1e12],
    currency: ['eur', 'XYZ', 'EURO', 7, null],
    expected_close_date: ['2027-02-29', 'soon', 20_270_101],
    employee_count: [-1, 1.5],
    country: ['de', 'Germany', 'ZZ'],
    owner_id: ['x', 0],
    utm: ['x', { a: { b: 1 } }, null],
    last_contacted_at: ['yesterday', '2026-01-01'],
  },
  filters: () => ({
    score_min: { text: '60', test: (row) => (row.score as number) >= 60 },
    converted: { text: 'true', test: (row) => row.converted_at !== null },
    tags: { text: 'BIG,zzz', test: (row) => String(row.tags).split(',').includes('big') },
  }),
  arrange: (sql, workspaceId) =>
    sql.rows(
      `UPDATE leads l SET status = 'converted', lost_reason = NULL, converted_at = now(), score = score % 7 * 15
       FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM leads WHERE workspace_id = $1) AS placed
       WHERE l.workspace_id = $1 AND l.id = placed.id AND n % 3 = 0`,
      [workspaceId],
    ),
});
