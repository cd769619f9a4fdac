import { CreateDeal, UpdateDeal } from '../../src/areas/crm/deals/deal.dto';
import { dealResource } from '../../src/areas/crm/deals/deal.resource';
import { make, makeTicket, makeUser } from '../support/cast';
import { describeResource } from '../support/describe-resource';

describeResource({
  resource: dealResource,
  path: () => '/crm/deals',
  bodies: { create: CreateDeal, update: UpdateDeal },
  prepare: async (api) => {
    const [sales] = (await api.get('/crm/pipelines')).expect(200).rows;
    const pipeline = (await api.post('/crm/pipelines', { name: 'Renewals' })).expect(201).data;
    const stages = pipeline.stages as { id: number }[];
    return {
      sales: sales?.id ?? 0,
      pipeline: pipeline.id,
      stage: stages[1]?.id ?? 0,
      owner: (await makeUser(api)).id,
      company: (await make(api, '/companies')).id,
      contact: (await make(api, '/contacts')).id,
      lead: (await api.post('/crm/leads', { name: 'Grace', phone: '1' })).expect(201).data.id,
      ticket: (await makeTicket(api)).id,
    };
  },
  create: (serial, made) => ({
    title: `Deal ${serial % 4} ${serial}`,
    value: serial * 10.25,
    currency: serial % 2 ? 'EUR' : 'USD',
    ...(serial % 3 ? { pipeline_id: serial % 2 ? made.sales : made.pipeline } : { stage_id: made.stage }),
    company_id: serial % 4 ? made.company : null,
    contact_id: serial % 3 ? made.contact : null,
    owner_id: serial % 2 ? made.owner : null,
    lead_id: serial % 2 ? made.lead : null,
    ticket_id: serial % 2 ? made.ticket : null,
    expected_close_date: serial % 3 ? `2027-01-${String((serial % 28) + 1).padStart(2, '0')}` : null,
    ...(serial % 5 ? {} : { probability: 33 }),
    next_step: serial % 2 ? 'Call' : null,
    priority: ['low', 'medium', 'high', null][serial % 4],
    source: serial % 2 ? 'event' : null,
    notes: 'Some\n**Markdown**',
    tags: serial % 2 ? ['seats', 'big'] : 'Small, seats',
  }),
  update: (serial, made) => ({
    title: `Renamed ${serial}`,
    value: 99.5,
    currency: 'CHF',
    stage_id: made.stage,
    probability: 60,
    company_id: made.company,
    contact_id: made.contact,
    owner_id: made.owner,
    lead_id: made.lead,
    ticket_id: made.ticket,
    priority: 'high',
    position: 2.5,
    tags: 'a,b',
  }),
  required: ['title'],
  invalid: {
    title: ['', 7, 'x'.repeat(256)],
    value: [-1, '12', 0.001, 1e12, null],
    currency: ['eur', 'XYZ', 7, null],
    pipeline_id: ['x', 0, null],
    stage_id: ['x', 0, null],
    status: ['paused', null],
    probability: [-1, 101, 1.5, '50', null],
    expected_close_date: ['2027-02-29', 'soon'],
    lost_reason: ['Too dear', 7],
    priority: ['urgent', 7],
    source: ['rumour'],
    position: ['x', 1e12],
  },
  filters: () => ({
    value_min: { text: '200.5', test: (row) => (row.value as number) >= 200.5 },
    value_max: { text: '200.5', test: (row) => (row.value as number) <= 200.5 },
    expected_close_after: {
      text: '2027-01-14',
      test: (row) => row.expected_close_date !== null && (row.expected_close_date as string) > '2027-01-14',
    },
    expected_close_before: {
      text: '2027-01-14',
      test: (row) => row.expected_close_date !== null && (row.expected_close_date as string) < '2027-01-14',
    },
    rotten: { text: 'true', test: (row) => row.is_rotten === true },
    tags: { text: 'BIG,zzz', test: (row) => String(row.tags).split(',').includes('big') },
  }),
  arrange: (sql, workspaceId) =>
    sql.rows(
      `UPDATE deals SET value = (id % 9) * 50.25, rots_at = CASE id % 3 WHEN 0 THEN now() - interval '1 day' WHEN 1 THEN now() + interval '1 day' END
       WHERE workspace_id = $1`,
      [workspaceId],
    ),
});
