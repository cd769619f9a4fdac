import { join } from 'node:path';
import type { PoolSettings } from '../../src/platform/workers/pool-settings';
import { threadTask } from '../../src/platform/workers/thread-task';
import { WorkerPool } from '../../src/platform/workers/worker-pool';
import type { hoard, refuse, spin, variables, waitFor } from '../support/thread-tasks';
import { until } from '../support/until';

const tasks = join(__dirname, '..', 'support', 'thread-tasks');
const waiting = threadTask<typeof waitFor>('texts', tasks, 'waitFor');
const settings: PoolSettings = {
  minThreads: 0,
  maxThreads: 1,
  maxQueue: 3,
  timeoutMs: 60_000,
  memoryMb: 64,
  youngMb: 12,
  idleMs: 60_000,
};
const open: WorkerPool[] = [];

function poolOf(more: Partial<PoolSettings> = {}): WorkerPool {
  const pool = new WorkerPool('test', { ...settings, ...more });
  open.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((pool) => pool.close()));
});

function flag(): { held: Int32Array; release: () => void } {
  const held = new Int32Array(new SharedArrayBuffer(4));
  return {
    held,
    release: () => {
      Atomics.store(held, 0, 1);
      Atomics.notify(held, 0);
    },
  };
}

/** A thread was ended: another one takes its place. */
async function goesOn(pool: WorkerPool, held: Int32Array): Promise<void> {
  const again = (): Promise<string> => pool.run(waiting, { flag: held, answer: 'next' }, 'a').catch(() => '');
  await until('the pool goes on', async () => (await again()) === 'next');
}

const busy = { type: 'service_unavailable', status: 503, extras: { headers: { 'Retry-After': expect.any(String) } } };

it('does tasks in threads, while this one goes on', async () => {
  const pool = poolOf();
  const { held, release } = flag();
  const answer = pool.run(waiting, { flag: held, answer: 'done' }, 'a');
  // Only this thread can release the other: in the same one the task would never end.
  release();
  expect(await answer).toBe('done');
});

it('refuses what it has no room for, and more than half of its room to one owner', async () => {
  const pool = poolOf();
  const { held, release } = flag();
  const run = (owner: string): Promise<string> => pool.run(waiting, { flag: held, answer: owner }, owner);
  const taken = [run('a'), run('a')];
  await expect(run('a')).rejects.toMatchObject(busy);
  taken.push(run('b'), run('b'));
  await expect(run('c')).rejects.toMatchObject(busy);
  release();
  expect(await Promise.all(taken)).toEqual(['a', 'a', 'b', 'b']);
  expect(await run('a')).toBe('a');
});

it('ends a task that takes too long, and does the next one', async () => {
  const pool = poolOf({ timeoutMs: 300 });
  await expect(pool.run(threadTask<typeof spin>('texts', tasks, 'spin'), null, 'a')).rejects.toMatchObject(busy);
  const { held, release } = flag();
  release();
  await goesOn(pool, held);
});

it('ends a task that takes too much memory, and does the next one', async () => {
  const pool = poolOf();
  await expect(pool.run(threadTask<typeof hoard>('texts', tasks, 'hoard'), null, 'a')).rejects.toMatchObject(busy);
  const { held, release } = flag();
  release();
  await goesOn(pool, held);
});

it('hands on what a task throws, and gives it nothing of the environment', async () => {
  const pool = poolOf();
  const failing = threadTask<typeof refuse>('texts', tasks, 'refuse');
  await expect(pool.run(failing, 'not today', 'a')).rejects.toMatchObject({ message: 'not today' });
  expect(await pool.run(threadTask<typeof variables>('texts', tasks, 'variables'), null, 'a')).toEqual([]);
});

it('leaves no thread behind, and what was under way fails', async () => {
  const pool = poolOf();
  const { held } = flag();
  const task = pool.run(waiting, { flag: held, answer: 'never' }, 'a');
  const failure = expect(task).rejects.toMatchObject(busy);
  await until('the thread is there', () => pool.size === 1);
  await pool.close();
  expect(pool.size).toBe(0);
  await failure;
  await expect(pool.run(waiting, { flag: held, answer: 'late' }, 'a')).rejects.toMatchObject(busy);
});
