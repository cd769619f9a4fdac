import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openSession } from '../../src/cli/session';
import { projectRoot } from '../../src/config';
import { startBenchServices } from './bench-services';
import { Child } from './child';
import { quantile } from './load';
import { milliseconds, report } from './report';
import type { WriteOrder, Written } from './webhook-generator';
import type { Arrivals } from './webhook-receiver';
import { migrate } from '../support/migrate';

const PLAN = {
  key: 'bench',
  rate_limit_per_minute: 10_000_000,
  monthly_quota: 1_000_000_000_000,
  overage_enabled: true,
};
const WARM_UP_SECONDS = 10;
const PATIENCE_MS = 60_000;

/** From the commit of a change made through the API to its arrival at an endpoint, at a steady rate. */
export async function runWebhooks(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rate: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '30' },
      'data-dir': { type: 'string', default: join(projectRoot, '.data', 'bench') },
    },
  });
  const [perSecond, seconds, dataDir] = [Number(values.rate), Number(values.seconds), values['data-dir']];
  const services = await startBenchServices(dataDir);
  const receiver = fork(join(__dirname, 'webhook-receiver.js'));
  const generator = fork(join(__dirname, 'webhook-generator.js'));
  let service: Child | null = null;
  try {
    const [[port]] = (await Promise.all([once(receiver, 'message'), once(generator, 'message')])) as [
      [number],
      unknown,
    ];
    await migrate(services.migrateDatabaseUrl);
    const token = await makeWorkspace(services.databaseUrl, dataDir);
    service = await startService(services, dataDir, token);
    await subscribe(service.url, token, `http://127.0.0.1:${port}/`);
    const order = { url: `${service.url}/v1`, token, perSecond };

    process.stderr.write('Warming up.\n');
    await measure(generator, receiver, { ...order, seconds: WARM_UP_SECONDS });
    process.stderr.write(`${perSecond} events a second for ${seconds} s.\n`);
    const memory = service.watchMemory();
    const { written, arrivals } = await measure(generator, receiver, { ...order, seconds });
    const megabytes = memory();
    const [p50, p99] = [quantile(arrivals.delays, 0.5), quantile(arrivals.delays, 0.99)];
    const rate = written.good / written.seconds;
    return report(
      'webhooks',
      [
        {
          name: 'events written, per second',
          service: rate.toFixed(1),
          value: rate,
          target: { least: perSecond * 0.98 },
        },
        {
          name: 'events that did not arrive',
          service: '',
          value: written.good - arrivals.delays.length,
          target: { most: 0 },
        },
        { name: 'writes that failed', service: written.firstFailure ?? '', value: written.failed, target: { most: 0 } },
        { name: 'commit to receipt, p50 in ms', service: milliseconds(p50), value: p50, target: { most: 100 } },
        { name: 'commit to receipt, p99 in ms', service: milliseconds(p99), value: p99, target: { most: 1_000 } },
        { name: 'commit to receipt, longest in ms', service: '', value: Math.max(...arrivals.delays), target: null },
        { name: 'answer to the write, p50 in ms', service: '', value: quantile(written.times, 0.5), target: null },
        { name: 'answer to the write, p99 in ms', service: '', value: quantile(written.times, 0.99), target: null },
        { name: 'copies beside the first', service: '', value: arrivals.copies - arrivals.delays.length, target: null },
        { name: 'memory of the process, most seen, in MB', service: '', value: megabytes, target: null },
      ],
      { rate: perSecond, seconds, node: process.version },
    );
  } finally {
    receiver.kill();
    generator.kill();
    await service?.stop();
    await services.stop();
  }
}

async function measure(
  generator: ChildProcess,
  receiver: ChildProcess,
  order: WriteOrder,
): Promise<{ written: Written; arrivals: Arrivals }> {
  generator.send(order);
  const [written] = (await once(generator, 'message')) as [Written];
  const arrivals: Arrivals = { delays: [], copies: 0 };
  const deadline = Date.now() + PATIENCE_MS;
  do {
    await sleep(250);
    receiver.send('tell');
    const [more] = (await once(receiver, 'message')) as [Arrivals];
    arrivals.delays.push(...more.delays);
    arrivals.copies += more.copies;
  } while (arrivals.delays.length < written.good && Date.now() < deadline);
  return { written, arrivals };
}

function makeWorkspace(databaseUrl: string, dataDir: string): Promise<string> {
  return openSession({ dataDir }, databaseUrl, async ({ plans, provisioning, tokens }) => {
    await plans.put(PLAN);
    const { id } = await provisioning.createWorkspace({ name: `bench-webhooks-${Date.now()}`, plan: PLAN.key });
    return (await tokens.create({ workspaceId: id, scopes: ['*'], name: 'Bench' })).token;
  });
}

function startService(
  { databaseUrl, redisUrl }: { databaseUrl: string; redisUrl: string },
  dataDir: string,
  token: string,
): Promise<Child> {
  const env = {
    ...{ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, DATABASE_POOL_SIZE: '10', DATA_DIR: dataDir },
    ...{ LOG_LEVEL: 'warn', ROLE: 'all', WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32' },
  };
  return Child.start(join(projectRoot, 'dist', 'src', 'main.js'), env, '/v1/tickets', token);
}

async function subscribe(service: string, token: string, url: string): Promise<void> {
  const response = await fetch(`${service}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: ['ticket.created', 'ticket.updated'] }),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`POST /webhooks: ${response.status} ${text}`);
}
