import { dealt, kindOfValue, rationed, useHostility } from '../support/hostile';
import { parseRaw, rawRequest } from '../support/raw-http';
import { makeWorkspace } from '../support/workspace';

const stage = useHostility();

/** What the list engine and the selection of fields read themselves. */
const ENGINE = new Set([
  ...['fields', 'expand', 'include', 'page', 'per_page', 'limit', 'offset', 'position', 'sort', 'ids', 'q', 'view'],
  ...['created_after', 'created_before', 'updated_after', 'updated_before', 'external_id'],
]);

describe('a hostile query', () => {
  const values = [
    '',
    '%00',
    '%ed%a0%80',
    "'",
    '%25_\\',
    ',',
    '1e308',
    '9007199254740993',
    'none',
    '9999-12-31T23:59:59.999999999Z',
  ];
  values.push('__proto__', 'x'.repeat(2_000), 'a,'.repeat(500));

  it('in any parameter of any operation is answered without a failure', async () => {
    const share = dealt(values);
    const seldom = new Map<string, number>();
    for (const operation of stage.operations) {
      for (const name of operation.query) {
        // Read by one parser, whatever the resource: after the first ones every eighth operation.
        const turn = seldom.get(name) ?? 0;
        seldom.set(name, turn + 1);
        if (ENGINE.has(name) && turn >= 2 && turn % 8 !== 0) continue;
        const given = share(kindOfValue(operation.parameters[name]), name);
        await Promise.all(given.map((value) => stage.send(operation, `?${name}=${value}`)));
      }
    }
  });

  it('is refused by every list', async () => {
    const refused = [
      'per_page=101',
      'per_page=0',
      'page=0',
      'limit=101',
      'offset=-1',
      'zzz=1',
      'sort=zzz',
      'fields=zzz',
      'expand=zzz',
      '__proto__=1',
      'constructor=1',
      'toString=1',
      'q%00=1',
      'a[b]=1',
      'ids[]=1',
    ];
    const share = rationed(refused, 2);
    for (const operation of stage.operations.filter(({ query: names }) => names.includes('per_page'))) {
      for (const query of share('list')) {
        const { status } = await stage.send(operation, `?${query}`);
        expect([operation.path, query, status]).toEqual([operation.path, query, 422]);
      }
    }
  });
});

describe('hostile headers', () => {
  const raw = async (
    head: string,
    method = 'GET',
    path = '/v1/tickets',
    body = '',
  ): Promise<ReturnType<typeof parseRaw>> =>
    parseRaw(
      await rawRequest(
        stage.server.url,
        `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${head}\r\n${body}`,
      ),
    );
  const bearer = (): string => `Authorization: Bearer ${stage.workspace.token}\r\n`;

  it('two tokens are none, or the first: never both', async () => {
    const other = await makeWorkspace(stage.server);
    for (const second of [other.token, 'garbage']) {
      const { status } = await raw(`${bearer()}Authorization: Bearer ${second}\r\n`);
      expect([200, 401]).toContain(status);
    }
    const { status } = await raw(`Authorization: Bearer ${stage.workspace.token}, Bearer ${other.token}\r\n`);
    expect(status).toBe(401);
  });

  it('two different idempotency keys are refused', async () => {
    const json = 'Content-Type: application/json\r\n';
    const { status } = await raw(
      `${bearer()}${json}Idempotency-Key: a\r\nIdempotency-Key: b\r\n`,
      'POST',
      '/v1/tickets',
      '{"subject":"x"}',
    );
    expect(status).toBe(422);
  });

  it.each([
    ['Idempotency-Key', ['', ' ', 'x'.repeat(256), 'a b', 'é', '"unfinished', '\u007f']],
    ['If-Match', ['', '*', '"', 'x'.repeat(3_000), '"1", W/"1", ""', ',,,']],
    ['If-None-Match', ['', '*', '"', 'x'.repeat(3_000), ',,,']],
    ['X-Request-Id', ['', 'a b', 'x'.repeat(65), '<script>', 'ok-1']],
    ['Accept', ['', 'text/html', '*/*;q=0', 'x'.repeat(3_000)]],
    ['Authorization', ['', 'Bearer', 'Bearer ', 'Basic eDp5', `Bearer ${'x'.repeat(5_000)}`, 'Bearer hdd_\u00e9']],
    ['Host', ['', 'evil.example:99999', 'a b', '\u00e9']],
    ['Content-Length', ['-1', 'x', '1, 2']],
    ['Transfer-Encoding', ['gzip', 'identity', 'x']],
    ['Expect', ['x', '']],
    ['Upgrade', ['websocket', 'h2c']],
  ])('%s is never a failure', async (name, values) => {
    for (const value of values) {
      const head = `${name === 'Authorization' ? '' : bearer()}${name}: ${value}\r\n`;
      for (const [method, path, body] of [
        ['GET', `/v1/tickets/${stage.own.tickets}`, ''],
        ['POST', '/v1/teams', ''],
      ] as const) {
        const lines = `${method} ${path} HTTP/1.1\r\n${name === 'Host' ? '' : 'Host: x\r\n'}Connection: close\r\n${head}\r\n${body}`;
        const answer = await rawRequest(stage.server.url, lines);
        const status = Number(answer.split(' ', 2)[1]);
        expect([name, value, status >= 200 && status < 500]).toEqual([name, value, true]);
      }
    }
  });
});
