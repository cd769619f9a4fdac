import { ExportWriter } from '../../src/areas/exports/export-writer';
import { Database } from '../../src/platform/database/database';
import type { Fields } from '../support/api';
import { make, makeTicket, makeUser } from '../support/cast';
import { rowsOf } from '../support/counted-rows';
import { sent, useMigrationApp, worked } from '../support/migrations';
import { opened, restOf } from '../support/tables';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const { server, sql } = useMigrationApp();
const SYSTEM = { type: 'system', id: null, name: 'system' } as const;

/** Everything of a workspace, brought into another one; the dry run has nothing to say. */
async function broughtOver(from: TestWorkspace, to: TestWorkspace): Promise<Fields> {
  const { id: exported } = (await from.api.post('/exports', {})).expect(201).data;
  await server.app.get(Database).inWorkspace(from.id, SYSTEM, async () => {
    const writer = server.app.get(ExportWriter);
    await writer.begin(exported);
    while (await writer.piece(exported));
  });
  const archive = await restOf(await opened(`${server.url}/v1/exports/${exported}/download`, from.token));
  const { id } = (await to.api.post('/migration/jobs', { source: 'archive', mode: 'import' })).expect(201).data;
  await sent(to, id, 'tickets', archive, 'application/gzip');
  (await to.api.post(`/migration/jobs/${id}/validate`)).expect(200);
  expect((await worked(server, to, id)).validation).toMatchObject({ problems: [], unmapped: [] });
  (await to.api.post(`/migration/jobs/${id}/start`)).expect(200);
  return worked(server, to, id);
}
const failuresOf = async ({ api }: TestWorkspace, { id }: Fields): Promise<Fields[]> =>
  (await api.get(`/migration/jobs/${id}/records?status=failed`)).rows;

