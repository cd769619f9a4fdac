import type { Fields } from '../support/api';
import { make, makeUser } from '../support/cast';
import { rowsOf } from '../support/counted-rows';
import { eventsOf } from '../support/event-log';
import { migratedRows, takenBack, useMigrationApp, worked } from '../support/migrations';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const { server, sql } = useMigrationApp();
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

const run = (rows: object, more?: object): Promise<Fields> => migratedRows(server, workspace, rows, more);
const back = (job: Fields): Promise<void> => takenBack(server, workspace, job);
const deals = async (): Promise<Fields[]> =>
  (await workspace.api.get('/crm/deals?per_page=50&sort=id&expand=stage,pipeline,company,contact,lead,owner')).rows;
const failuresOf = async (job: Fields): Promise<object> =>
  Object.fromEntries<unknown>(
    (await workspace.api.get(`/migration/jobs/${job.id}/records?status=failed&limit=50`)).rows.map(
      ({ external_id, error }) => [String(external_id), (error as Fields).field],
    ),
  );

const ROWS = {
  companies: [{ id: 1, name: 'Acme' }],
  contacts: [{ id: 5, email: 'ada@acme.example', name: 'Ada' }],
  leads: [
    {
      ...{
        id: 'l1',
        'Full name': 'Ada Lovelace',
        email: 'ada@acme.example',
        company: 'Acme',
        'Lead status': 'Customer',
      },
      ...{ owner: 'eve@acme.example', created: '2019-01-01T00:00:00Z', updated: '2019-02-01T00:00:00Z', contact: 5 },
      ...{ website: 'www.acme.example', value: '12.000,00', 'Lead source': 'Messe', floor: 3 },
    },
    { id: 'l2', 'Full name': 'Grace', phone: '1', 'Lead status': 'disqualified', currency: 'jpy', value: 100 },
    {
      id: 'l3',
      'Full name': 'Mary',
      email: 'mary@acme.example',
      'Lead status': 'Attempted to contact',
      reason: 'late',
    },
  ],
  deals: [
    {
      ...{ id: 'd1', 'Deal name': 'Fifty seats', amount: '12000', pipeline: 'sales', stage: 'Closed Won', lead: 'l1' },
      ...{ company: 1, person: 'ada@acme.example', owner: 'eve@acme.example', closed: '2019-06-01T00:00:00Z' },
      ...{ created: '2019-02-01T00:00:00Z', updated: '2019-07-01T00:00:00Z', floor: 3, probability: 80 },
    },
    {
      id: 'd2',
      'Deal name': 'Lost one',
      amount: 5,
      stage: 'Negotiation',
      state: 'verloren',
      updated: '2019-05-01T00:00:00Z',
    },
    { id: 'd3', 'Deal name': 'Open one', amount: 7, stage: 'demo', probability: 33, created: '2019-04-01T00:00:00Z' },
    { id: 'd4', 'Deal name': 'Renewal', amount: 7, pipeline: 'Renewals', stage: 'Demo', currency: 'usd' },
  ],
};

async function renewals(): Promise<Fields> {
  const stages = [
    { name: 'Demo', rotten_days: 14 },
    { name: 'Signed', type: 'won' },
  ];
  return make(workspace.api, '/crm/pipelines', { name: 'Renewals', stages });
}

