/** Longest that a loop may keep the event loop from others' requests. */
const SPELL_MS = 8;

/**
 * For loops whose rounds are short but many: awaited in each round, it lets others have their turn once some milliseconds
 * have passed. A single round that may take longer belongs into a thread (`Workers`).
 */
export function breather(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SPELL_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}
