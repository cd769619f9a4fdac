import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { type Receiver, startReceiver } from '../support/raw-receiver';
import { Fleet } from './support/fleet';
import { gateEnvironment } from './support/gate-environment';
import { GateServices } from './support/gate-services';
import { createWorkspaces } from './support/gate-workspaces';
import { HookSink } from './support/hook-sink';
import { PersistentClient } from './support/persistent-client';
import { type Findings, say } from './support/verdict';

const BATCH = 50;
const PATIENCE_MS = 300_000;
const ARRIVAL_MS = 30_000;

/**
 * One workspace (`--noisy`: several) has a mountain of deliveries to endpoints that accept and never answer. Another one's events arrive as
 * if it were alone.
 */
export async function hookFair(args: readonly string[]): Promise<Findings> {
  const options = {
    deliveries: { type: 'string', default: '50000' },
    seconds: { type: 'string', default: '60' },
    noisy: { type: 'string', default: '1' },
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  const [deliveries, seconds, noisy] = [Number(values.deliveries), Number(values.seconds), Number(values.noisy)];
  const dataDir = mkdtempSync(join(tmpdir(), 'helpdesk-gate-'));
  const hanging = await startReceiver(() => undefined);
  const sink = new HookSink();
  await sink.listen();
  const services = await GateServices.start(dataDir, say);
  const fleet = new Fleet(gateEnvironment(services.urls, dataDir), join(dataDir, 'fleet.log'));
  const client = new Client({ connectionString: services.databaseUrl });
  try {
    await client.connect();
    const [b, ...others] = await createWorkspaces(services.databaseUrl, dataDir, 1 + noisy);
    if (!b) throw new Error('No workspace.');
    await fleet.start(['api', 'worker']);
    const quiet = new PersistentClient(() => fleet.urls, b.token);
    await quiet.write('POST', '/webhooks', { url: sink.at('/b'), events: ['ticket.created'] }, 'quiet');

    say('The quiet workspace alone.');
    await oncePerSecond(quiet, sink, 5, 'warm');
    const alone = await oncePerSecond(quiet, sink, Math.min(20, seconds), 'alone');
    for (const { token } of others) {
      await pileUp(client, new PersistentClient(() => fleet.urls, token), hanging, deliveries / noisy);
    }
    const ids = others.map(({ id }) => id);
    say(`${await pending(client, ids)} deliveries wait; the quiet workspace beside them for ${seconds} s.`);
    const beside = await oncePerSecond(quiet, sink, seconds, 'beside');
    const left = await pending(client, ids);
    return {
      checks: [
        {
          name: 'deliveries that wait for hanging endpoints, at the end',
          value: left,
          target: { least: deliveries * 0.9 },
        },
        { name: 'connections that hang', value: hanging.open, target: { least: 1 } },
        { name: 'events of the quiet workspace that arrived', value: beside.length, target: { least: seconds } },
        { name: 'p99 of the quiet workspace in ms', value: quantile(beside, 0.99), target: { most: 2_000 } },
      ],
      facts: {
        alone: { p50: quantile(alone, 0.5), p99: quantile(alone, 0.99) },
        beside: { p50: quantile(beside, 0.5), p99: quantile(beside, 0.99), most: Math.max(...beside) },
        attempts: hanging.connections,
        noisy,
      },
    };
  } finally {
    await client.end();
    await hanging.close();
    await fleet.stop();
    await services.stop();
    await sink.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Fifty endpoints that want every ticket, and tickets, until there are so many deliveries. */
async function pileUp(client: Client, noisy: PersistentClient, { port }: Receiver, deliveries: number): Promise<void> {
  const endpoints = 50;
  for (let n = 0; n < endpoints; n++) {
    const body = { url: `http://127.0.0.1:${port}/${n}`, events: ['ticket.created'] };
    await noisy.write('POST', '/webhooks', body, `noisy-${n}`);
  }
  const rounds = Math.ceil(deliveries / endpoints / BATCH);
  const operations = Array.from({ length: BATCH }, (_, n) => ({ op: 'create', data: { subject: `Noise ${n}` } }));
  for (let round = 0; round < rounds; round++) {
    await noisy.write('POST', '/tickets/batch', { operations }, `noise-${round}`);
  }
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const { rows } = await client.query<{ n: number }>('SELECT count(*)::int AS n FROM event_outbox');
    if (rows[0]?.n === 0) return;
    if (Date.now() > deadline) throw new Error(`${rows[0]?.n} events are still waiting to be fanned out.`);
    await sleep(1_000);
  }
}

async function pending(client: Client, workspaceIds: readonly number[]): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM webhook_deliveries WHERE workspace_id = ANY ($1) AND status IN ('pending', 'retrying')`,
    [workspaceIds],
  );
  return rows[0]?.n ?? 0;
}

/** A ticket a second; answers how many milliseconds after its transaction began each event had arrived. */
async function oncePerSecond(client: PersistentClient, sink: HookSink, count: number, name: string): Promise<number[]> {
  const before = new Set(sink.of('/b').keys());
  const startedAt = Date.now();
  const sent: Promise<unknown>[] = [];
  for (let n = 0; n < count; n++) {
    await sleep(Math.max(0, startedAt + n * 1_000 - Date.now()));
    sent.push(client.write('POST', '/tickets', { subject: `${name} ${n}` }, `${name}-${n}`));
  }
  await Promise.all(sent);
  const deadline = Date.now() + ARRIVAL_MS;
  const fresh = (): [string, { firstAt: number; eventAt: number }][] =>
    [...sink.of('/b')].filter(([id]) => !before.has(id));
  while (fresh().length < count && Date.now() < deadline) await sleep(50);
  return fresh().map(([, { firstAt, eventAt }]) => firstAt - eventAt);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}
