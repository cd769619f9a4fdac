import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { Api } from '../support/api';
import { furnish } from '../support/belongings';
import { allOperations } from '../support/operations';
import { BackendWatch } from './support/backend-watch';
import { type DosCase, dosCases } from './support/dos-cases';
import { Fleet } from './support/fleet';
import { gateEnvironment } from './support/gate-environment';
import { GateServices } from './support/gate-services';
import { createWorkspaces, type GateWorkspace } from './support/gate-workspaces';
import type { ProberOrder, ProberReport } from './support/me-prober';
import { type Findings, say } from './support/verdict';

/** What another workspace may wait for `/me`, beyond what it waits beside ordinary requests. */
const STALL_MS = 100;
const BACKEND_MS = 5_000;
/** Statements are looked at in passing: one that ends at its timeout may be seen a little later. */
const LOOK_MS = 250;
const LOOKS = 3;
const MOST_SUSPECTS = 80;

interface Sent extends DosCase {
  from: number;
  to: number;
  status: number;
}

/**
 * Sends the corpus of hostile inputs into every text field and parameter of the API, several at a time, while another workspace asks
 * `/me` and the sessions of PostgreSQL are watched. A wait that ordinary requests do not cause makes suspects of the requests
 * that were under way; each is sent alone, three times, and counts by the least of its stalls: chance does not come three times.
 */
