import { patience } from './machine';

/** Many times what a busy machine needs, and longer than a lease: only a test that fails waits so long. */
const PATIENCE_MS = 90_000;
/** Between two looks: what comes soon is seen soon, and what takes long is not looked for a hundred times. */
const PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 120;
const GROWTH = 1.25;

/** Waits until the condition holds; fails when it never does. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const deadline = performance.now() + patience(patienceMs);
  for (let pause = PAUSE_MS; !(await condition()); pause = Math.min(pause * GROWTH, LONGEST_PAUSE_MS)) {
    if (performance.now() > deadline) throw new Error(`Waited ${patience(patienceMs) / 1000} s in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
