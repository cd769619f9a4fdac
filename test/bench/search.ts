import { parseArgs } from 'node:util';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSession } from '../../src/cli/session';
import { seedWorkspace } from '../../src/cli/seed/workspace';
import { RARE_WORDS } from '../../src/cli/seed/vocabulary';
import { projectRoot, type ServiceUrls } from '../../src/config';
import { startBenchServices } from './bench-services';
import { withClient } from './bench-data';
import { Child } from './child';
import { latencyOf, Probe } from './load';
import { createProgressLine } from './progress-line';
import { type Finding, milliseconds, report } from './report';
import { migrate } from '../support/migrate';

const LEARNING_MS = 30 * 60_000;
const POLL_MS = 1_000;

/** What is searched, and the most milliseconds that 95 of 100 searches may take; null = for information. */
const kinds: readonly { name: string; texts: (at: Sample) => readonly string[]; most: number | null }[] = [
  { name: 'rare word', texts: () => RARE_WORDS, most: 50 },
  {
    name: 'common word',
    texts: () => ['device', 'error', 'password', 'cannot', 'office', 'team', 'laptop'],
    most: 150,
  },
  { name: 'word of almost every ticket', texts: () => ['the', 'my', 'is'], most: 150 },
  { name: 'two letters', texts: () => ['pr', 'la', 'th', 'se'], most: 150 },
  { name: 'code', texts: ({ codes }) => codes, most: 50 },
  { name: 'e-mail address', texts: ({ emails }) => emails, most: 50 },
  { name: 'two words', texts: () => ['laptop error', 'printer office', 'vpn milan', 'gateway sandbox'], most: 150 },
  { name: 'typing error', texts: () => ['pritner', 'gyrosocpe', 'lpatop', 'oscilosope', 'pasword'], most: 150 },
  { name: 'no hit', texts: () => ['qqzzxxv', 'wwkkjjq 77112', 'zzgrmpf'], most: 150 },
];

/** Texts that are in the data. */
interface Sample {
  codes: string[];
  emails: string[];
}

/** `GET /search` over one workspace, one request after another, and what its index costs a new ticket. */
export async function runSearch(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tickets: { type: 'string', default: '1000000' },
      samples: { type: 'string', default: '100' },
      creates: { type: 'string', default: '400' },
      'data-dir': { type: 'string', default: join(projectRoot, '.data', 'bench-search') },
    },
  });
  const [tickets, samples, creates] = [values.tickets, values.samples, values.creates].map(Number);
  const dataDir = values['data-dir'];
  const services = await startBenchServices(dataDir);
  try {
    const { id, token } = await prepare(services, dataDir, tickets ?? 0);
    const env = {
      DATABASE_URL: services.databaseUrl,
      REDIS_URL: services.redisUrl,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
    };
    const service = await Child.start(join(projectRoot, 'dist', 'src', 'main.js'), env, '/v1/tickets', token);
    try {
      await learned(services, id);
      const sample = await draw(services, id);
      const findings = await measure(service.url, token, sample, samples ?? 0);
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
    const slug = `search-${tickets}`;
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
      });
      console.log(`${tickets} tickets in ${seconds} s.`);
    }
    const { token } = await tokens.create({ workspaceId: workspace.id, scopes: ['*'], name: 'Bench' });
    return { id: workspace.id, token };
  });
}

/** Waits until the job has learned the words of all tickets. */
async function learned({ databaseUrl }: ServiceUrls, workspaceId: number): Promise<void> {
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

async function draw({ databaseUrl }: ServiceUrls, workspaceId: number): Promise<Sample> {
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

async function measure(url: string, token: string, sample: Sample, samples: number): Promise<Finding[]> {
  const probe = new Probe({ authorization: `Bearer ${token}` });
  const findings: Finding[] = [];
  try {
    for (const { name, texts, most } of kinds) {
      const urls = texts(sample).map((text) => `${url}/v1/search?q=${encodeURIComponent(text)}`);
      const first = JSON.parse((await probe.get(urls[0] ?? '')).body) as { meta: { totals: { tickets: number } } };
      const times: number[] = [];
      for (let at = 0; at < samples; at++) times.push((await probe.get(urls[at % urls.length] ?? '')).ms);
      const { p50, p95 } = latencyOf(times);
      findings.push({
        name: `${name} (${texts(sample)[0]}: ${first.meta.totals.tickets} tickets), p95 in ms`,
        service: `p50 ${milliseconds(p50)}`,
        beside: `p95 ${milliseconds(p95)}`,
        value: p95,
        target: most === null ? null : { most },
      });
    }
  } finally {
    probe.close();
  }
  return findings;
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
