import { cpuTime } from './cpu-time';
import { tearDown } from './test-run';

async function globalTeardown(): Promise<void> {
  const spent = cpuTime();
  await tearDown();
  if (spent === null) return;
  const { total, tests, postgres, redis } = spent;
  const share = (name: string, seconds: number): string => `${name} ${seconds.toFixed(1)}`;
  const shares = [share('tests', tests), share('PostgreSQL', postgres), share('Redis', redis)].join(', ');
  process.stderr.write(`CPU:         ${total.toFixed(1)} s (${shares})\n`);
}

export = globalTeardown;
