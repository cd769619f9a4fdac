import { availableParallelism } from 'node:os';

/** What one pool of threads may take. */
export interface PoolSettings {
  /** Kept even when nothing is to do. */
  minThreads: number;
  maxThreads: number;
  /** Tasks that may wait for a thread; more are refused. */
  maxQueue: number;
  /** From the request to the result, waiting included; then the thread is ended. Below the limit of a request. */
  timeoutMs: number;
  /** Heap of a thread; one that needs more is ended, and the task fails. */
  memoryMb: number;
  /** Heap besides, for what is new: three times what is looked through at once. */
  youngMb: number;
  /** After that long without a task a thread beyond `minThreads` ends. */
  idleMs: number;
}

/** Threads beside the one that answers requests: one of the machine's cores stays with that. */
const BESIDE = Math.max(1, availableParallelism() - 1);

/**
 * The pools, by what is done in them: a drawing of a second must not stand in the way of a text of some milliseconds.
 * Threads start with the first task; an installation that draws nothing has none.
 */
export const POOLS = {
  documents: {
    minThreads: 0,
    maxThreads: Math.min(3, BESIDE),
    maxQueue: 16,
    timeoutMs: 15_000,
    memoryMb: 320,
    youngMb: 24,
    idleMs: 30_000,
  },
  texts: {
    minThreads: 0,
    maxThreads: Math.min(2, BESIDE),
    maxQueue: 128,
    timeoutMs: 5_000,
    memoryMb: 128,
    youngMb: 24,
    idleMs: 30_000,
  },
  pictures: {
    minThreads: 0,
    maxThreads: Math.min(2, BESIDE),
    maxQueue: 16,
    timeoutMs: 15_000,
    memoryMb: 96,
    youngMb: 24,
    idleMs: 10_000,
  },
  /** Words and values of large workspaces, as bits are made of them: one slice of records after the other, by a job. */
  folding: {
    minThreads: 0,
    maxThreads: 1,
    maxQueue: 3,
    timeoutMs: 30_000,
    memoryMb: 256,
    youngMb: 6,
    idleMs: 15_000,
  },
  /** What takes seconds to minutes and nobody waits for; jobs bring it, and bring it again where there is no room. */
  models: {
    minThreads: 0,
    maxThreads: 1,
    maxQueue: 3,
    timeoutMs: 4 * 60_000,
    memoryMb: 512,
    youngMb: 24,
    idleMs: 5_000,
  },
} as const satisfies Record<string, PoolSettings>;

export type PoolName = keyof typeof POOLS;
