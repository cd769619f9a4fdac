import { rowsOf } from '../support/counted-rows';
import { migratedFrom, useMigrationApp, worked } from '../support/migrations';
import { type FakeService, useServiceServer } from '../support/old-desks/fake-service';
import { freshdeskServer } from '../support/old-desks/freshdesk-server';
import { hubspotServer } from '../support/old-desks/hubspot-server';
import { intercomServer } from '../support/old-desks/intercom-server';
import { jiraServer } from '../support/old-desks/jira-server';
import { TWO_FILES } from '../support/old-desks/old-desk';
import { zammadServer } from '../support/old-desks/zammad-server';
import { zendeskServer } from '../support/old-desks/zendesk-server';
import { makeWorkspace } from '../support/workspace';

const { server, sql } = useMigrationApp();
const old = useServiceServer();

const SERVICES: readonly FakeService[] = [
  zendeskServer,
  freshdeskServer,
  zammadServer,
  jiraServer,
  hubspotServer,
  intercomServer,
];

/** Where people read the ticket 101. */
const PAGES: Readonly<Record<string, string>> = {
  zendesk: '/agent/tickets/101',
  freshdesk: '/a/tickets/101',
  zammad: '/#ticket/zoom/101',
  jira: `/browse/${jiraServer.idOf?.(101) ?? ''}`,
};

describe.each(SERVICES.map((service) => [service.source, service] as const))('%s', (source, service) => {
  const { idOf = String, done: ended = 'resolved' } = service;

  it('comes in with its people, moments, comments and custom fields, then by what has changed, and goes without a trace', async () => {
    old.become(service);
    old.desk.files.push(...TWO_FILES);
    // Its files belong to the issue: comments name them.
    const [, , thanks] = old.desk.comments;
    if (thanks && source === 'jira') thanks.body += ' [^thanks.txt]';
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    (await api.patch('/workspace', { settings: { auto_close_days: 0 } })).expect(200);
    const before = await rowsOf(sql, workspace);
    const { id } = (await api.post('/migration/jobs', { source, connection: service.connection(old.base) })).expect(
      201,
    ).data;
    expect((await api.post(`/migration/jobs/${id}/test`)).expect(200).data).toMatchObject({
      status: 'success',
      error: null,
    });
    (await api.post(`/migration/jobs/${id}/validate`)).expect(200);
    const checked = await worked(server, workspace, id);
    expect(checked).toMatchObject({
      status: 'ready',
      since: null,
      mapping: { tickets: { fields: { subject: 'subject', 'Order number': 'custom_fields.order_number' } } },
      validation: { problems: [] },
    });
    expect(await rowsOf(sql, workspace)).toEqual(before);

    (await api.patch(`/migration/jobs/${id}`, { mode: 'import' })).expect(200);
    (await api.post(`/migration/jobs/${id}/start`)).expect(200);
    const done = await worked(server, workspace, id);
    expect(done).toMatchObject({ status: 'completed', progress: { failed: 0, pct: 100 } });
    const [jammed] = (
      await api.get(`/tickets?external_id=${idOf(101)}&expand=comments,category,contact,assignee,company`)
    ).rows;
    expect(jammed).toMatchObject({
      subject: 'Printer is jammed',
      status: ended,
      priority: 'high',
      created_at: '2019-03-01T08:00:00.000Z',
      resolved_at: '2019-03-02T10:00:00.000Z',
      custom_fields: { order_number: 'A-17' },
      contact: { name: 'Paul Weber', email: 'paul@acme.example' },
      assignee: { name: 'Ines Ortega' },
      comment_count: 3,
      reply_count: 1,
    });
    const records = (await api.get(`/migration/jobs/${id}/records?entity=tickets&external_id=${idOf(101)}`)).rows;
    const hubspot = source === 'hubspot' ? 'https://app.hubspot.com/contacts/1/record/0-5/101' : null;
    expect(records).toMatchObject([{ source_url: PAGES[source] ? `${old.base}${PAGES[source]}` : hubspot }]);
    expect(jammed?.description).toContain('It eats paper.');
    expect((await api.get(`/tickets/${jammed?.id}/comments`)).rows).toMatchObject([
      {
        body: 'We look into it.',
        attachments: [],
        author_type: 'agent',
        is_internal: false,
        created_at: '2019-03-01T09:00:00.000Z',
      },
      { body: 'Between us.', author_type: 'agent', is_internal: true },
      {
        body: expect.stringContaining('Thank you.') as string,
        attachments: [{ filename: 'thanks.txt', content_type: 'text/plain', size: 17 }],
        author_type: 'requester',
        author_email: 'paul@acme.example',
        created_at: '2019-03-02T09:00:00.000Z',
      },
    ]);
    const files = (await api.get(`/attachments?ticket_id=${jammed?.id}&sort=id`)).rows;
    const names = [...(service.ticketFiles === false ? [] : ['jam.txt']), 'thanks.txt'];
    expect(files.map(({ filename }) => filename).sort()).toEqual(names);
    const whole = (await api.get(`/attachments/${files.find(({ filename }) => filename === 'thanks.txt')?.id}/content`))
      .text;
    expect(whole).toBe('With kind regards');
    expect((await api.get(`/migration/jobs/${id}/report`)).data.entities).toContainEqual(
      expect.objectContaining({ entity: 'attachments', source: names.length, present: names.length, failures: [] }),
    );
    expect((await api.get(`/tickets?external_id=${idOf(103)}`)).rows).toMatchObject([
      { status: 'on_hold', assigned_to: null },
    ]);

    // Another job of the same source asks for what has changed since.
    const [ticket] = old.desk.tickets;
    if (!ticket) throw new Error('The desk has tickets.');
    const now = new Date(Date.now() + 60_000).toISOString();
    old.desk.tickets.push({ ...ticket, id: 104, subject: 'One more', created_at: now, updated_at: now });
    const after = (await api.get('/tickets')).meta.total;
    const second = await migratedFrom(server, workspace, { source, connection: service.connection(old.base) });
    expect(second).toMatchObject({ status: 'completed', progress: { failed: 0 } });
    expect(Object.keys(second.since as object)).toContain('tickets');
    expect((await api.get('/tickets')).meta.total).toBe(Number(after) + 1);

    for (const job of [second.id, id]) {
      (await api.post(`/migration/jobs/${job}/rollback`)).expect(200);
      expect(await worked(server, workspace, job)).toMatchObject({ last_error: null, status: 'rolled_back' });
    }
    expect(await rowsOf(sql, workspace)).toEqual(before);
  });
});

