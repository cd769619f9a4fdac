import { setTimeout as sleep } from 'node:timers/promises';
import { patience } from '../../support/machine';

const REQUEST_TIMEOUT_MS = 15_000;
const GIVE_UP_MS = 180_000;
/** Statuses after which a client of the service tries again with the same key. */
const AGAIN: readonly number[] = [408, 409, 425, 429, 500, 502, 503, 504];

/** A client as customers should write it: every write has a key and is repeated until there is an answer. */
export class PersistentClient {
  private turn = 0;
  /** Repetitions so far. */
  retries = 0;

  constructor(
    private readonly urls: () => readonly string[],
    private readonly token: string,
  ) {}

  /**
   * Sends a write until it is answered.
   *
   * @throws when the answer is not a 2xx, or never comes
   */
  async write(method: 'POST' | 'PATCH', path: string, body: unknown, key: string): Promise<{ id: number }> {
    const deadline = Date.now() + patience(GIVE_UP_MS);
    let last = '';
    for (let pauseMs = 50; Date.now() < deadline; pauseMs = Math.min(pauseMs * 2, 1_000)) {
      const answer = await this.once(method, path, body, key);
      if (answer.status >= 200 && answer.status < 300)
        return (JSON.parse(answer.text) as { data: { id: number } }).data;
      last = `${answer.status} ${answer.text.slice(0, 300)}`;
      if (answer.status !== 0 && !AGAIN.includes(answer.status)) throw new Error(`${method} ${path}: ${last}`);
      this.retries++;
      await sleep(pauseMs * (0.5 + Math.random()));
    }
    throw new Error(`${method} ${path} with ${key} got no answer: ${last}`);
  }

  private async once(
    method: string,
    path: string,
    body: unknown,
    key: string,
  ): Promise<{ status: number; text: string }> {
    const urls = this.urls();
    const url = urls[this.turn++ % urls.length] ?? '';
    try {
      const response = await fetch(`${url}/v1${path}`, {
        method,
        signal: AbortSignal.timeout(patience(REQUEST_TIMEOUT_MS)),
        headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(body),
      });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      return { status: 0, text: String(error) };
    }
  }
}
