import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceUrls } from '../../src/config';
import { withClient } from './bench-data';
import type { Sample } from './search-kinds';

const LEARNING_MS = 30 * 60_000;
const POLL_MS = 1_000;

/** Waits until the job has learned the words of all tickets. */
export async function learned({ databaseUrl }: Pick<ServiceUrls, 'databaseUrl'>, workspaceId: number): Promise<void> {
  console.log('Waiting for the words to be learned.');
  const began = Date.now();
  await withClient(databaseUrl, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ done: boolean }>(
        `SELECT learned_id >= (SELECT max(id) FROM tickets WHERE workspace_id = $1) AS done
         FROM search_progress WHERE workspace_id = $1 AND source = 'tickets'`,
        [workspaceId],
      );
      if (rows[0]?.done) return;
      if (Date.now() - began > LEARNING_MS) throw new Error('The words were not learned in half an hour.');
      await sleep(POLL_MS);
    }
  });
  console.log(`Learned after ${Math.round((Date.now() - began) / 1_000)} s.`);
}

/** Waits until the bits of common words are made. */
export async function folded({ databaseUrl }: Pick<ServiceUrls, 'databaseUrl'>, workspaceId: number): Promise<void> {
  const began = Date.now();
  await withClient(databaseUrl, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ ready: boolean | null; large: boolean | null }>(
        `SELECT (SELECT ready FROM ticket_word_folds WHERE workspace_id = $1) AS ready,
           (SELECT max(number) FROM tickets WHERE workspace_id = $1) >= 20000 AS large`,
        [workspaceId],
      );
      const [row] = rows;
      if (row?.ready || !row?.large) return;
      if (Date.now() - began > LEARNING_MS) throw new Error('The words were not folded in half an hour.');
      await sleep(POLL_MS);
    }
  });
  console.log(`Folded after ${Math.round((Date.now() - began) / 1_000)} s more.`);
}

/** Waits for both in every workspace that has tickets: what is made in the background would be counted as part of requests. */
export async function settled(services: Pick<ServiceUrls, 'databaseUrl'>): Promise<void> {
  const ids = await withClient(services.databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: number }>(
      `SELECT w.id FROM workspaces w WHERE EXISTS (SELECT FROM tickets t WHERE t.workspace_id = w.id) ORDER BY w.id`,
    );
    return rows.map(({ id }) => id);
  });
  for (const id of ids) {
    await learned(services, id);
    await folded(services, id);
  }
}

/** Codes and addresses from all over a workspace. */
export async function draw(
  { databaseUrl }: Pick<ServiceUrls, 'databaseUrl'>,
  workspaceId: number,
): Promise<Omit<Sample, 'rare'>> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ code: string; requester_email: string | null }>(
      `SELECT code, requester_email FROM tickets WHERE workspace_id = $1 AND id % 997 = 3 ORDER BY id LIMIT 50`,
      [workspaceId],
    );
    return {
      codes: rows.map(({ code }) => code),
      emails: rows.flatMap(({ requester_email: email }) => (email === null ? [] : [email])),
    };
  });
}
