import { useApp } from '../support/app';
import { type Provider, PROVIDERS } from '../support/channel-providers';
import { ADA, apiChannel, handIn, inboundAddress } from '../support/channels';
import { make } from '../support/cast';
import { makePerson } from '../support/people';
import { makeWorkspace } from '../support/workspace';

const server = useApp();

it('says so where there is nothing to be seen in what a network tells', async () => {
  const { api } = await makeWorkspace(server);
  const provider = PROVIDERS.telegram as Provider;
  const channel = (await api.post('/teams/channels', { type: 'telegram', name: 'Bot', config: provider.config })).data;
  const url = await inboundAddress(api, channel);
  for (const [serial, text] of ['\u200b', '\u2800\u3164', 'Help'].entries()) {
    const { body, headers } = provider.sign(provider.message(text, serial + 1), url);
    expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(200);
  }
  const { rows } = await api.get('/teams/messages?sort=created_at');
  expect(rows.map(({ body }) => body)).toEqual(['(no text)', '(no text)', 'Help']);
});

it('takes nothing of who would not see what becomes of it, and nothing is left of that', async () => {
  const workspace = await makeWorkspace(server);
  const team = await make(workspace.api, '/teams');
  const channel = await apiChannel(workspace.api, null);
  const narrow = await makePerson(server, workspace, { role: 'admin', ticket_scope: 'teams', team_ids: [team.id] });
  const refused = (await handIn(narrow.api, channel, { external_message_id: 'm1', from: ADA, body: 'Help' })).expect(
    403,
  );
  expect(refused.error.details).toMatchObject([{ field: 'ticket_scope', code: 'permission' }]);
  for (const path of ['/teams/messages', '/tickets', '/contacts'])
    expect((await workspace.api.get(path)).meta.total).toBe(0);
});