export async function cpuDos(args: readonly string[]): Promise<Findings> {
  const options = { few: { type: 'string', default: '2' }, parallel: { type: 'string', default: '6' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const [few, parallel] = [Number(values.few), Number(values.parallel)];
  const dataDir = mkdtempSync(join(tmpdir(), 'helpdesk-gate-'));
  const services = await GateServices.start(dataDir, say);
  const fleet = new Fleet(gateEnvironment(services.urls, dataDir), join(dataDir, 'fleet.log'));
  const client = new Client({ connectionString: services.databaseUrl });
  const prober = fork(join(__dirname, 'support', 'me-prober.js'));
  const watch = new BackendWatch(services.databaseUrl);
  try {
    await client.connect();
    const [attacker, bystander] = await createWorkspaces(services.databaseUrl, dataDir, 2);
    if (!attacker || !bystander) throw new Error('No workspace.');
    await fleet.start(['all']);
    const [url = ''] = fleet.urls;
    const own = await furnish(
      new Api(url, attacker.token),
      { rows: async (text, given = []) => (await client.query(text, [...given])).rows as never },
      'attacked',
    );
    const cases = dosCases(await allOperations(), own, few);
    await watch.start();
    prober.send({ url, token: bystander.token } satisfies ProberOrder);

    const ordinary = await ordinaryWait(prober, url, attacker, parallel);
    const limit = STALL_MS + ordinary;
    say(
      `${cases.length} requests, ${parallel} at a time; beside ordinary ones /me took up to ${Math.round(ordinary)} ms.`,
    );
    watch.reset();
    const sent = await sendAll(url, attacker, cases, parallel);
    const { waits, failures } = await reportOf(prober);
    const stalls = waits.filter(({ ms }) => ms > limit);
    const suspects = sent
      .filter(({ from, to }) => stalls.some(({ at, ms }) => from < at + ms && to > at))
      .slice(0, MOST_SUSPECTS);
    say(
      `${stalls.length} stalls, the longest of ${round(longest(waits))} ms; ${suspects.length} suspects are looked at alone.`,
    );
    const judged = await judge(prober, url, attacker, suspects);
    const guilty = judged.filter(({ ms }) => ms > limit).sort((a, b) => b.ms - a.ms);
    const answers: Record<string, number> = {};
    for (const { status } of sent) answers[status] = (answers[status] ?? 0) + 1;
    return {
      checks: [
        { name: 'hostile requests', value: sent.length, target: { least: 1_000 } },
        {
          name: 'requests answered 5xx other than 503',
          value: sent.filter(({ status }) => status >= 500 && status !== 503).length,
          target: { most: 0 },
        },
        {
          name: 'requests that were not answered',
          value: sent.filter(({ status }) => status === 0).length,
          target: { most: 0 },
        },
        { name: '/me of another workspace that failed', value: failures, target: { most: 0 } },
        { name: '/me asked', value: waits.length, target: { least: 100 } },
        {
          name: 'longest stall that a request causes each time, ms',
          value: round(longest(judged)),
          target: { most: round(limit) },
          timed: true,
        },
        {
          name: 'longest statement in PostgreSQL, ms',
          value: round(watch.longest.ms),
          target: { most: BACKEND_MS + LOOK_MS },
          timed: true,
        },
      ],
      facts: {
        ordinary_wait_ms: round(ordinary),
        longest_wait_ms: round(longest(waits)),
        median_wait_ms: round(waits.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(waits.length / 2)] ?? 0),
        stalls: stalls.length,
        suspects: suspects.length,
        guilty: guilty.slice(0, 20).map(({ name, ms }) => `${name}: ${round(ms)} ms`),
        longest_statement: watch.longest,
        longest_transaction_ms: round(watch.longestTransactionMs),
        answers,
        unexpected: sent
          .filter(({ status }) => status === 0 || status >= 500)
          .slice(0, 20)
          .map(({ name, status }) => `${status} ${name}`),
      },
    };
  } finally {
    prober.kill();
    await watch.stop();
    await client.end().catch(() => undefined);
    await fleet.stop();
    await services.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The longest wait for `/me` beside requests as people send them: what this machine adds of its own. */
async function ordinaryWait(
  prober: ChildProcess,
  url: string,
  workspace: GateWorkspace,
  parallel: number,
): Promise<number> {
  const text = 'The printer on floor 3 is jammed, and the spare one prints nothing but blank pages. '.repeat(12);
  const ordinary = Array.from({ length: 50 * parallel }, (_, at): DosCase => {
    const body = at % 2 ? null : JSON.stringify({ subject: `Printer ${at}`, description: text });
    return { name: 'ordinary', method: body === null ? 'GET' : 'POST', path: '/tickets', body };
  });
  // Compiled and connected first; then measured.
  await sendAll(url, workspace, ordinary, parallel);
  await reportOf(prober);
  await sendAll(url, workspace, ordinary, parallel);
  return longest((await reportOf(prober)).waits);
}

async function sendAll(
  url: string,
  workspace: GateWorkspace,
  cases: readonly DosCase[],
  parallel: number,
): Promise<Sent[]> {
  const sent: Sent[] = [];
  let next = 0;
  const sender = async (): Promise<void> => {
    for (let one = cases[next++]; one; one = cases[next++]) sent.push(await send(url, workspace, one));
  };
  await Promise.all(Array.from({ length: parallel }, sender));
  return sent;
}

async function send(url: string, { token }: GateWorkspace, one: DosCase): Promise<Sent> {
  const from = Date.now();
  const headers = {
    authorization: `Bearer ${token}`,
    ...(one.body === null ? {} : { 'content-type': 'application/json' }),
  };
  const status = await fetch(`${url}/v1${one.path}`, { method: one.method, headers, body: one.body }).then(
    async (answer) => (await answer.arrayBuffer(), answer.status),
    () => 0,
  );
  return { ...one, from, to: Date.now(), status };
}

/** How long each suspect keeps `/me` waiting when it is alone: the least of several times. */
async function judge(
  prober: ChildProcess,
  url: string,
  workspace: GateWorkspace,
  suspects: readonly DosCase[],
): Promise<{ name: string; ms: number }[]> {
  const judged: { name: string; ms: number }[] = [];
  for (const suspect of suspects) {
    let least = Infinity;
    for (let look = 0; look < LOOKS && least > STALL_MS; look++) {
      await sleep(LOOK_MS);
      await reportOf(prober);
      await send(url, workspace, suspect);
      await sleep(LOOK_MS);
      least = Math.min(least, longest((await reportOf(prober)).waits));
    }
    judged.push({ name: suspect.name, ms: least });
  }
  return judged;
}

async function reportOf(prober: ChildProcess): Promise<ProberReport> {
  const answer = once(prober, 'message');
  prober.send('report' satisfies ProberOrder);
  const [report] = (await answer) as [ProberReport];
  return report;
}

function longest(waits: readonly { ms: number }[]): number {
  return Math.max(0, ...waits.map(({ ms }) => ms));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
