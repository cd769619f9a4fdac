import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { RARE_WORDS } from '../../src/cli/seed/vocabulary';
import { projectRoot, type ServiceUrls } from '../../src/config';
import { type BenchWorkspace, prepareWorkspace, withClient } from './bench-data';
import { startBare, startService } from './bench-servers';
import { postmasterOf, startBenchServices } from './bench-services';
import { compare, latencyOf, Probe, ratesOf } from './load';
import { realTexts } from './real-texts';
import { type Finding, milliseconds, rate, report, told } from './report';
import { searchedLists, searchesAlone, searchesAtOnce } from './search';
import { draw, folded, learned, swept } from './search-ready';
import type { Setting } from './setting';
import { statsQueries } from './stats';
import { ofBare, ofService, one, ratio } from './throughput';

/** Parts of all lists at which a page is asked for by its offset. */
const DEPTHS = [0.3, 0.5, 0.97];
/** Lists that were slow once, or are likely to be. */
const LISTS: readonly string[] = [
  'status=resolved,closed&priority=high,urgent&sort=-resolved_at',
  'sla_due_before={now}',
  'has_parent=false',
  'csat_score=none',
  'company_id=none',
  'requester_email=none',
  'team_id=none&status=open',
  'created_after={year}&priority=high&sort=-updated_at',
];
const SORTS = ['-created_at', '-updated_at', 'code', 'subject', '-priority', '-resolved_at', 'sla_due_at', 'status'];
const MOST_LIST_MS = 150;
const MOST_STATS_MS = 20;
const LEAST_STATS = 500;
const CONNECTIONS = 16;
/** Of lists that are asked one after the other while something else goes on, and how many of them nothing is concluded from. */
const PAUSE_MS = 20;
const WARM_UP = 50;
const DAY_MS = 86_400_000;

type Measure = (setting: Setting, words: { rare: readonly string[] }) => Promise<Finding[]>;

/** In this order, so that whatever is new is compiled by what is not compared. */
const PARTS: Readonly<Record<string, Measure>> = { search, lists, stats, reads };

/**
 * One workspace of a million tickets through HTTP, in minutes: every kind of search, lists that search, lists far down, statistics, and
 * one ticket and one page beside the bare handlers. The first run seeds, and waits until words are learned and their bits made.
 */
export async function runMillion(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tickets: { type: 'string', default: '1000000' },
      samples: { type: 'string', default: '40' },
      texts: { type: 'string' },
      only: { type: 'string' },
      'data-dir': { type: 'string', default: join(projectRoot, '.data', 'bench') },
    },
  });
  const [tickets, samples, dataDir] = [Number(values.tickets), Number(values.samples), values['data-dir']];
  const texts = values.texts === undefined ? undefined : realTexts(values.texts);
  const services = await startBenchServices(dataDir);
  try {
    const measured = await prepareWorkspace(services, dataDir, tickets, texts);
    const service = await startService(services, dataDir, measured);
    const bare = await startBare(services.databaseUrl, measured);
    try {
      const findings = await madeReady(services, service.url, measured);
      const setting: Setting = {
        data: { measured, small: measured },
        databaseUrl: services.databaseUrl,
        service,
        start: (env) => startService(services, dataDir, measured, env),
        bare,
        authorization: `Bearer ${measured.token}`,
        // Fewer requests take hardly longer than connecting does, which makes rates equal that are not.
        load: { connections: CONNECTIONS, rounds: 7, requests: 5_000, postmaster: postmasterOf(dataDir) },
        samples,
      };
      const memory = service.watchMemory();
      const wanted = Object.entries(PARTS).filter(([name]) => (values.only ?? name) === name);
      for (const [name, part] of wanted) {
        process.stderr.write(`Measuring ${name}.\n`);
        findings.push(...(await part(setting, { rare: texts?.rare ?? RARE_WORDS })));
      }
      const most = memory();
      findings.push(
        told({
          name: 'memory of the service, most seen, in MB',
          service: `${Math.round(most)} MB`,
          value: most,
          target: { most: 250 },
        }),
      );
      return report('million', findings, { tickets, samples, real: texts !== undefined, node: process.version });
    } finally {
      await Promise.all([service.stop(), bare.stop()]);
    }
  } finally {
    await services.stop();
  }
}

/**
 * Waits until words are learned, bits made and clocks seen to. Lists meanwhile, one after the other with pauses, beside as many afterwards; no finding where
 * an earlier run has waited.
 */
