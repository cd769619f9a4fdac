import { patience } from './machine';

/** Many times what a busy machine needs, and longer than a lease: only a test that fails waits so long. */
const PATIENCE_MS = 90_000;
const PAUSE_MS = 20;

/** Waits until the condition holds; fails when it never does. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const deadline = performance.now() + patience(patienceMs);
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Waited ${patience(patienceMs) / 1000} s in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
