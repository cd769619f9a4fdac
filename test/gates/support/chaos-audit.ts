import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { matchesEvent } from '../../../src/platform/events/event-catalogue';
import type { ChaosLoad } from './chaos-load';
import type { HookSink } from './hook-sink';
import { patience } from '../../support/machine';

/** What the database and the receivers say about the same events. */
export interface ChaosAudit {
  /** Committed events that an active endpoint subscribed to. */
  events: number;
  lost: number;
  ghosts: number;
  strays: number;
  /** Copies beside the first. */
  duplicates: number;
  toDeactivated: number;
  writesWrong: number;
  /** Longest time that a first copy took, from the last fault on or, when it was written later, from then on. */
  drainSeconds: number;
  /** Rows of the outbox and of jobs that are due. */
  jobsLeft: number;
  /** Some of what is wrong. */
  examples: string[];
}

const PATIENCE_MS = 150_000;
const POLL_MS = 500;
const EXAMPLES = 10;

/** Waits until nothing is left to be done, or much too long, and compares. */
export async function auditChaos(
  databaseUrl: string,
  load: ChaosLoad,
  sink: HookSink,
  lastFaultAt: number,
  tell: (line: string) => void,
): Promise<ChaosAudit> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const jobsLeft = await drained(client, tell);
    const { rows } = await client.query<{ workspace_id: string; uid: string; type: string }>(
      `SELECT workspace_id::text, uid, type FROM events`,
    );
    const known = new Set(rows.map(({ uid }) => uid));
    const audit: ChaosAudit = {
      ...{ events: 0, lost: 0, ghosts: 0, strays: 0, duplicates: 0, toDeactivated: 0, drainSeconds: 0 },
      ...{ writesWrong: await wrongWrites(client, load), jobsLeft, examples: [] },
    };
    const example = (line: string): void => {
      if (audit.examples.length < EXAMPLES) audit.examples.push(line);
    };
    let longestMs = 0;
    for (const { workspaceId, path, events, active } of load.endpoints) {
      const received = sink.of(path);
      const wants = (type: string): boolean => active && matchesEvent(events, type);
      if (!active) audit.toDeactivated += received.size;
      const own = rows.filter(({ workspace_id, type }) => Number(workspace_id) === workspaceId && wants(type));
      audit.events += own.length;
      const expected = new Set(own.map(({ uid }) => uid));
      for (const { uid, type } of own) {
        if (received.has(uid)) continue;
        audit.lost++;
        example(`lost: ${type} ${uid} for ${path}`);
      }
      for (const [uid, { count, firstAt, eventAt, type }] of received) {
        audit.duplicates += count - 1;
        longestMs = Math.max(longestMs, firstAt - Math.max(lastFaultAt, eventAt));
        if (!known.has(uid)) audit.ghosts++;
        else if (!expected.has(uid)) audit.strays++;
        if (!expected.has(uid)) example(`unexpected: ${type} ${uid} at ${path}`);
      }
    }
    audit.drainSeconds = Math.round(longestMs / 100) / 10;
    return audit;
  } finally {
    await client.end();
  }
}

/** Answers how many rows were left when patience ran out. */
async function drained(client: Client, tell: (line: string) => void): Promise<number> {
  const deadline = Date.now() + patience(PATIENCE_MS);
  for (let polls = 0; ; polls++) {
    const { rows } = await client.query<{ outbox: number; work: number }>(
      `SELECT (SELECT count(*)::int FROM event_outbox) AS outbox,
              (SELECT count(*)::int FROM work WHERE kind = 'webhook_delivery') AS work`,
    );
    const { outbox = 0, work = 0 } = rows[0] ?? {};
    if (outbox + work === 0 || Date.now() > deadline) return outbox + work;
    if (polls % 10 === 0) tell(`${outbox} events and ${work} deliveries to go.`);
    await sleep(POLL_MS);
  }
}

/** What was acknowledged is there once; what was not, at most once. */
async function wrongWrites(client: Client, { created }: ChaosLoad): Promise<number> {
  const { rows } = await client.query<{ table: keyof ChaosLoad['created']; name: string; n: number }>(
    `SELECT 'tickets' AS table, subject AS name, count(*)::int AS n FROM tickets GROUP BY subject
     UNION ALL SELECT 'companies', name, count(*)::int FROM companies GROUP BY name`,
  );
  const found = { tickets: new Map<string, number>(), companies: new Map<string, number>() };
  for (const { table, name, n } of rows) found[table].set(name, n);
  const lost = (['tickets', 'companies'] as const).flatMap((table) =>
    [...created[table]].filter((name) => !found[table].has(name)),
  );
  return lost.length + rows.filter(({ n, name }) => n > 1 && / \d+$/.test(name)).length;
}