describe('an export of this service', () => {
  it('comes in elsewhere, with whom and what its records name', async () => {
    const [from, to] = [await makeWorkspace(server), await makeWorkspace(server)];
    const company = await make(from.api, '/companies', { name: 'Acme', address: { city: 'Lisbon' } });
    const category = await make(from.api, '/categories', { name: 'Printers' });
    const agent = await makeUser(from.api, { email: 'ines@acme.example' });
    const ticket = await makeTicket(from.api, {
      subject: 'Jam',
      requester_email: 'ada@acme.example',
      ...{ company_id: company.id, category_id: category.id, assigned_to: agent.id, custom_fields: { floor: 3 } },
    });
    const upload = async (text: string): Promise<number> =>
      (await from.api.post('/attachments', Buffer.from(text), { 'content-type': 'text/plain' })).expect(201).data.id;
    const attachment_ids = [await upload('of the comment')];
    (await from.api.post(`/tickets/${ticket.id}/comments`, { body: 'We look', attachment_ids })).expect(201);
    (await from.api.patch(`/tickets/${ticket.id}`, { attachment_ids: [await upload('of the ticket')] })).expect(200);
    await upload('of nobody');
    const done = await broughtOver(from, to);
    expect(done).toMatchObject({ status: 'completed', progress: { created: 8, failed: 0 } });
    const [here] = (await to.api.get('/tickets?expand=company,category,assignee,comments')).rows;
    expect(here).toMatchObject({
      external_id: String(ticket.id),
      created_at: ticket.created_at,
      custom_fields: { floor: 3 },
      company: { name: 'Acme', address: { city: 'Lisbon' } },
      category: { name: 'Printers' },
      assignee: { email: 'ines@acme.example' },
      comments: [{ body: 'We look', attachments: [{ size: 14 }] }],
    });
    const files = (await to.api.get(`/attachments?ticket_id=${here?.id}&sort=id`)).rows;
    const texts = await Promise.all(
      files.map(async (file) => (await to.api.get(`/attachments/${file.id}/content`)).text),
    );
    expect(texts.sort()).toEqual(['of the comment', 'of the ticket']);
    expect((await to.api.get(`/migration/jobs/${done.id}`)).data.files).not.toContainEqual(
      expect.objectContaining({ entity: expect.stringContaining('files/') as string }),
    );
    expect(Object.keys(here?.custom_fields as object)).toEqual(['floor']);
  });

  it('brings articles, assets, leads and deals to where they were, by the names of what does not come, and goes without a trace', async () => {
    const [from, to] = [await makeWorkspace(server), await makeWorkspace(server)];
    const { api } = from;
    const made = async (path: string, body: object): Promise<Fields> => (await api.post(path, body)).expect(201).data;
    const stages = [{ name: 'Talk' }, { name: 'Signed', type: 'won' }];
    const renewals = await make(api, '/crm/pipelines', { name: 'Renewals', stages });
    const company = await make(api, '/companies', { name: 'Acme' });
    const contact = await make(api, '/contacts', { email: 'ada@acme.example', name: 'Ada' });
    const team = await make(api, '/teams', { name: 'Second line' });
    const ticket = await makeTicket(api, { subject: 'Jam', requester_email: 'ada@acme.example', team_id: team.id });
    const shelf = await make(api, '/kb/categories', { name: 'Hardware' });
    const text = { body: 'Open the zebratray.', category_id: shelf.id, source_ticket_id: ticket.id };
    const article = await made('/kb/articles', {
      title: 'Jams',
      ...text,
      status: 'published',
      visibility: 'public',
    });
    const picture = Buffer.from('how it looks');
    const file = (await api.post('/attachments', picture, { 'content-type': 'text/plain' })).expect(201).data;
    const anew = { body: 'Open the zebratray, gently.', attachment_ids: [file.id] };
    (await api.patch(`/kb/articles/${article.id}`, anew)).expect(200);
    (await api.post(`/kb/articles/${article.id}/feedback`, { helpful: true })).expect(201);
    const rack = await make(api, '/assets', { name: 'Rack', asset_tag: 'R-1', company_id: company.id });
    const disk = { name: 'Disk', parent_id: rack.id, assigned_contact_id: contact.id, custom_fields: { slot: 3 } };
    await make(api, '/assets', { ...disk, purchase_cost: 12.5, currency: 'USD' });
    const lead = await make(api, '/crm/leads', {
      name: 'Ada',
      email: 'ada@acme.example',
      estimated_value: 5,
      source: 'event',
    });
    const converted = (await api.post(`/crm/leads/${lead.id}/convert`, { pipeline_id: renewals.id })).expect(200).data;
    const won = (await api.patch(`/crm/deals/${(converted.deal as Fields).id}`, { status: 'won' })).expect(200).data;
    const open = await made('/crm/deals', { title: 'Open', value: 7, ticket_id: ticket.id, probability: 33 });
    await make(to.api, '/teams', { name: 'second line' });
    await make(to.api, '/crm/pipelines', { name: 'Other' });
    const there = await make(to.api, '/crm/pipelines', { name: 'Renewals', stages: [{ name: 'First' }, ...stages] });
    const before = await rowsOf(sql, to);

    const done = await broughtOver(from, to);
    expect(await failuresOf(to, done)).toEqual([]);
    const deals = (await to.api.get('/crm/deals?sort=title&expand=stage,lead,ticket,contact')).rows;
    expect(deals).toMatchObject([
      {
        ...{ external_id: String(won.id), status: 'won', won_at: won.won_at, pipeline_id: there.id, value: 5 },
        ...{ stage: { name: 'Signed' }, contact: { email: 'ada@acme.example' }, created_at: won.created_at },
        lead: { status: 'converted', source: 'event', converted_deal_id: deals[0]?.id },
      },
      { external_id: String(open.id), probability: 33, ticket: { subject: 'Jam' }, stage: { name: 'Qualification' } },
    ]);
    expect((await to.api.get('/assets?sort=name&expand=parent,contact,company')).rows).toMatchObject([
      {
        ...{
          name: 'Disk',
          parent: { name: 'Rack' },
          contact: { name: 'Ada' },
          status: 'in_use',
          custom_fields: { slot: 3 },
        },
        ...{ purchase_cost: 12.5, currency: 'USD' },
      },
      { name: 'Rack', asset_tag: 'R-1', company: { name: 'Acme' } },
    ]);
    expect((await to.api.get('/tickets?expand=team')).rows).toMatchObject([{ team: { name: 'second line' } }]);
    const [jams] = (await to.api.get('/kb/articles?q=zebratray&expand=category')).rows;
    expect(jams).toMatchObject({
      ...{ external_id: String(article.id), status: 'published', published_at: article.published_at, slug: 'jams' },
      ...{ category: { name: 'Hardware' }, visibility: 'public', version_number: 2, live_version: 2, helpful_count: 1 },
    });
    expect((await to.api.get(`/kb/articles/${jams?.id}/versions`)).rows).toMatchObject([
      { number: 2, body: 'Open the zebratray, gently.' },
      { number: 1, body: 'Open the zebratray.' },
    ]);
    const [shown] = (await to.api.get(`/attachments?article_id=${jams?.id}`)).rows;
    expect((await to.api.get(`/attachments/${shown?.id}/content`)).text).toBe('how it looks');
    (await to.api.post(`/migration/jobs/${done.id}/rollback`)).expect(200);
    expect((await worked(server, to, done.id)).status).toBe('rolled_back');
    expect(await rowsOf(sql, to)).toEqual(before);
  });
});