describe('leads and deals of another system', () => {
  it('come in with stages by name, moments, owners and what they became, and leave no trace', async () => {
    const { api } = workspace;
    const eve = await makeUser(api, { email: 'eve@acme.example', role: 'agent' });
    (await api.patch(`/users/${eve.id}`, { status: 'deactivated' })).expect(200);
    const pipeline = await renewals();
    const before = await rowsOf(sql, workspace);
    const job = await run(ROWS);
    expect(await failuresOf(job)).toEqual({});
    expect(job).toMatchObject({
      status: 'completed',
      progress: { created: 9, failed: 0 },
      validation: { problems: [] },
    });
    const [won, lost, open, renewal] = await deals();
    expect(won).toMatchObject({
      ...{
        title: 'Fifty seats',
        value: 12_000,
        currency: 'EUR',
        status: 'won',
        probability: 100,
        stage: { name: 'Won' },
      },
      ...{ closed_at: '2019-06-01T00:00:00.000Z', won_at: '2019-06-01T00:00:00.000Z', lost_at: null },
      ...{ first_won_at: '2019-06-01T00:00:00.000Z', stage_changed_at: '2019-06-01T00:00:00.000Z' },
      ...{ created_at: '2019-02-01T00:00:00.000Z', updated_at: '2019-07-01T00:00:00.000Z', owner: { id: eve.id } },
      ...{ company: { name: 'Acme' }, contact: { name: 'Ada' }, custom_fields: { floor: 3 } },
    });
    expect(won?.lead).toMatchObject({ name: 'Ada Lovelace', status: 'converted', converted_deal_id: won?.id });
    expect(lost).toMatchObject({
      status: 'lost',
      lost_at: '2019-05-01T00:00:00.000Z',
      stage: { name: 'Lost' },
      owner_id: null,
    });
    expect(open).toMatchObject({ status: 'open', probability: 33, weighted_value: 2.31, stage: { name: 'Demo' } });
    expect(open).toMatchObject({ stage_changed_at: '2019-04-01T00:00:00.000Z', pipeline: { name: 'Sales' } });
    expect(renewal).toMatchObject({ pipeline_id: pipeline.id, currency: 'USD', stage: { name: 'Demo' } });
    expect((await api.get(`/crm/deals/${won?.id}/history`)).rows).toMatchObject([
      { to_stage_name: 'Won', created_at: '2019-06-01T00:00:00.000Z', left_at: null },
    ]);
    // It was lost out of the stage that it says, and returns to that.
    expect((await api.patch(`/crm/deals/${lost?.id}`, { status: 'open' })).expect(200).data.stage_id).toBe(
      (await api.get('/crm/stages?pipeline_id=' + String(open?.pipeline_id))).rows.find(
        ({ name }) => name === 'Negotiation',
      )?.id,
    );
    const leads = (await api.get('/crm/leads?sort=id')).rows;
    expect(leads).toMatchObject([
      {
        ...{ status: 'converted', converted_at: '2019-02-01T00:00:00.000Z', source: 'event', estimated_value: 12_000 },
        ...{ website: 'https://www.acme.example', owner_id: eve.id, created_at: '2019-01-01T00:00:00.000Z' },
      },
      {
        status: 'unqualified',
        lost_reason: expect.any(String) as string,
        currency: 'JPY',
        source: 'import',
        owner_id: null,
      },
      { status: 'contacted', lost_reason: null, converted_at: null },
    ]);
    expect(await eventsOf(server, workspace, 'deal', Number(won?.id))).toEqual([]);
    expect(await eventsOf(server, workspace, 'lead', Number(leads[0]?.id))).toEqual([]);

    (await api.delete(`/crm/deals/${lost?.id}`)).expect(200);
    const after = await rowsOf(sql, workspace);
    expect((await run({ ...ROWS, deals: ROWS.deals.filter(({ id }) => id !== 'd2') })).progress).toMatchObject({
      ...{ created: 0, skipped: 8, failed: 0 },
    });
    expect(await rowsOf(sql, workspace)).toEqual(after);
    await back(job);
    expect(await rowsOf(sql, workspace)).toEqual(before);
    expect((await api.get('/crm/pipelines')).rows.map(({ open_deal_count }) => open_deal_count)).toEqual([0, 0]);
  });

  it('show stages that nobody knows before anything is written; a mapping mends them', async () => {
    const { api } = workspace;
    await renewals();
    const rows = {
      deals: [
        { id: 1, title: 'A', pipeline: 'Sales', stage: 'Angebot' },
        { id: 2, title: 'B', pipeline: 'Renewals', stage: 'Proposal' },
        { id: 3, title: 'C', pipeline: 'Partners', stage: 'Demo' },
        { id: 4, title: 'D', stage: 'signed' },
        { id: 5, title: 'E', state: 'gewonnen' },
        { id: 6, title: 'F', amount: '0,001' },
      ],
    };
    const { id } = (await api.post('/migration/jobs', { source: 'json', mode: 'import', rows })).expect(201).data;
    (await api.post(`/migration/jobs/${id}/validate`)).expect(200);
    const looked = await worked(server, workspace, id);
    const unmapped = (looked.validation as { unmapped: Fields[] }).unmapped.map(({ field, value }) => [field, value]);
    expect(unmapped).toEqual([
      ['stage_id', 'Angebot'],
      ['stage_id', 'Proposal'],
      ['pipeline_id', 'Partners'],
    ]);
    expect((await api.get('/crm/deals')).meta.total).toBe(0);
    const mapping = looked.mapping as { deals: { values?: object } };
    const values = { stage_id: { Angebot: 'Proposal' }, pipeline_id: { Partners: 'Sales' } };
    mapping.deals.values = { ...mapping.deals.values, ...values };
    (await api.patch(`/migration/jobs/${id}`, { mapping })).expect(200);
    (await api.post(`/migration/jobs/${id}/validate`)).expect(200);
    await worked(server, workspace, id);
    (await api.post(`/migration/jobs/${id}/start`)).expect(200);
    const done = await worked(server, workspace, id);
    expect(await failuresOf(done)).toEqual({ 2: 'stage_id', 6: 'value' });
    expect((await deals()).map(({ title, stage }) => [title, (stage as Fields).name])).toEqual([
      ['A', 'Proposal'],
      ['C', 'Demo'],
      ['D', 'Signed'],
      ['E', 'Won'],
    ]);
  });

  it('are brought up to date whichever way they went, and go back with their history', async () => {
    const { api } = workspace;
    const first = { leads: [{ id: 'l', name: 'L', phone: '1', status: 'qualified' }] };
    const open = { id: 1, title: 'A', stage: 'Demo', amount: 5, updated: '2020-01-01T00:00:00Z' };
    const lost = { id: 2, title: 'B', status: 'lost', reason: 'Price', updated: '2020-01-01T00:00:00Z' };
    const job = await run({ ...first, deals: [open, lost, { id: 3, title: 'C', stage: 'Demo', amount: 5 }] });
    const [, , third] = await deals();
    (await api.patch(`/crm/deals/${third?.id}`, { value: 9 })).expect(200);
    const update = { options: { on_duplicate: 'update' } };
    const anew = {
      leads: [{ id: 'l', name: 'L', phone: '1', status: 'contacted' }],
      deals: [
        { ...open, stage: 'Won', won: '2021-03-01T00:00:00Z', updated: '2021-04-01T00:00:00Z' },
        { ...lost, status: 'won', reason: '', updated: '2021-04-01T00:00:00Z' },
        { id: 3, title: 'C', stage: 'Proposal', amount: 6 },
      ],
    };
    const mapping = { deals: { fields: { won: 'won_at' } } };
    const later = await run(anew, { ...update, mapping });
    expect(await failuresOf(later)).toEqual({});
    expect(later.progress).toMatchObject({ updated: 4, failed: 0 });
    const [one, two, three] = await deals();
    expect(one).toMatchObject({
      status: 'won',
      won_at: '2021-03-01T00:00:00.000Z',
      updated_at: '2021-04-01T00:00:00.000Z',
    });
    expect(two).toMatchObject({ status: 'won', lost_at: null, lost_reason: null, won_at: '2021-04-01T00:00:00.000Z' });
    expect(three).toMatchObject({ value: 9, stage: { name: 'Proposal' }, probability: 50 });
    expect((await api.get('/crm/leads')).rows).toMatchObject([{ status: 'contacted' }]);
    expect((await api.get(`/crm/deals/${one?.id}/history`)).rows).toHaveLength(2);
    expect((await run(anew, { ...update, mapping })).progress).toMatchObject({ updated: 0 });
    await back(later);
    expect(
      (await deals()).map(({ status, stage, probability, lost_reason }) => [
        status,
        (stage as Fields).name,
        probability,
        lost_reason,
      ]),
    ).toEqual([
      ['open', 'Demo', 25, null],
      ['lost', 'Lost', 0, 'Price'],
      ['open', 'Demo', 25, null],
    ]);
    expect((await api.get('/crm/leads')).rows).toMatchObject([{ status: 'qualified' }]);
    await back(job);
    expect((await deals()).map(({ title }) => title)).toEqual(['C']);
    expect((await api.get('/crm/leads')).meta.total).toBe(0);
  });

  it('never come near those of others, and cost themselves alone', async () => {
    const other = await makeWorkspace(server);
    const [theirs] = (await other.api.get('/crm/pipelines')).rows;
    const idle = await make(workspace.api, '/crm/pipelines', { name: 'Idle', is_active: false });
    const [sales] = (await workspace.api.get('/crm/pipelines')).rows;
    const [stage] = (await workspace.api.get(`/crm/stages?pipeline_id=${sales?.id}`)).rows;
    const job = await run(
      {
        leads: [
          { id: 1, name: 'Nobody' },
          { id: 2, name: 'Kind', phone: '1', status: 'whatever' },
          { id: 3, name: 'Land', phone: '1', country: 'Atlantis' },
          { id: 4, name: 'Score', phone: '1', score: 101 },
        ],
        deals: [
          { id: 1, title: 'Theirs', pipeline: theirs?.id },
          { id: 2, title: 'Idle', pipeline: 'Idle' },
          { id: 3, title: 'Chance', probability: 101 },
          { id: 4, title: 'Money', amount: -1 },
          { id: 5, title: 'Huge', amount: 9e15 },
          { id: 6, title: 'Owner', owner: 'nobody@acme.example' },
          { id: 7 },
          { id: 8, title: 'Fine' },
        ],
      },
      { mapping: { deals: { values: { stage_id: { x: stage?.id } } } } },
    );
    expect(await failuresOf(job)).toEqual({
      ...{ 1: 'pipeline_id', 2: 'pipeline_id', 3: 'probability', 4: 'value', 5: 'value', 6: 'owner_id', 7: 'title' },
    });
    const leadFailures = (await workspace.api.get(`/migration/jobs/${job.id}/records?status=failed&entity=leads`)).meta;
    expect(leadFailures.total).toBe(4);
    expect((await deals()).map(({ title }) => title)).toEqual(['Fine']);
    expect((await other.api.get('/crm/deals')).meta.total).toBe(0);
    expect(idle.is_active).toBe(false);
  });
});
