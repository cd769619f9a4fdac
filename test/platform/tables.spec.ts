import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { useSql } from '../support/sql';
import { CSV, linesOf, opened, recordsOf, restOf, XLSX } from '../support/tables';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';
import { unzipped } from '../support/zip';

const server = useApp();
const sql = useSql();
const asCsv = { accept: CSV };

/** Teams, oldest first: `Team 1` and so on, a second apart. */
async function addTeams({ id }: TestWorkspace, number: number): Promise<void> {
  await sql.rows(
    `INSERT INTO teams (workspace_id, name, created_at)
     SELECT $1, 'Team ' || n, now() - interval '1 day' + n * interval '1 second' FROM generate_series(1, $2::integer) n`,
    [id, number],
  );
}

describe('a list as CSV', () => {
  it('has what the list has: filters, sort, fields, relations, search', async () => {
    const { api } = await makeWorkspace(server);
    const category = await make(api, '/categories', { name: 'Hard, "ware"' });
    for (const priority of ['low', 'urgent', 'high']) {
      const custom_fields = { floor: 3 };
      await makeTicket(api, { subject: `Printer ${priority}`, priority, category_id: category.id, custom_fields });
    }
    await makeTicket(api, { subject: 'Mouse' });
    const query =
      'q=printer&sort=-priority&fields=id,subject,priority,custom_fields,created_at,resolved_at&expand=category';
    const whole = (await api.get(`/tickets?${query}`)).expect(200);
    const answer = (await api.get(`/tickets?${query}`, asCsv)).expect(200);
    expect(answer.header('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.header('content-disposition')).toBe('attachment; filename="tickets.csv"');
    expect(answer.header('vary')?.toLowerCase()).toMatch(/(^|, )accept(,|$)/);
    expect(answer.header('etag')).toBeNull();
    expect(answer.header('x-quota-used')).not.toBeNull();
    const records = recordsOf(answer.text);
    expect(records).toHaveLength(3);
    expect(records.map(({ subject }) => subject)).toEqual(['Printer urgent', 'Printer high', 'Printer low']);
    const [first, json] = [records[0] ?? {}, whole.rows[0] ?? { id: 0 }];
    expect(first).toMatchObject({
      id: String(json.id),
      created_at: json.created_at,
      resolved_at: '',
      custom_fields: '{"floor":3}',
      'category.id': String(category.id),
      'category.name': 'Hard, "ware"',
    });
    expect(Object.keys(first).slice(0, 7)).toEqual([
      'id',
      'subject',
      'priority',
      'resolved_at',
      'custom_fields',
      'created_at',
      'category.id',
    ]);
  });

  it('is one page where one is asked for, and without names or with a mark on request', async () => {
    const workspace = await makeWorkspace(server);
    await addTeams(workspace, 5);
    const { api } = workspace;
    const lines = async (query: string, accept = CSV): Promise<string[]> =>
      linesOf((await api.get(`/teams?fields=name&sort=id${query}`, { accept })).expect(200).text).flat();
    expect(await lines('&per_page=2&page=2')).toEqual(['name', 'Team 3', 'Team 4']);
    expect(await lines('&limit=2')).toEqual(['name', 'Team 1', 'Team 2']);
    expect(await lines('', 'text/csv; header=absent')).toHaveLength(5);
    for (const [accept, begin] of [
      ['text/csv; bom=true', '\uFEFFname\r\n'],
      [CSV, 'name\r\n'],
    ] as const) {
      const answer = await opened(`${server.url}/v1/teams?fields=name`, workspace.token, { accept });
      expect((await restOf(answer)).toString().startsWith(begin)).toBe(true);
    }
  });

  it('refuses what the list refuses, as errors are', async () => {
    const { api, readApi } = await makeWorkspace(server);
    const refused = (await api.get('/teams?nonsense=1', asCsv)).expect(422);
    expect(refused.header('content-type')).toContain('application/json');
    expect(refused.header('content-disposition')).toBeNull();
    (await api.get('/tickets/1/comments', asCsv)).expect(404);
    (await readApi.get('/teams', asCsv)).expect(200);
    const head = await api.send('HEAD', '/teams', { headers: asCsv });
    expect([head.status, head.text, head.header('content-type')]).toEqual([
      200,
      '',
      'text/csv; charset=utf-8; header=present',
    ]);
  });

  it('counts as one request', async () => {
    const workspace = await makeWorkspace(server);
    await addTeams(workspace, 1_200);
    const used = async (): Promise<number> => Number((await workspace.api.get('/me')).header('x-quota-used'));
    const before = await used();
    expect(recordsOf((await workspace.api.get('/teams?fields=id', asCsv)).text)).toHaveLength(1_200);
    expect(await used()).toBe(before + 2);
  });

  it('shows nothing that a spreadsheet would run', async () => {
    const { api } = await makeWorkspace(server);
    const names = ['=HYPERLINK("http://x.example","a")', '+1', '-1', '@a', '＝1+1', '"=1', `' or =1`];
    for (const name of names) (await api.post('/teams', { name })).expect(201);
    const records = recordsOf((await api.get('/teams?fields=name&sort=id', asCsv)).expect(200).text);
    const shown = records.map(({ name = '' }) => name);
    expect(shown.filter((name) => /^[=+\-@＝]/.test(name))).toEqual([]);
    expect(shown.map((name, index) => (name === `'${names[index] ?? ''}` ? names[index] : name))).toEqual(names);
  });
});

describe('a long list', () => {
  it('has every record that is there all the time exactly once, whatever happens meanwhile', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    await addTeams(workspace, 3_300);
    const ids = (
      await sql.rows<{ id: number }>('SELECT id FROM teams WHERE workspace_id = $1 ORDER BY id', [workspace.id])
    ).map(({ id }) => id);
    const answer = await opened(`${server.url}/v1/teams?fields=id,name`, workspace.token);
    const [oldest = 0, older = 0] = ids;
    const newest = ids.at(-1) ?? 0;
    (await api.post('/teams', { name: 'Late' })).expect(201);
    (await api.delete(`/teams/${oldest}`)).expect(200);
    (await api.patch(`/teams/${older}`, { name: 'Changed' })).expect(200);
    (await api.patch(`/teams/${newest}`, { name: 'Changed, too' })).expect(200);
    const records = recordsOf((await restOf(answer)).toString());
    const seen = records.map(({ id }) => Number(id));
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => id !== oldest)).toEqual(ids.slice(1).reverse());
    expect(records.map(({ name }) => name)).not.toContain('Late');
  });

  it('is complete in every order, forwards and backwards, of what is searched and what is null, too', async () => {
    const workspace = await makeWorkspace(server);
    await addTeams(workspace, 1_150);
    const { api } = workspace;
    for (const query of [
      'sort=name',
      'sort=-id',
      'q=team',
      'is_active=true&sort=-updated_at',
      'sort=-updated_at,name',
    ]) {
      const records = recordsOf((await api.get(`/teams?fields=id&${query}`, asCsv)).expect(200).text);
      expect([query, new Set(records.map(({ id }) => id)).size, records.length]).toEqual([query, 1_150, 1_150]);
    }
    await sql.rows(
      `INSERT INTO companies (workspace_id, name, renewal_date)
       SELECT $1, 'Company ' || n, CASE WHEN n % 2 = 0 THEN date '2026-01-01' + n % 30 END FROM generate_series(1, 250) n`,
      [workspace.id],
    );
    for (const query of ['sort=renewal_date', 'sort=-renewal_date', 'q=company']) {
      const records = recordsOf((await api.get(`/companies?fields=id&${query}`, asCsv)).expect(200).text);
      expect([query, new Set(records.map(({ id }) => id)).size, records.length]).toEqual([query, 250, 250]);
    }
  });

  it('is a workbook, too', async () => {
    const workspace = await makeWorkspace(server);
    await addTeams(workspace, 1_250);
    const answer = await opened(`${server.url}/v1/teams?fields=id,name`, workspace.token, { accept: XLSX });
    expect(answer.headers['content-type']).toBe(XLSX);
    expect(answer.headers['content-disposition']).toBe('attachment; filename="teams.xlsx"');
    const sheet =
      unzipped(await restOf(answer))
        .get('xl/worksheets/sheet1.xml')
        ?.toString() ?? '';
    expect(sheet.split('<row>')).toHaveLength(1_252);
    expect(sheet).toContain('>Team 1<');
  });
});

