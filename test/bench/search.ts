import { parseArgs } from 'node:util';
import { join } from 'node:path';
import { openSession } from '../../src/cli/session';
import { seedWorkspace } from '../../src/cli/seed/workspace';
import { RARE_WORDS } from '../../src/cli/seed/vocabulary';
import { projectRoot, type ServiceUrls } from '../../src/config';
import { startBenchServices } from './bench-services';
import { withClient } from './bench-data';
import { Child } from './child';
import { latencyOf, Probe, ratesOf } from './load';
import { createProgressLine } from './progress-line';
import { type RealTexts, realTexts } from './real-texts';
import { type Finding, milliseconds, rate, report, told } from './report';
import { kinds, lists, type Sample } from './search-kinds';
import { draw, folded, learned } from './search-ready';
import { migrate } from '../support/migrate';

/** Most milliseconds that 95 of 100 searches may take, whatever is searched. */
const MOST_MS = 50;
const MOST_LISTED_MS = 60;
/** Searches per second over so many connections. */
const CONNECTIONS = 16;
const LEAST_PER_SECOND = 150;
const LEAST_RARE_PER_SECOND = 1_000;
const LOAD_SECONDS = 10;

/** `GET /search` over one workspace, one request after another, and what its index costs a new ticket. */
export async function runSearch(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tickets: { type: 'string', default: '1000000' },
      samples: { type: 'string', default: '100' },
      creates: { type: 'string', default: '400' },
      texts: { type: 'string' },
      'data-dir': { type: 'string', default: join(projectRoot, '.data', 'bench-search') },
    },
  });
  const [tickets, samples, creates] = [values.tickets, values.samples, values.creates].map(Number);
  const dataDir = values['data-dir'];
  const texts = values.texts === undefined ? undefined : realTexts(values.texts);
  const services = await startBenchServices(dataDir);
  try {
    const { id, token } = await prepare(services, dataDir, tickets ?? 0, texts);
    const env = {
      DATABASE_URL: services.databaseUrl,
      REDIS_URL: services.redisUrl,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
    };
    const service = await Child.start(join(projectRoot, 'dist', 'src', 'main.js'), env, '/v1/tickets', token);
    try {
      await learned(services, id);
      await folded(services, id);
      const sample = { ...(await draw(services, id)), rare: texts?.rare ?? RARE_WORDS };
      const findings = await searchesAlone(service.url, token, sample, samples ?? 0);
      findings.push(...(await searchedLists(services, service.url, { id, token }, samples ?? 0)));
      findings.push(...(await searchesAtOnce(service.url, token, sample)));
      findings.push(await creation(services, service.url, token, creates ?? 0));
      return report('search', findings, { tickets, samples, creates, node: process.version });
    } finally {
      await service.stop();
    }
  } finally {
    await services.stop();
  }
}

/** A workspace with that many tickets, seeded by the first run. */
async function prepare(
  services: ServiceUrls,
  dataDir: string,
  tickets: number,
  texts: RealTexts | undefined,
): Promise<{ id: number; token: string }> {
  const { databaseUrl, migrateDatabaseUrl } = services;
  await migrate(migrateDatabaseUrl);
  return openSession({ dataDir }, databaseUrl, async ({ plans, provisioning, tokens }) => {
    const plan = {
      key: 'bench',
      rate_limit_per_minute: 10_000_000,
      monthly_quota: 1_000_000_000,
      overage_enabled: true,
    };
    await plans.put(plan);
    const slug = `search-${tickets}${texts ? '-real' : ''}`;
    let workspace = await provisioning.findWorkspace(slug);
    if (!workspace) {
      workspace = await provisioning.createWorkspace({ name: slug, slug, plan: plan.key });
      const progress = createProgressLine(slug);
      const { seconds } = await seedWorkspace({
        databaseUrl,
        workspaceId: workspace.id,
        tickets,
        comments: false,
        progress,
        ...(texts ? { text: texts.next } : {}),
      });
      console.log(`${tickets} tickets in ${seconds} s.`);
    }
    const { token } = await tokens.create({ workspaceId: workspace.id, scopes: ['*'], name: 'Bench' });
    return { id: workspace.id, token };
  });
}

/** Each kind of search alone. */
export async function searchesAlone(url: string, token: string, sample: Sample, samples: number): Promise<Finding[]> {
  const probe = new Probe({ authorization: `Bearer ${token}` });
  const findings: Finding[] = [];
  try {
    for (const { name, texts } of kinds) {
      const urls = texts(sample).map((text) => `${url}/v1/search?q=${encodeURIComponent(text)}`);
      const first = JSON.parse((await probe.get(urls[0] ?? '')).body) as { meta: { totals: { tickets: number } } };
      const times: number[] = [];
      for (let at = 0; at < samples; at++) times.push((await probe.get(urls[at % urls.length] ?? '')).ms);
      const { p50, p95 } = latencyOf(times);
      findings.push(
        told({
          name: `${name} (${texts(sample)[0]}: ${first.meta.totals.tickets} tickets), p95 in ms`,
          service: `p50 ${milliseconds(p50)}`,
          beside: `p95 ${milliseconds(p95)}`,
          value: p95,
          target: { most: MOST_MS },
        }),
      );
    }
  } finally {
    probe.close();
  }
  return findings;
}

