import { patience } from './machine';

const PATIENCE_MS = 90_000;
/** What `Retry-After` says. */
const PAUSE_MS = 1_000;

/**
 * Sends; again, as clients do, when a busy machine answers 503: then a lock or a connection was waited for in vain, and
 * nothing was done. For requests that compete with each other.
 */
export async function insist<A extends { status: number }>(send: () => Promise<A>): Promise<A> {
  const deadline = performance.now() + patience(PATIENCE_MS);
  for (;;) {
    const answer = await send();
    if (answer.status !== 503 || performance.now() > deadline) return answer;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
