import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Role } from '../../src/config';
import { auditChaos } from './support/chaos-audit';
import { ChaosLoad } from './support/chaos-load';
import { runFaults, seeded } from './support/fault-schedule';
import { Fleet } from './support/fleet';
import { gateEnvironment } from './support/gate-environment';
import { GateServices } from './support/gate-services';
import { createWorkspaces } from './support/gate-workspaces';
import { HookSink } from './support/hook-sink';
import { type Findings, say } from './support/verdict';
import { wayBack } from './support/way-back';

/** How much happens, and for how long. */
export interface ChaosPlan {
  /** At least so many events that someone subscribed to. */
  events: number;
  workspaces: number;
  clients: number;
  /** In which the faults fall. */
  seconds: number;
  kills: number;
  redisKills: number;
  redisHangs: number;
  hangSeconds: number;
  /** One more hang, after which nobody is killed: whoever it leaves without Redis stays so. */
  lastHangSeconds: number;
  postgresCrashes: number;
  seed: number;
}

const DEFAULTS: ChaosPlan = {
  events: 20_000,
  workspaces: 20,
  clients: 40,
  seconds: 420,
  kills: 100,
  redisKills: 5,
  redisHangs: 2,
  hangSeconds: 30,
  lastHangSeconds: 12,
  postgresCrashes: 3,
  seed: 1,
};

/** The processes of the service. */
const FLEET: readonly Role[] = ['api', 'api', 'worker', 'worker'];
/** What each of them that works fetches from. */
const QUEUES = 3;

/** `npm run gate -- hook-chaos [--events 20000 …]`: every field of the plan is an option. */
export function hookChaos(args: readonly string[]): Promise<Findings> {
  const names = Object.keys(DEFAULTS) as (keyof ChaosPlan)[];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  const { values } = parseArgs({ args: [...args], options });
  const given = names.flatMap((name) => (values[name] === undefined ? [] : [[name, Number(values[name])] as const]));
  return runChaos({ ...DEFAULTS, ...Object.fromEntries(given) }, say);
}

/**
 * Clients write through the processes that serve the API while these, the workers, Redis and PostgreSQL die, hang and come
 * back. After that, every committed event has reached its endpoint, and nothing else has.
 */
export async function runChaos(
  plan: ChaosPlan,
  tell: (line: string) => void,
  roles: readonly Role[] = FLEET,
): Promise<Findings> {
  const consumers = QUEUES * roles.filter((role) => role !== 'api').length;
  const dataDir = mkdtempSync(join(tmpdir(), 'helpdesk-gate-'));
  const sink = new HookSink();
  await sink.listen();
  const services = await GateServices.start(dataDir, tell);
  const fleet = new Fleet(gateEnvironment(services.urls, dataDir), join(dataDir, 'fleet.log'));
  let kept = false;
  try {
    const workspaces = await createWorkspaces(services.databaseUrl, dataDir, plan.workspaces);
    await fleet.start(roles);
    const load = new ChaosLoad(workspaces, sink, () => fleet.urls);
    await load.subscribe();
    const random = seeded(plan.seed);
    tell(`${load.endpoints.length} endpoints; ${plan.seconds} s of faults.`);
    const writing = load.write(plan.clients, plan.events, plan.seconds * 1_000);
    const faults = [
      { name: 'Process killed,', times: plan.kills, act: () => fleet.killOne(random) },
      { name: 'Redis killed and emptied,', times: plan.redisKills, act: () => services.killRedis() },
      { name: 'Redis hangs,', times: plan.redisHangs, act: () => services.hangRedis(plan.hangSeconds * 1_000) },
      { name: 'PostgreSQL crashes,', times: plan.postgresCrashes, act: () => services.crashPostgres() },
    ];
    await Promise.all([runFaults(faults, plan.seconds * 1_000, random, tell), writing]);
    // Killed processes are new ones with new connections: the way back shows only in those that live through a hang.
    tell('Redis hangs once more, and nobody is killed.');
    await wayBack(fleet.urls, services.redisUrl, consumers);
    await services.hangRedis(plan.lastHangSeconds * 1_000);
    const lastFaultAt = Date.now();
    const back = await wayBack(fleet.urls, services.redisUrl, consumers);
    tell(`${load.acknowledged} writes acknowledged after ${load.retries} repetitions; waiting for the rest.`);
    const audit = await auditChaos(services.databaseUrl, load, sink, lastFaultAt, tell);
    kept = audit.lost > 0 || audit.ghosts > 0;
    return {
      checks: [
        { name: 'events that were subscribed to', value: audit.events, target: { least: plan.events } },
        { name: 'events lost', value: audit.lost, target: { most: 0 } },
        { name: 'messages without a committed event', value: audit.ghosts, target: { most: 0 } },
        { name: 'messages at an endpoint that did not subscribe', value: audit.strays, target: { most: 0 } },
        { name: 'copies that differ', value: sink.altered, target: { most: 0 } },
        { name: 'signatures that do not match', value: sink.forged, target: { most: 0 } },
        { name: 'requests to deactivated endpoints', value: audit.toDeactivated, target: { most: 0 } },
        { name: 'acknowledged writes lost or doubled', value: audit.writesWrong, target: { most: 0 } },
        {
          name: 'longest wait for a message after the last fault, in s',
          value: audit.drainSeconds,
          target: { most: 60 },
          timed: true,
        },
        {
          name: 'API processes whose jobs travel through Redis again',
          value: back.apis,
          target: { least: fleet.urls.length },
        },
        { name: 'consumers that are connected again', value: back.consumers, target: { least: consumers } },
        { name: 'seconds until then', value: back.seconds, target: { most: 15 }, timed: true },
        { name: 'jobs left undone', value: audit.jobsLeft, target: { most: 0 } },
        { name: 'processes killed', value: fleet.kills, target: { least: plan.kills } },
      ],
      facts: {
        endpoints: load.endpoints.length,
        acknowledged: load.acknowledged,
        retries: load.retries,
        requests: sink.requests,
        duplicates: audit.duplicates,
        repeatedAttempts: sink.repeated,
        examples: audit.examples,
        ...(kept ? { log: join(dataDir, 'fleet.log') } : {}),
      },
    };
  } finally {
    await fleet.stop();
    await services.stop();
    await sink.close();
    await sleep(0);
    if (!kept) rmSync(dataDir, { recursive: true, force: true });
  }
}