it('brings deals and leads of HubSpot: closed ones with their moments, contacts on their way by their stage', async () => {
  old.become(hubspotServer);
  const { api, ...workspace } = await makeWorkspace(server);
  const job = { source: 'hubspot', connection: hubspotServer.connection(old.base) };
  const done = await migratedFrom(server, { api, ...workspace }, job);
  expect(done).toMatchObject({
    status: 'completed',
    // Nobody knows this stage: the deal comes without it.
    validation: { problems: [], unmapped: [{ entity: 'deals', field: 'stage_id', value: 'Contract sent', count: 1 }] },
  });
  expect((await api.get('/crm/deals?sort=id&expand=stage,owner,company,contact')).rows).toMatchObject([
    {
      ...{ external_id: '801', title: 'Fifty seats', value: 12_000.5, currency: 'USD', status: 'won' },
      ...{ won_at: '2019-05-01T00:00:00.000Z', created_at: '2019-04-01T08:00:00.000Z', expected_close_date: null },
      ...{ owner: { name: 'Ines Ortega' }, company: { name: 'Acme' }, contact: { name: 'Paul Weber' } },
    },
    { status: 'lost', lost_reason: 'Price', value: 0, stage: { name: 'Lost' } },
    {
      ...{ status: 'open', stage: { name: 'Qualification' }, expected_close_date: '2019-05-01' },
      custom_fields: { region: 'North' },
    },
  ]);
  expect((await api.get('/crm/leads?sort=name&expand=contact,company,owner')).rows).toMatchObject([
    {
      ...{ name: 'Paul Weber', status: 'unqualified', company_name: 'Acme', owner: { name: 'Ines Ortega' } },
      ...{ contact: { email: 'paul@acme.example' }, company: { name: 'Acme' } },
    },
    { name: 'Tom Reed', email: 'tom@globex.example', status: 'qualified', source: 'ads', owner: null },
  ]);
  const again = await migratedFrom(server, { api, ...workspace }, { ...job, options: { updated_since: null } });
  expect(again.progress).toMatchObject({ created: 0, updated: 0, failed: 0 });
});

it('brings assets of Zendesk to the agents and customers who have them; accounts without them go without', async () => {
  old.become(zendeskServer);
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const job = { source: 'zendesk', connection: zendeskServer.connection(old.base) };
  const done = await migratedFrom(server, workspace, {
    ...job,
    entities: ['companies', 'users', 'contacts', 'assets'],
  });
  expect(done).toMatchObject({ status: 'completed', validation: { problems: [] } });
  expect((await api.get('/assets?sort=name&expand=assignee,contact,company')).rows).toMatchObject([
    {
      ...{ name: 'Beamer', type: 'other', status: 'in_stock', purchase_cost: 99.5 },
      custom_fields: { room: 3, zendesk_status: 'Quarantine', zendesk_type: 'Beamer' },
    },
    { name: 'Laptop of Ines', assignee: { name: 'Ines Ortega' }, contact: null, serial_number: 'SN-2', type: 'laptop' },
    {
      ...{ external_id: 'A1', contact: { name: 'Paul Weber' }, assignee: null, company: { name: 'Acme' } },
      ...{ status: 'in_use', type: 'laptop', created_at: '2019-02-01T08:00:00.000Z' },
    },
  ]);
  const other = await makeWorkspace(server);
  const plain = { ...zendeskServer, answer: without(zendeskServer, '/api/v2/it_asset_management/assets') };
  old.become(plain);
  const less = await migratedFrom(server, other, { ...job, entities: ['companies', 'assets'] });
  expect(less.validation).toMatchObject({ problems: [{ entity: 'assets', code: 'unsupported' }] });
  expect((await other.api.get('/companies')).meta.total).toBe(3);
});

/** The same service without one of its paths. */
function without(service: FakeService, path: string): FakeService['answer'] {
  return (asked, desk) => (asked.path === path ? undefined : service.answer(asked, desk));
}
