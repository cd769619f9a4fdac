import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { Api } from '../support/api';
import { Fleet } from './support/fleet';
import { gateEnvironment } from './support/gate-environment';
import { GateServices } from './support/gate-services';
import { createWorkspaces } from './support/gate-workspaces';
import { type Findings, say } from './support/verdict';

const PER_BATCH = 50;
const COMMENT = 'The line is back; please restart your router.';

/**
 * `npm run gate -- incidents [--incidents 10000 --kills 2]`: all incidents of one problem are resolved by its job, each once, whatever dies
 * meanwhile, while others read lists and write tickets.
 */
export async function incidents(args: readonly string[]): Promise<Findings> {
  const options = {
    incidents: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '2' },
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  const [wanted, kills] = [Number(values.incidents), Number(values.kills)];
  const dataDir = mkdtempSync(join(tmpdir(), 'helpdesk-gate-'));
  const services = await GateServices.start(dataDir, say);
  const fleet = new Fleet(gateEnvironment(services.urls, dataDir), join(dataDir, 'fleet.log'));
  const database = new Client({ connectionString: services.databaseUrl });
  try {
    const [workspace] = await createWorkspaces(services.databaseUrl, dataDir, 1);
    await fleet.start(['api', 'worker']);
    if (!workspace) throw new Error('No workspace was made.');
    const api = new Api(fleet.urls[0] ?? '', workspace.token);
    await database.connect();
    await database.query(`SELECT set_config('app.workspace_id', $1, false)`, [String(workspace.id)]);
    const problem = (await api.post('/tickets', { subject: 'The line is down', type: 'problem' })).expect(201).data.id;
    await report(api, problem, wanted);
    say(`${wanted} incidents of one problem.`);
    const quiet = await lists(api, 100);
    const worker = fleet.pids[1] ?? 0;
    const before = resident(worker);
    const began = performance.now();
    const answer = await api.post(`/tickets/${problem}/resolve`, { incidents: true, comment: COMMENT });
    const answeredMs = performance.now() - began;
    const told = Number(answer.expect(200).meta.incidents);
    const busy: number[] = [];
    let most = before;
    let killed = 0;
    for (let left = wanted; left > 0;) {
      busy.push(...(await lists(api, 5)));
      most = Math.max(most, resident(fleet.pids[1] ?? 0));
      left = await count(database, workspace.id, problem, `status NOT IN ('resolved', 'closed')`);
      if (killed < kills && left < wanted - ((killed + 1) * wanted) / (kills + 1)) {
        killed++;
        say(`A kill with ${left} left.`);
        process.kill(fleet.pids[1] ?? 0, 'SIGKILL');
      }
      await sleep(100);
    }
    const seconds = (performance.now() - began) / 1_000;
    const ended = async (): Promise<number> =>
      (await database.query(`SELECT FROM ticket_incident_runs WHERE workspace_id = $1`, [workspace.id])).rowCount ?? 0;
    while ((await ended()) > 0) await sleep(100);
    const commented = await database.query(
      `SELECT FROM ticket_comments c JOIN tickets t ON t.workspace_id = c.workspace_id AND t.id = c.ticket_id
       WHERE c.workspace_id = $1 AND t.parent_id = $2 AND c.body = $3`,
      [workspace.id, problem, COMMENT],
    );
    const events = await database.query(
      `SELECT FROM events e JOIN tickets t ON t.workspace_id = e.workspace_id AND t.id = e.object_id AND e.object = 'ticket'
       WHERE e.workspace_id = $1 AND t.parent_id = $2 AND e.type = 'ticket.resolved'`,
      [workspace.id, problem],
    );
    const [end] = (await api.get(`/events?type=ticket.incidents_resolved&per_page=1`)).expect(200).rows;
    return {
      checks: [
        { name: 'incidents that the answer tells of too few', value: wanted - told, target: { most: 0 } },
        {
          name: 'comments too many or too few',
          value: Math.abs((commented.rowCount ?? 0) - wanted),
          target: { most: 0 },
        },
        { name: 'events too many or too few', value: Math.abs((events.rowCount ?? 0) - wanted), target: { most: 0 } },
        { name: 'ends that are told', value: end === undefined ? 0 : 1, target: { least: 1 } },
        { name: 'ms until the answer', value: Math.round(answeredMs), target: { most: 1_000 }, timed: true },
        { name: 'MB of memory more in the worker', value: Math.round(most - before), target: { most: 150 } },
        {
          name: 'p95 of a list meanwhile, times that before',
          value: Math.round((p95(busy) / p95(quiet)) * 100) / 100,
          target: { most: 3 },
          timed: true,
        },
      ],
      facts: {
        incidents: wanted,
        kills: killed,
        resolve_seconds: Math.round(seconds),
        per_second: Math.round(wanted / seconds),
        p95_before_ms: Math.round(p95(quiet)),
        p95_meanwhile_ms: Math.round(p95(busy)),
      },
    };
  } finally {
    await database.end();
    await fleet.stop();
    await services.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Incidents as customers report them, in batches. */
async function report(api: Api, problem: number, wanted: number): Promise<void> {
  for (let made = 0; made < wanted; made += PER_BATCH) {
    const size = Math.min(PER_BATCH, wanted - made);
    const operations = Array.from({ length: size }, (_, n) => ({
      op: 'create',
      data: { subject: `No internet ${made + n}`, type: 'incident', parent_id: problem },
    }));
    (await api.post('/tickets/batch', { operations })).expect(200);
  }
}

/** How long each of so many lists takes, in ms. */
async function lists(api: Api, times: number): Promise<number[]> {
  const all: number[] = [];
  while (all.length < times) {
    const began = performance.now();
    (await api.get('/tickets?status=open&per_page=25')).expect(200);
    all.push(performance.now() - began);
  }
  return all;
}

async function count(database: Client, workspaceId: number, problem: number, condition: string): Promise<number> {
  const { rows } = await database.query<{ n: string }>(
    `SELECT count(*) AS n FROM tickets WHERE workspace_id = $1 AND parent_id = $2 AND ${condition}`,
    [workspaceId, problem],
  );
  return Number(rows[0]?.n ?? 0);
}

const p95 = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.95)] ?? 0;

/** MB of a process; 0 of one that has gone. */
function resident(pid: number): number {
  try {
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1_024;
  } catch {
    return 0;
  }
}
