import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { CreateSlaClocks1763700200000 } from '../../migrations/1763700200000-create-sla-clocks';
import { statsQuery } from '../../src/areas/meta/stats/stats-query';
import { statsStatement, type StatsRow } from '../../src/areas/meta/stats/stats-statement';
import { MIGRATIONS_TABLE } from '../../src/platform/database/migrate';
import { migrate, migrations } from '../support/migrate';
import { scratchDatabase, type ScratchDatabase } from '../support/scratch-database';

let scratch: ScratchDatabase;
let client: Client;

const ago = (interval: string): string => `now() - interval '${interval}'`;

/** Tickets as they were before clocks, in the workspace of the scratch database: subject to columns. */
const tickets: Record<string, Record<string, string>> = {
  running: { created_at: ago('1 hour') },
  answered: { created_at: ago('10 hours'), first_response_at: ago('9 hours') },
  'answered late': { created_at: ago('10 hours'), first_response_at: ago('1 hour') },
  late: { created_at: ago('30 hours'), sla_paused_seconds: '3600' },
  held: { created_at: ago('5 hours'), status: `'on_hold'`, sla_paused_at: ago('2 hours') },
  closed: {
    created_at: ago('5 hours'),
    status: `'closed'`,
    resolved_at: ago('1 hour'),
    sla_status: `'met'`,
    csat_score: '4',
  },
};

beforeAll(async () => {
  scratch = await scratchDatabase({ migrated: false });
  const before = migrations.slice(0, migrations.indexOf(CreateSlaClocks1763700200000));
  const dataSource = new DataSource({
    type: 'postgres',
    url: scratch.url,
    migrations: [...before],
    migrationsTableName: MIGRATIONS_TABLE,
    installExtensions: false,
  });
  await dataSource.initialize();
  await dataSource.runMigrations({ transaction: 'each' });
  await dataSource.destroy();
  client = new Client({ connectionString: scratch.url });
  await client.connect();
  await client.query(`SET ROLE helpdesk_system`);
  await client.query(`INSERT INTO tenants (id, name) VALUES (7, 'Old')`);
  await client.query(`INSERT INTO workspaces (id, name, slug, kind, tenant_id) VALUES (7, 'Old', 'old', 'tenant', 7)`);
  for (const [index, [subject, columns]] of Object.entries(tickets).entries()) {
    const all = {
      subject: `'${subject}'`,
      number: String(index + 1),
      code: `'T-${index}'`,
      sla_status: `'on_track'`,
      ...columns,
    };
    await client.query(
      `INSERT INTO tickets (workspace_id, sla_policy_id, ${Object.keys(all).join(', ')})
       SELECT 7, id, ${Object.values(all).join(', ')} FROM sla_policies WHERE workspace_id = 7`,
    );
  }
  await migrate(scratch.url);
});

afterAll(async () => {
  await client.end();
  await scratch.drop();
});

describe('tickets from before there were clocks', () => {
  it.each([
    ['running', 'on_track', [['first_response', 'active', 480, true], ['resolution', 'active', 1_440, true]]], // prettier-ignore
    ['answered', 'on_track', [['first_response', 'met', 480, false], ['resolution', 'active', 1_440, true]]], // prettier-ignore
    ['answered late', 'breached', [['first_response', 'breached', 480, false], ['resolution', 'active', 1_440, true]]], // prettier-ignore
    ['late', 'breached', [['first_response', 'breached', 480, false], ['resolution', 'breached', 1_500, false]]], // prettier-ignore
    ['held', 'paused', [['first_response', 'active', 480, true], ['resolution', 'paused', null, false]]], // prettier-ignore
    ['closed', 'met', []],
  ])('%s: get the clocks that they would have', async (subject, status, clocks) => {
    const { rows } = await client.query<{ clock: unknown }>(
      `SELECT json_build_array(c.metric, c.outcome, round(extract(epoch FROM c.due_at - c.started_at) / 60), c.next_check_at IS NOT NULL) AS clock
       FROM sla_clocks c JOIN tickets t ON t.workspace_id = c.workspace_id AND t.id = c.ticket_id WHERE t.subject = $1 ORDER BY c.metric`,
      [subject],
    );
    expect(rows.map(({ clock }) => clock)).toEqual(clocks);
    const ticket = await client.query(`SELECT sla_status FROM tickets WHERE subject = $1`, [subject]);
    expect(ticket.rows).toEqual([{ sla_status: status }]);
  });
});

it('the statistics count what was there, with a rating for each score', async () => {
  await client.query(`SELECT set_config('app.workspace_id', '7', false)`);
  const { text, values = [] } = statsStatement(7, statsQuery({}, Date.now()), Date.now());
  const { rows: answers } = await client.query<StatsRow>(text, [...values]);
  const [row] = answers;
  expect(row?.recent).toEqual({});
  expect({ ...row?.of_window[0], ...row?.of_now }).toMatchObject({
    ...{ open: 4, on_hold: 1, closed: 1, unassigned: 6, sla_breached: 2, rated_4: 1, rated_5: 0 },
    ...{ first_response_met: 1, first_response_breached: 2, resolution_met: 0, resolution_breached: 1 },
  });
  expect((row?.first_response ?? []).map((ms) => Math.round(ms / 60_000))).toEqual([300, 492]);
  expect((row?.resolution ?? []).map((ms) => Math.round(ms / 60_000))).toEqual([240, 240]);
  const { rows: ratings } = await client.query(`SELECT resolution, score FROM ticket_ratings WHERE workspace_id = 7`);
  expect(ratings).toEqual([{ resolution: 1, score: 4 }]);
});
