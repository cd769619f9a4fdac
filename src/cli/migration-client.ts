import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../embedded/start-error';
import { isRecord } from '../platform/text/json';

/** A migration as the service shows it. */
export type MigrationView = Record<string, unknown> & { id: number; status: string };

/** The longest pause that a command makes because it asked too often in a minute; who is asked to wait longer is out of quota. */
const MOST_PAUSE_SECONDS = 60;

/** What a command asks of a running service, as its own client. It waits where the plan of the workspace wants it to ask seldomer. */
export class MigrationClient {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  async list(): Promise<MigrationView[]> {
    const data = await this.send('GET', '?per_page=100&sort=-id');
    return Array.isArray(data) ? data.map(viewOf) : [];
  }

  async show(id: number): Promise<MigrationView> {
    return viewOf(await this.send('GET', `/${id}`));
  }

  async create(body: object): Promise<MigrationView> {
    return viewOf(await this.send('POST', '', () => JSON.stringify(body)));
  }

  async change(id: number, body: object): Promise<MigrationView> {
    return viewOf(await this.send('PATCH', `/${id}`, () => JSON.stringify(body)));
  }

  async act(id: number, action: string): Promise<MigrationView> {
    return viewOf(await this.send('POST', `/${id}/${action}`));
  }

  /** Where records can come from. */
  async sources(): Promise<Record<string, unknown>[]> {
    const data = await this.send('GET', '/sources', undefined, {}, '/migration');
    const { sources } = isRecord(data) ? data : {};
    return Array.isArray(sources) ? sources.filter(isRecord) : [];
  }

  /** Whether its service lets it in; what is wrong where it does not. */
  async refusal(id: number): Promise<string | null> {
    const data = await this.send('POST', `/${id}/test`);
    const { status, error } = isRecord(data) ? data : {};
    if (status === 'success') return null;
    return isRecord(error) ? String(error.message) : 'It does not answer.';
  }

  async report(id: number): Promise<unknown> {
    return this.send('GET', `/${id}/report`);
  }

  /** Sends a file as it lies there, read while it is sent. */
  async file(id: number, entity: string, path: string): Promise<void> {
    // The two declarations of web streams differ in the types of their views.
    const content = (): ReadableStream => Readable.toWeb(createReadStream(path)) as unknown as ReadableStream;
    await this.send('POST', `/${id}/files?entity=${encodeURIComponent(entity)}`, content, {
      'content-type': 'application/octet-stream',
      'content-length': String(statSync(path).size),
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(basename(path))}`,
    });
  }

  /** @throws Error in the words of the service */
  private async send(
    method: string,
    path: string,
    body?: () => string | ReadableStream,
    headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' },
    under = '/migration/jobs',
  ): Promise<unknown> {
    const request = { method, headers: { authorization: `Bearer ${this.token}`, ...headers }, duplex: 'half' };
    const ask = (): Promise<Response> =>
      fetch(`${this.url}/v1${under}${path}`, body === undefined ? request : { ...request, body: body() }).catch(
        (error: unknown) => {
          const { cause = error } = error as Error;
          throw new Error(
            `No service answers at ${this.url} (${reasonOf(cause)}); start it, or name another with --url`,
          );
        },
      );
    let answer = await ask();
    for (let pause = pauseOf(answer); pause !== null; pause = pauseOf(answer)) {
      await answer.body?.cancel();
      await sleep(pause * 1_000);
      answer = await ask();
    }
    const told: unknown = await answer.json().catch(() => null);
    if (!isRecord(told))
      throw new Error(`What answers at ${this.url} is no helpdesk: it says ${answer.status} and no JSON`);
    if (isRecord(told.error)) throw new Error(String(told.error.message));
    return told.data;
  }
}

/** Where the service of this data directory answers. @throws Error when none does */
export function runningAt(dataDir: string): string {
  const file = join(dataDir, 'instance.json');
  const told: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  if (isRecord(told) && typeof told.url === 'string') return told.url;
  throw new Error('No service runs on this data directory: start it, or name one with --url');
}

/** Seconds until it may be asked again; null when it is not for having asked too often that it answers as it does. */
function pauseOf({ status, headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return status === 429 && seconds <= MOST_PAUSE_SECONDS ? seconds : null;
}

function viewOf(data: unknown): MigrationView {
  if (!isRecord(data) || typeof data.id !== 'number') throw new Error('The service answered no migration');
  return { ...data, id: data.id, status: String(data.status) };
}
