import { setTimeout as sleep } from 'node:timers/promises';

const ANSWER_WITHIN_MS = 30_000;
/** The quota of a month is not worth waiting for. */
const LONGEST_WAIT_SECONDS = 120;
/** A server that restarts is back within this; one that was ended is not. */
const LONGEST_OUTAGE_MS = 30_000;
const WORTH_REPEATING = new Set([409, 429, 502, 503, 504]);

/** Something that no further request would mend. The message is one sentence that says what to do. */
export class ImportError extends Error {}

/**
 * A client of the API that does what a good client does: waits as long as Retry-After says, on all its connections at
 * once, and repeats what was cut off. Repeating a POST is safe only with an Idempotency-Key.
 */
export class ApiClient {
  #pausedUntil = 0;

  /**
   * @param url base address, with `/v1`
   * @param token bearer token
   * @param signal ends every wait and request
   * @param onPause told how many seconds the client is about to wait, and why
   */
  constructor({ url, token, signal, onPause = () => {} }) {
    Object.assign(this, { url: url.replace(/\/+$/, ''), token, signal, onPause });
  }

  /**
   * One request; `path` may be an absolute link of an earlier answer. Answers `{ status, headers, body }`.
   *
   * @param sent `body`: as JSON; `raw`: as it is, with its own `content-type` among the `headers`; `key`: Idempotency-Key
   */
  async request(method, path, sent = {}) {
    let firstFailureAt = null;
    for (let attempt = 1; ; attempt++) {
      await this.#pause();
      const answer = await this.#attempt(method, path, sent);
      if (answer !== null && !WORTH_REPEATING.has(answer.status)) return answer;
      if (answer?.status === 409 && !answer.headers.has('retry-after')) return answer;
      if (answer?.status === 429) {
        this.#rest(Number(answer.headers.get('retry-after') ?? 1), answer.body.error?.message);
        continue;
      }
      firstFailureAt ??= Date.now();
      if (Date.now() - firstFailureAt > LONGEST_OUTAGE_MS) {
        throw new ImportError(
          answer === null
            ? `The server at ${this.url} does not answer any more; start it and run the same command again to go on.`
            : `The server at ${this.url} keeps answering ${answer.status}; run the same command again later to go on.`,
        );
      }
      const asked = Number(answer?.headers.get('retry-after') ?? 0);
      await sleep(Math.max(asked * 1000, Math.min(100 * 2 ** attempt, 3000)), undefined, { signal: this.signal });
    }
  }

  /** Every record of a list, following its links. */
  async all(path) {
    const records = [];
    for (let next = path; next !== null;) {
      const { status, body } = await this.request('GET', next);
      if (status !== 200) throw new ImportError(`GET ${path} was refused: ${body.error?.message ?? status}`);
      records.push(...body.data);
      next = body.links.next;
    }
    return records;
  }

  /** The answer, or null when the connection failed. */
  async #attempt(method, path, { body, raw, key, headers = {} }) {
    try {
      const response = await fetch(path.startsWith('/') ? this.url + path : path, {
        method,
        headers: {
          authorization: `Bearer ${this.token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...headers,
        },
        body: body === undefined ? raw : JSON.stringify(body),
        signal: AbortSignal.any([this.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: parsed(text) };
    } catch (error) {
      if (this.signal.aborted) throw error;
      return null;
    }
  }

  #rest(seconds, reason) {
    if (seconds > LONGEST_WAIT_SECONDS) {
      throw new ImportError(`${reason ?? 'The server refuses more requests.'} Try again in ${seconds} seconds.`);
    }
    const until = Date.now() + seconds * 1000;
    if (until <= this.#pausedUntil) return;
    this.#pausedUntil = until;
    this.onPause(seconds, reason ?? '');
  }

  async #pause() {
    while (this.#pausedUntil > Date.now()) {
      await sleep(this.#pausedUntil - Date.now(), undefined, { signal: this.signal });
    }
  }
}

/** A proxy in between may answer with a page instead of JSON. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
