import { availableParallelism } from 'node:os';
import { compare, type CountedTarget } from './load';
import type { Finding } from './report';
import type { Setting } from './setting';
import { creations, ofService, ratio, someIds } from './throughput';

/** Cores from which on two processes, PostgreSQL and the generator of the load have some for each. */
const ENOUGH_CORES = 6;
const POOL_OF_BOTH = '20';

/** Two processes behind one port beside one, each with as many connections: requests per second, and CPU of a request. */
export async function measureProcesses(setting: Setting): Promise<Finding[]> {
  const pair = await setting.start({ CLUSTER_WORKERS: '2', DATABASE_POOL_SIZE: POOL_OF_BOTH });
  try {
    // One of them answers before the other is there.
    await pair.said('Ctrl-C ends it');
    const both = { ...setting, service: pair };
    const ids = (await someIds(setting)).map((id) => `/tickets/${id}`);
    const aim = availableParallelism() >= ENOUGH_CORES ? { least: 1.6 } : null;
    const findings: Finding[] = [];
    for (const [name, paths] of [
      ['list page of 25', ['/tickets']],
      ['one ticket by id', ids],
      ['create without a key', []],
    ] as const) {
      const target = (of: Setting): CountedTarget =>
        paths.length === 0 ? creations(ofService(of, []), '/v1/tickets', false) : ofService(of, paths);
      const { one, two } = await compare({ one: target(setting), two: target(both) }, setting.load);
      findings.push(ratio(`${name}: two processes beside one`, two, one, aim));
    }
    return findings;
  } finally {
    await pair.stop();
  }
}