describe('a long list of large records', () => {
  let workspace: TestWorkspace;
  let path: string;
  const NUMBER = 500;
  const BYTES = 60_000;

  beforeAll(async () => {
    workspace = await makeWorkspace(server);
    const endpoint = { url: 'http://127.0.0.1:9/', events: ['quota.warning'], is_active: false };
    const { id } = (await workspace.api.post('/webhooks', endpoint)).expect(201).data;
    path = `${server.url}/v1/webhooks/${id}/deliveries`;
    await sql.rows(
      `INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_row, event_id, event, status, response_body)
       SELECT $1, $2, n, 'evt', 'quota.warning', 'failed', repeat('x', ${BYTES}) FROM generate_series(1, ${NUMBER}) n`,
      [workspace.id, id],
    );
  });

  it('waits for a slow reader, and is whole in the end', async () => {
    const answer = await opened(path, workspace.token);
    let records = 0;
    let rest = '';
    for await (const chunk of answer) {
      const lines = (rest + String(chunk)).split('\r\n');
      rest = lines.pop() ?? '';
      records += lines.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(records).toBe(NUMBER + 1);
  });

  it('gives its place back when the client goes, and others wait for one', async () => {
    const { api, token } = workspace;
    const below = path.slice(`${server.url}/v1`.length);
    const readers = [await opened(path, token), await opened(path, token)];
    const third = (await api.get(below, asCsv)).expect(429);
    expect(Number(third.header('retry-after'))).toBeGreaterThan(0);
    expect(third.error.type).toBe('rate_limit_exceeded');
    (await api.get(`${below}?per_page=2`, asCsv)).expect(200);
    (await api.get('/teams', asCsv)).expect(200);
    for (const reader of readers) reader.once('error', () => undefined).destroy();
    await until(
      'a place is free',
      async () => (await api.send('GET', `${below}?fields=id`, { headers: asCsv })).status === 200,
    );
  });
});
