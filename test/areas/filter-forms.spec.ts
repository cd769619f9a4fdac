import { useApp } from '../support/app';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

it.each([
  ['/kb/articles', { title: 'Printers', body: 'x', language: 'pt-br' }, 'language', ['pt-BR', 'PT-br', 'en,pt-br']],
  ['/kb/categories', { name: 'Printers', language: 'DE' }, 'language', ['de', 'DE']],
  ['/mail-templates', { kind: 'ticket_received', language: 'nl', subject: 'x', body: 'x' }, 'language', ['nl', 'NL']],
  ['/quotes', { title: 'Printers', currency: 'EUR' }, 'currency', ['EUR', 'eur', 'usd,eur']],
  ['/crm/leads', { name: 'Ada', email: 'ada@acme.example', country: 'US' }, 'country', ['US', 'us', 'us,none']],
  ['/companies', { name: 'Acme', address: { country: 'AT' } }, 'country', ['AT', 'at', 'at,none']],
])('%s are found however a code is written', async (path, body, filter, texts) => {
  const { id } = (await workspace.api.post(path, body)).expect(201).data;
  for (const text of texts) {
    const { rows } = (await workspace.api.get(`${path}?${filter}=${text}&fields=id`)).expect(200);
    expect([text, rows]).toEqual([text, [{ id }]]);
  }
  expect((await workspace.api.get(`${path}?${filter}=xx`)).expect(200).rows).toEqual([]);
});
