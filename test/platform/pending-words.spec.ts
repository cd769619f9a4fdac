import { INDEX_PENDING_WORDS } from '../../src/platform/search/pending-words';
import { useApp } from '../support/app';
import { runJob } from '../support/jobs';
import { SCRATCH_WORKSPACE, useScratchWorkspace } from '../support/scratch-workspace';

const server = useApp();

const scratch = useScratchWorkspace([
  // Nobody but the test is to clean up.
  'ALTER TABLE ticket_texts SET (autovacuum_enabled = false)',
  `INSERT INTO tickets (workspace_id, number, code, subject)
   SELECT ${SCRATCH_WORKSPACE}, n, 'TCK-' || n, 'word' || n FROM generate_series(1, 400) n`,
]);

const pages = async (role: string): Promise<number> => {
  await scratch.client.query(`SET ROLE ${role}`);
  const { rows } = await scratch.client.query<{ pages: string }>('SELECT index_pending_words() AS pages');
  return Number(rows[0]?.pages);
};

it('what was written lately is indexed, by the platform alone', async () => {
  await expect(pages('helpdesk_app')).rejects.toThrow('permission denied');
  expect(await pages('helpdesk_system')).toBeGreaterThan(0);
  expect(await pages('helpdesk_system')).toBe(0);
});

it('a job does it', async () => {
  await runJob(server, INDEX_PENDING_WORDS);
});
