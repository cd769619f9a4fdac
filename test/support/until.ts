const PATIENCE_MS = 10_000;
const PAUSE_MS = 20;

/** Waits until the condition holds; fails when it never does. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Waited ${PATIENCE_MS / 1000} s in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
