import { useApp } from '../support/app';
import { useSql } from '../support/sql';
import { makeWorkspace } from '../support/workspace';

/** As an operator runs it: no range is opened. */
const server = useApp({ webhookAllowCidrs: [], role: 'api' });
const sql = useSql();

describe('the address of an endpoint', () => {
  const hostile = [
    'http://example.com/',
    'https://example.com:22/',
    'https://example.com:6379/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://api.localhost/',
    'https://printer.local/',
    'https://vault.internal/',
    'https://intranet/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://1②7.0.0.1/',
    'https://0.0.0.0/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.0.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://user@example.com/',
    'https://example.com/#fragment',
    'https://example.com\\@127.0.0.1/',
    'https:example.com',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://',
    'https://exa mple.com/',
  ];

  it.each(hostile)('may not be %s, in a change neither', async (url) => {
    const { api } = await makeWorkspace(server);
    const refused = await api.post('/webhooks', { url, events: ['*'] });
    expect([refused.status, Object.keys(refused.codes)]).toEqual([422, ['url']]);
    const { id } = (await api.post('/webhooks', { url: 'https://example.com/', events: ['*'] })).expect(201).data;
    expect(Object.keys((await api.patch(`/webhooks/${id}`, { url })).expect(422).codes)).toEqual(['url']);
    expect((await api.get(`/webhooks/${id}`)).data.url).toBe('https://example.com/');
  });

  it.each([
    'https://example.com/a?b=c',
    'https://example.com:8443/',
    'https://bücher.example/',
    'https://93.184.215.14/',
  ])('may be %s', async (url) => {
    const { api } = await makeWorkspace(server);
    expect((await api.post('/webhooks', { url, events: ['*'] })).expect(201).data.url).toBe(url);
  });

  it('is judged again at each attempt: what is refused looks like what cannot be reached', async () => {
    const { api } = await makeWorkspace(server);
    const { id } = (await api.post('/webhooks', { url: 'https://example.com/', events: ['*'] })).expect(201).data;
    // As a name that leads here by now; name servers are not asked, their answers take what they take.
    await sql.rows(`UPDATE webhooks SET url = 'https://127.0.0.1/' WHERE id = $1`, [id]);
    const answer = (await api.post(`/webhooks/${id}/test`)).expect(200).data;
    expect(answer).toMatchObject({
      status: 'failed',
      response_status: null,
      error: 'The server could not be reached.',
    });
  });
});
