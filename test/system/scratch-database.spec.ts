import { Pool } from 'pg';
import { scratchDatabase } from '../support/scratch-database';

it('is dropped when the connections of an ended pool have been closed, not under them', async () => {
  const scratch = await scratchDatabase({ migrated: false });
  const pool = new Pool({ connectionString: scratch.url, max: 1 });
  const errors: string[] = [];
  pool.on('error', ({ message }) => errors.push(message));
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const pid = rows[0]?.pid ?? 0;
  // A machine with much to do, where the other end has not read the farewell yet.
  process.kill(pid, 'SIGSTOP');
  await pool.end();
  const left = new Promise((resolve) => pool.once('remove', resolve));
  const dropped = scratch.drop();
  setTimeout(() => process.kill(pid, 'SIGCONT'), 500);
  await Promise.all([dropped, left]);
  expect(errors).toEqual([]);
});