async function madeReady(services: ServiceUrls, url: string, { id, token }: BenchWorkspace): Promise<Finding[]> {
  const probe = new Probe({ authorization: `Bearer ${token}` });
  const list = async (): Promise<number> => {
    await sleep(PAUSE_MS);
    return (await probe.get(`${url}/v1/tickets?page=2`)).ms;
  };
  const meanwhile: number[] = [];
  const ready = new AbortController();
  const waiting = learned(services, id)
    .then(() => folded(services, id))
    .then(() => swept(services, id))
    .finally(() => {
      ready.abort();
    });
  try {
    for (let round = 0; round < WARM_UP; round++) await list();
    while (!ready.signal.aborted) meanwhile.push(await list());
    await waiting;
    if (meanwhile.length < WARM_UP) return [];
    const alone: number[] = [];
    for (let round = 0; round < meanwhile.length; round++) alone.push(await list());
    const [beside, by] = [latencyOf(meanwhile), latencyOf(alone)];
    return [
      {
        name: 'p95 of a list while bits are made, beside alone',
        service: milliseconds(beside.p95),
        beside: milliseconds(by.p95),
        value: beside.p95 / by.p95,
        target: { most: 3 },
      },
    ];
  } finally {
    probe.close();
  }
}

async function search(
  { databaseUrl, service, data, samples }: Setting,
  { rare }: { rare: readonly string[] },
): Promise<Finding[]> {
  const { token, id } = data.measured;
  const sample = { ...(await draw({ databaseUrl }, id)), rare };
  return [
    ...(await searchesAlone(service.url, token, sample, samples)),
    ...(await searchesAtOnce(service.url, token, sample)),
    ...(await searchedLists({ databaseUrl }, service.url, data.measured, samples)),
  ];
}

async function lists({ service, authorization, samples }: Setting): Promise<Finding[]> {
  const probe = new Probe({ authorization });
  const findings: Finding[] = [];
  const moments: Readonly<Record<string, number>> = { '{now}': Date.now(), '{year}': Date.now() - 365 * DAY_MS };
  const filled = LISTS.map((list) => list.replace(/\{\w+\}/, (name) => new Date(moments[name] ?? 0).toISOString()));
  try {
    for (const query of [...filled, ...SORTS.map((by) => `sort=${by}`)]) {
      const url = `${service.url}/v1/tickets?${query}`;
      const { meta } = JSON.parse((await probe.get(`${url}&limit=1`)).body) as { meta: { total: number } };
      const times: [string, number][] = [];
      for (const depth of [0, ...DEPTHS]) {
        const asked = `${url}&offset=${Math.floor(meta.total * depth)}`;
        const { p95 } = await probe.latency(Array.from({ length: Math.ceil(samples / 4) }, () => asked));
        times.push([String(depth), p95]);
      }
      const most = Math.max(...times.map(([, ms]) => ms));
      findings.push(
        told({
          name: `list, ${query} (${meta.total}), most p95 in ms`,
          service: times.map(([depth, ms]) => `${depth}: ${milliseconds(ms)}`).join(', '),
          value: most,
          target: { most: MOST_LIST_MS },
        }),
      );
    }
    return findings;
  } finally {
    probe.close();
  }
}

async function stats({ databaseUrl, service, data, authorization, samples, load }: Setting): Promise<Finding[]> {
  const kinds = await withClient(databaseUrl, (client) => statsQueries(client, data.measured.id));
  const probe = new Probe({ authorization });
  const findings: Finding[] = [];
  try {
    for (const [name, query] of Object.entries(kinds)) {
      const url = `${service.url}/v1/stats?${query}`;
      await probe.latency([url, url, url, url, url, url]);
      const { p50, p95 } = await probe.latency(Array.from({ length: samples }, () => url));
      findings.push(
        told({
          name: `stats, ${name}, p95 in ms`,
          service: `p50 ${milliseconds(p50)}`,
          value: p95,
          target: { most: MOST_STATS_MS },
        }),
      );
    }
  } finally {
    probe.close();
  }
  const forms = Object.values(kinds).map((query) => ({ path: `/v1/stats?${query}` }));
  for (const [name, requests] of [
    ['of one form', forms.slice(0, 1)],
    ['of all forms', forms],
  ] as const) {
    const target = { url: service.url, headers: { authorization }, requests: [...requests], warmUp: 500 };
    const { all } = await ratesOf({ all: target }, { connections: load.connections, seconds: 3, rounds: 3 });
    findings.push(
      told({
        name: `stats ${name} over ${load.connections} connections`,
        service: rate(all),
        value: all,
        target: { least: LEAST_STATS },
      }),
    );
  }
  return findings;
}

async function reads(setting: Setting): Promise<Finding[]> {
  const list = await compare(
    { service: ofService(setting, ['/tickets']), bare: ofBare(setting, ['/list']) },
    setting.load,
  );
  return [
    ...(await one(setting, 0.8)),
    ratio('list page of 25, exact total; bare JSON text', list.service, list.bare, { least: 0.85 }),
  ];
}
