import { randomUUID } from 'node:crypto';
import { ImportError } from './api-client.mjs';

/** What somebody does is counted under these. */
const NOTHING = { answered: 0, notes: 0, asked: 0, resolved: 0, merged: 0, escalated: 0, sent: 0 };

/** A desk that is worked at through the API: what is done, as whom, and how often. */
export class Desk {
  /** Users by key, once they are there. */
  people = {};
  /** Key of who acts; null = the token itself. */
  as = null;
  #done = {};

  /**
   * @param client `ApiClient`
   * @param say told a line of the day
   */
  constructor(client, say) {
    Object.assign(this, { client, say });
  }

  /** One request, as whoever acts: tokens that may act for others say so by `X-On-Behalf-Of`. The `data` of the answer. */
  async send(method, path, body) {
    const key = method === 'POST' ? randomUUID() : undefined;
    const { status, body: answer } = await this.client.request(method, path, { body, key, headers: this.#acting() });
    if (status < 300) return answer.data;
    throw new ImportError(`${method} ${path} was refused (${status}): ${answer.error?.message ?? 'no reason given'}`);
  }

  /** A file of text, as the body itself. */
  async upload(name, text) {
    const { status, body: answer } = await this.client.request('POST', '/attachments', {
      raw: text,
      key: randomUUID(),
      headers: {
        ...this.#acting(),
        'content-type': 'text/plain',
        'content-disposition': `attachment; filename="${name}"`,
      },
    });
    if (status === 201) return answer.data;
    throw new ImportError(`The file ${name} was refused (${status}): ${answer.error?.message ?? 'no reason given'}`);
  }

  /** The record that has this name, made unless it is there. */
  async ensure(path, body, by = 'name') {
    const known = await this.client.all(`${path}?per_page=100`);
    return known.find((record) => record[by] === body[by]) ?? this.send('POST', path, body);
  }

  /** Records of a list, all of them. */
  list(path) {
    return this.client.all(path);
  }

  /** Does something as somebody, and counts it. */
  async by(key, what, work) {
    this.as = key;
    this.#done[key] ??= { ...NOTHING };
    const outcome = await work();
    this.#done[key][what]++;
    return outcome;
  }

  /** What somebody did: `{ answered: 12, … }`. */
  doneBy(key) {
    return this.#done[key] ?? NOTHING;
  }

  /** Moves the clock of the sandbox, and waits until all is done that this brings. */
  async clock(move) {
    this.as = null;
    await this.send('POST', '/sandbox/clock', move);
    for (;;) {
      const { now, is_settled } = await this.send('GET', '/sandbox/clock');
      if (is_settled) return now;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  #acting() {
    const person = this.as === null ? undefined : this.people[this.as];
    return person ? { 'x-on-behalf-of': person.email } : {};
  }
}
