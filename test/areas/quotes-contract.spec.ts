import { CreateQuote, UpdateQuote } from '../../src/areas/quotes/quote.dto';
import { quoteResource } from '../../src/areas/quotes/quote.resource';
import { describeResource } from '../support/describe-resource';

const day = (serial: number): string => String((serial % 27) + 1).padStart(2, '0');

describeResource({
  resource: quoteResource,
  path: () => '/quotes',
  bodies: { create: CreateQuote, update: UpdateQuote },
  prepare: async (api) => {
    const company = (await api.post('/companies', { name: 'Acme' })).expect(201).data.id;
    const contact = (await api.post('/contacts', { email: 'paul@acme.example' })).expect(201).data.id;
    const owner = (await api.post('/users', { name: 'Eve', email: 'eve@agents.example' })).expect(201).data.id;
    const ticket = (await api.post('/tickets', { subject: 'Printers' })).expect(201).data.id;
    const deal = (await api.post('/crm/deals', { title: 'Printers' })).expect(201).data.id;
    return { company, contact, owner, ticket, deal };
  },
  create: (serial, made) => ({
    title: `Offer ${serial % 5}`,
    currency: ['EUR', 'USD', 'JPY'][serial % 3],
    company_id: serial % 2 ? made.company : null,
    contact_id: serial % 3 ? made.contact : null,
    owner_id: serial % 4 ? made.owner : null,
    ticket_id: serial % 2 ? null : made.ticket,
    deal_id: serial % 3 ? null : made.deal,
    recipient_email: serial % 2 ? `to-${serial}@acme.example` : null,
    issue_date: `2035-01-${day(serial)}`,
    valid_until: `2035-02-${day(serial * 5)}`,
    discount: serial % 3 ? { type: 'percent', value: 10 } : null,
    items: Array.from({ length: serial % 4 }, (_, index) => ({
      name: `Item ${index}`,
      quantity: index + 1,
      unit_price: 10 * (serial % 11),
      tax_rate: 19,
    })),
  }),
  update: (serial, made) => ({
    title: `Changed ${serial}`,
    currency: 'EUR',
    company_id: made.company,
    contact_id: made.contact,
    owner_id: made.owner,
    recipient_email: `changed-${serial}@acme.example`,
    valid_until: '2036-01-31',
    discount: { type: 'amount', value: 1.5 },
    tax_mode: 'inclusive',
    terms: ` ${serial} days `,
  }),
  required: ['title', 'currency'],
  invalid: {
    title: ['', 7, null, 'x'.repeat(256)],
    currency: ['eur', 'EURO', 7, 'XYZ', 'AAA'],
    company_id: ['x', 0],
    recipient_email: ['nobody', 7],
    issue_date: ['2035-02-30', '1.1.2035', 20350101, '0000-01-01', '1899-12-31'],
    valid_until: ['2035-13-01', 'soon', '2034-12-31'],
    tax_mode: ['none', null, 1],
    discount: [
      7,
      [],
      {},
      { type: 'percent' },
      { type: 'percent', value: 101 },
      { type: 'percent', value: -1 },
      { type: 'percent', value: 1e-7 },
      { type: 'amount', value: '5' },
      { type: 'gift', value: 5 },
      { type: 'percent', value: 5, total: 1 },
    ],
    terms: [7, 'x'.repeat(10_001)],
    header: ['x'.repeat(2_001)],
    footer: ['x'.repeat(501)],
  },
  filters: (all) => {
    const middle = Number(all[6]?.total);
    return {
      valid_before: { text: '2035-02-15', test: (row) => String(row.valid_until) < '2035-02-15' },
      total_min: { text: String(middle + 1), test: (row) => Number(row.total) >= middle + 1 },
      total_max: { text: String(middle), test: (row) => Number(row.total) <= middle },
    };
  },
  arrange: (sql, workspaceId) =>
    sql.rows(
      `UPDATE quotes SET expires_at = now() + interval '1 day', status = (ARRAY['draft', 'sent', 'viewed', 'accepted', 'rejected', 'expired', 'cancelled'])[1 + id % 7]
       WHERE workspace_id = $1`,
      [workspaceId],
    ),
});
