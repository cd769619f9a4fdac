import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceUrls } from '../../src/config';
import { withClient } from './bench-data';
import type { Sample } from './search-kinds';

const PATIENCE_MS = 30 * 60_000;
const POLL_MS = 1_000;

/** Waits until the job has learned the words of all tickets. */
export function learned(services: Pick<ServiceUrls, 'databaseUrl'>, workspaceId: number): Promise<void> {
  return waited(services, workspaceId, {
    for: 'the words to be learned',
    done: `SELECT learned_id >= (SELECT max(id) FROM tickets WHERE workspace_id = $1) AS done
           FROM search_progress WHERE workspace_id = $1 AND source = 'tickets'`,
  });
}

/** Waits until the bits of common words are made. */
export function folded(services: Pick<ServiceUrls, 'databaseUrl'>, workspaceId: number): Promise<void> {
  return waited(services, workspaceId, {
    for: 'the bits of common words',
    done: `SELECT coalesce((SELECT ready FROM ticket_word_folds WHERE workspace_id = $1), false)
             OR coalesce((SELECT max(number) FROM tickets WHERE workspace_id = $1), 0) < 20000 AS done`,
  });
}

/** Waits until the clocks are seen to that came due while no service ran: statistics look at each of them, and so does a worker. */
export function swept(services: Pick<ServiceUrls, 'databaseUrl'>, workspaceId: number): Promise<void> {
  return waited(services, workspaceId, {
    for: 'the clocks that came due',
    done: `SELECT NOT EXISTS (SELECT FROM sla_clocks
             WHERE workspace_id = $1 AND next_check_at < now() - interval '5 seconds') AS done`,
  });
}

async function waited(
  { databaseUrl }: Pick<ServiceUrls, 'databaseUrl'>,
  workspaceId: number,
  { for: what, done }: { for: string; done: string },
): Promise<void> {
  const began = Date.now();
  await withClient(databaseUrl, async (client) => {
    while (!(await client.query<{ done: boolean }>(done, [workspaceId])).rows[0]?.done) {
      if (Date.now() - began > PATIENCE_MS) throw new Error(`Waited half an hour for ${what}.`);
      await sleep(POLL_MS);
    }
  });
  console.log(`Waited ${Math.round((Date.now() - began) / 1_000)} s for ${what}.`);
}

/** Waits for all of these in every workspace that has tickets: what is made in the background would be counted as part of requests. */
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
    await swept(services, id);
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
