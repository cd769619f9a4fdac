import { SCRATCH_WORKSPACE, useScratchWorkspace } from '../support/scratch-workspace';

const COUNTERS = ['ticket_stat_days', 'ticket_stat_months', 'ticket_durations', 'ticket_duration_tallies'];

const scratch = useScratchWorkspace([
  `INSERT INTO tickets (workspace_id, number, code, subject, status, resolved_at, created_at)
   VALUES (${SCRATCH_WORKSPACE}, 1, 'TCK-1', 's', 'resolved', now(), now() - interval '40 days')`,
  'SELECT fold_stats(100)',
]);

/** The counters that have rows, of whichever workspace. */
async function filled(): Promise<string[]> {
  const { rows } = await scratch.client.query<{ name: string }>(
    COUNTERS.map((name) => `SELECT '${name}' AS name WHERE EXISTS (SELECT FROM ${name})`).join(' UNION ALL '),
  );
  return rows.map(({ name }) => name);
}

it('what was counted of a workspace goes with it', async () => {
  await scratch.client.query('SET ROLE helpdesk_system');
  expect(await filled()).toEqual(COUNTERS);
  await scratch.client.query('DELETE FROM workspaces');
  expect(await filled()).toEqual([]);
});
