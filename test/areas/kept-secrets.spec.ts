import type { Answer } from '../support/api';
import { useApp } from '../support/app';
import { PROVIDERS, SECRET } from '../support/channel-providers';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

/** What has an address and a secret that goes there: where it is made, with what, and the same at another address. */
const PLACES: [
  string,
  string,
  object,
  Record<string, unknown>,
  string,
  Record<string, unknown>,
  Record<string, unknown>,
][] = [
  [
    'a mailbox',
    '/integrations',
    { provider: 'imap' },
    { host: 'mail.acme.example', username: 'support', password: SECRET, address: 'support@acme.example' },
    'password',
    { host: 'mail.elsewhere.example' },
    { port: 1993, host: 'MAIL.acme.example' },
  ],
  [
    'a bot',
    '/teams/channels',
    { type: 'slack', name: 'Slack' },
    { ...PROVIDERS.slack?.config, api_url: 'https://slack.example/api' },
    'bot_token',
    { api_url: null },
    { api_url: 'https://slack.example/other' },
  ],
  [
    'a directory',
    '/active-directory/connections',
    { type: 'ldap', name: 'Head office' },
    { host: 'dc1.acme.example', base_dn: 'DC=acme', bind_dn: 'CN=x', bind_password: SECRET },
    'bind_password',
    { host: 'dc1.elsewhere.example' },
    { base_dn: 'DC=acme,DC=example' },
  ],
];

it.each(PLACES)(
  'the secret of %s does not follow to another address',
  async (_name, path, body, config, secret, away, near) => {
    const { id } = (await workspace.api.post(path, { ...body, config })).expect(201).data;
    const change = (asked: object): Promise<Answer> => workspace.api.patch(`${path}/${id}`, { config: asked });
    const lacks = { [`config.${secret}`]: 'required' };
    expect((await change(away)).expect(422).codes).toEqual(lacks);
    expect((await change({ ...away, [secret]: '********' })).expect(422)).toMatchObject({
      codes: lacks,
      error: { missing: [`config.${secret}`] },
    });
    (await change(near)).expect(200);
    (await change({ ...away, [secret]: `${SECRET}-2` })).expect(200);
  },
);

it('what only signs stays, wherever the address leads', async () => {
  const config = { url: 'https://hooks.acme.example/in', secret: SECRET };
  const { id } = (await workspace.api.post('/integrations', { provider: 'webhook', config })).expect(201).data;
  const moved = await workspace.api.patch(`/integrations/${id}`, { config: { url: 'https://elsewhere.example/in' } });
  expect(moved.expect(200).data.config).toMatchObject({ url: 'https://elsewhere.example/in', secret_set: true });
});

it('the connection of a migration and the key of a model are for their address, too', async () => {
  const connection = { base_url: 'https://acme.zendesk.com', email: 'admin@acme.example', api_token: SECRET };
  const { id } = (await workspace.api.post('/migration/jobs', { source: 'zendesk', connection })).expect(201).data;
  const elsewhere = { base_url: 'https://elsewhere.example' };
  const moved = await workspace.api.patch(`/migration/jobs/${id}`, { connection: elsewhere });
  expect(moved.expect(422).codes).toEqual({ 'connection.api_token': 'required' });

  const change = (body: object): Promise<Answer> => workspace.api.patch('/ai-engine/settings', body);
  const model = { base_url: 'https://models.example/v1', model: 'small' };
  (await change({ openai_compatible: model, api_key: SECRET })).expect(200);
  (await change({ openai_compatible: { base_url: 'https://models.example/v2' } })).expect(200);
  for (const base_url of ['https://elsewhere.example/v1', ''])
    expect((await change({ openai_compatible: { base_url } })).expect(422).codes).toEqual({ api_key: 'required' });
  (await change({ openai_compatible: { base_url: 'https://elsewhere.example/v1' }, api_key: 'sk-2' })).expect(200);
});
