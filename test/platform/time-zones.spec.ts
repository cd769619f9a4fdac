import { ZonesHaveNamesOfIana1768992000000 } from '../../migrations/1768992000000-zones-have-names-of-iana';
import { isTimeZoneName } from '../../src/platform/columns/column-validators';
import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { useSql } from '../support/sql';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
/** What Node alone takes for zones, or PostgreSQL for others. */
const OF_NODE = ['PST', 'ist', 'AET', 'SystemV/AST4ADT', 'US/Pacific-New', 'Canada/East-Saskatchewan'];
const OF_IANA = ['UTC', 'EST', 'CET', 'EST5EDT', 'europe/berlin', 'Asia/Calcutta', 'Asia/Kolkata', 'Etc/GMT+12', 'NZ'];

it('a zone is one that PostgreSQL knows, too', async () => {
  const short = LETTERS.flatMap((a) => LETTERS.flatMap((b) => LETTERS.map((c) => a + b + c))).filter(isTimeZoneName);
  expect(short).toContain('GMT');
  const rows = await sql.rows<{ name: string }>('SELECT lower(name) AS name FROM pg_timezone_names');
  const known = new Set(rows.map(({ name }) => name));
  expect([...short, ...OF_IANA].filter((name) => !known.has(name.toLowerCase()))).toEqual([]);
  expect(OF_IANA.filter((name) => !isTimeZoneName(name))).toEqual([]);
  expect(OF_NODE.filter(isTimeZoneName)).toEqual([]);
});

it('no other is taken: tickets, quotes and jobs of all workspaces would fail by it', async () => {
  const { api } = await makeWorkspace(server);
  const hour = { first_response_minutes: 60, resolution_minutes: 60 };
  const targets = { urgent: hour, high: hour, medium: hour, low: hour };
  const policy = await make(api, '/sla', { targets, starts_on: '2020-01-01' });
  for (const timezone of OF_NODE) {
    expect((await api.patch('/workspace', { timezone })).expect(422).codes).toEqual({ timezone: 'format' });
    const schedule = { mode: '24x7', timezone };
    (await api.patch(`/sla/${policy.id}`, { schedule })).expect(422);
  }
  (await api.patch('/workspace', { timezone: 'EST' })).expect(200);
  await makeTicket(api);
});

it('those that were taken before have names of IANA', async () => {
  const { api, id } = await makeWorkspace(server);
  await sql.rows(`UPDATE workspaces SET timezone = 'pst' WHERE id = $1`, [id]);
  await sql.rows(
    `UPDATE sla_policies SET schedule = schedule || '{"timezone": "SystemV/EST5EDT"}' WHERE workspace_id = $1`,
    [id],
  );
  await new ZonesHaveNamesOfIana1768992000000().up({ query: (text: string) => sql.rows(text) } as never);
  expect((await api.get('/workspace')).data.timezone).toBe('America/Los_Angeles');
  const [policy] = (await api.get('/sla')).rows;
  expect(policy?.schedule).toMatchObject({ timezone: 'America/New_York' });
});