/** Pages of lists that search; their totals beside a count of the lines that have the words. */
export async function searchedLists(
  { databaseUrl }: Pick<ServiceUrls, 'databaseUrl'>,
  url: string,
  { id, token }: { id: number; token: string },
  samples: number,
): Promise<Finding[]> {
  const probe = new Probe({ authorization: `Bearer ${token}` });
  const findings: Finding[] = [];
  try {
    for (const query of lists) {
      const address = `${url}/v1/tickets?${query}`;
      const { meta } = JSON.parse((await probe.get(address)).body) as { meta: { total: number } };
      const { p50, p95 } = await probe.latency(Array.from({ length: samples }, () => address));
      findings.push(
        told({
          name: `list, ${query} (${meta.total} tickets), p95 in ms`,
          service: `p50 ${milliseconds(p50)}`,
          beside: `p95 ${milliseconds(p95)}`,
          value: p95,
          target: { most: MOST_LISTED_MS },
        }),
      );
    }
    for (const word of ['the', 'device', 'pr']) {
      const { meta } = JSON.parse((await probe.get(`${url}/v1/tickets?q=${word}`)).body) as { meta: { total: number } };
      const counted = await withClient(databaseUrl, async (client) => {
        const { rows } = await client.query<{ n: number }>(
          `SELECT count(*) AS n FROM ticket_texts WHERE workspace_id = $1 AND search_text LIKE $2`,
          [id, `% ${word}%`],
        );
        return Number(rows[0]?.n);
      });
      findings.push(
        told({
          name: `total of ${word} beside a count`,
          service: String(meta.total),
          beside: String(counted),
          value: meta.total - counted,
          target: { most: 0 },
        }),
      );
    }
  } finally {
    probe.close();
  }
  return findings;
}

/** All kinds at once, and lists that search for a rare word, over several connections. */
export async function searchesAtOnce(url: string, token: string, sample: Sample): Promise<Finding[]> {
  const headers = { authorization: `Bearer ${token}` };
  const atOnce = async (name: string, path: string, texts: readonly string[], least: number): Promise<Finding> => {
    const requests = texts.map((text) => ({ path: `${path}${encodeURIComponent(text)}` }));
    const target = { url, headers, requests, warmUp: requests.length * 2 };
    const options = { connections: CONNECTIONS, seconds: LOAD_SECONDS, rounds: 1 };
    const { all } = await ratesOf({ all: target }, options);
    return told({ name: `${name} over ${CONNECTIONS} connections`, service: rate(all), value: all, target: { least } });
  };
  const all = kinds.flatMap(({ texts }) => texts(sample).slice(0, 4));
  return [
    await atOnce('searches of all kinds', '/v1/search?q=', all, LEAST_PER_SECOND),
    await atOnce('lists that search for a rare word', '/v1/tickets?q=', sample.rare, LEAST_RARE_PER_SECOND),
  ];
}

/** New tickets with the index of words and without it, in turns; the index is back at the end. */
async function creation(services: ServiceUrls, url: string, token: string, creates: number): Promise<Finding> {
  const round = async (): Promise<number[]> => {
    const times: number[] = [];
    for (let at = 0; at < creates; at++) {
      const began = performance.now();
      const response = await fetch(`${url}/v1/tickets`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          subject: `Printer ${at} shows an error in the meeting room`,
          description:
            'My corporate printer shows an error since this morning. I have restarted twice and nothing changed. The whole team is affected.',
        }),
      });
      await response.text();
      if (response.status !== 201) throw new Error(`A ticket was not created: ${response.status}.`);
      times.push(performance.now() - began);
    }
    return times;
  };
  await round();
  const kept = await round();
  const bare = await withClient(services.databaseUrl, async (client) => {
    const { rows } = await client.query<{ create: string }>(
      `SELECT pg_get_indexdef('ticket_texts_by_word'::regclass) AS create`,
    );
    await client.query('DROP INDEX ticket_texts_by_word');
    try {
      return await round();
    } finally {
      await client.query(rows[0]?.create ?? '');
    }
  });
  const [kept50, bare50] = [latencyOf(kept).p50, latencyOf(bare).p50];
  return {
    name: 'a new ticket with the index of words beside without, p50',
    service: milliseconds(kept50),
    beside: milliseconds(bare50),
    value: kept50 / bare50,
    target: { most: 1.05 },
  };
}
