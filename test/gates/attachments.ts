import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Fleet } from './support/fleet';
import { gateEnvironment } from './support/gate-environment';
import { GateServices } from './support/gate-services';
import { createWorkspaces } from './support/gate-workspaces';
import { type Findings, say } from './support/verdict';

const MEGABYTE = 1_048_576;
const CHUNK = Buffer.alloc(MEGABYTE, 'helpdesk ');

/** A gigabyte up and down, into an archive and out of it, in little memory; and a kill in the middle, after which no half file is to be seen. */
export async function attachments(args: readonly string[]): Promise<Findings> {
  const { values } = parseArgs({ args: [...args], options: { megabytes: { type: 'string', default: '1024' } } });
  const megabytes = Number(values.megabytes);
  const dataDir = mkdtempSync(join(tmpdir(), 'helpdesk-gate-'));
  const services = await GateServices.start(dataDir, say);
  const env = {
    ...gateEnvironment(services.urls, dataDir),
    ATTACHMENT_MAX_MB: String(megabytes),
    ATTACHMENT_FOLDER: '',
  };
  const fleet = new Fleet(env, join(dataDir, 'fleet.log'));
  try {
    const [workspace] = await createWorkspaces(services.databaseUrl, dataDir, 1);
    if (!workspace) throw new Error('No workspace.');
    await fleet.start(['all']);
    const client = new FileClient(() => fleet.urls[0] ?? '', workspace.token);
    await client.download(contentOf((await client.upload(Math.min(64, megabytes))).id));
    await client.download(await client.archive());
    const memory = new Memory(fleet.pids[0] ?? 0);
    say(`${megabytes} MB up.`);
    const { id, sha256 } = await client.upload(megabytes);
    const up = memory.growth();
    say(`${megabytes} MB down.`);
    const came = await client.download(contentOf(id));
    const down = memory.growth();
    say('An archive of it all, made and fetched.');
    await client.download(await client.archive());
    const archived = memory.growth();
    memory.stop();
    say('A kill in the middle of an upload.');
    const folder = join(dataDir, 'app', 'attachments');
    const before = visible(folder);
    const torn = client.upload(megabytes).catch(() => null);
    while (visible(join(folder, 'arriving'), 1) === 0) await sleep(5);
    fleet.killOne(() => 0);
    await torn;
    return {
      checks: [
        { name: 'MB of memory more while it came', value: up, target: { most: 50 } },
        { name: 'MB of memory more at the end of the download', value: down, target: { most: 50 } },
        { name: 'MB of memory more at the end of the archive', value: archived, target: { most: 50 } },
        { name: 'downloads that differ', value: came === sha256 ? 0 : 1, target: { most: 0 } },
        {
          name: 'files to be seen after the kill that were not there',
          value: visible(folder) - before,
          target: { most: 0 },
        },
      ],
      facts: { megabytes },
    };
  } finally {
    await fleet.stop();
    await services.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const contentOf = (id: number): string => `/attachments/${id}/content`;

/** Files below a folder, but those that arrive. */
function visible(folder: string, depth = 3): number {
  if (!existsSync(folder)) return 0;
  if (depth === 1) return readdirSync(folder).length;
  return readdirSync(folder)
    .filter((name) => name !== 'arriving')
    .reduce((sum, name) => sum + visible(join(folder, name), depth - 1), 0);
}

/** Sends and fetches files of any size, of which this process holds a megabyte. */
class FileClient {
  constructor(
    private readonly base: () => string,
    private readonly token: string,
  ) {}

  upload(megabytes: number): Promise<{ id: number; sha256: string }> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/octet-stream' };
    return new Promise((resolve, reject) => {
      const outgoing = request(`${this.base()}/v1/attachments`, { method: 'POST', headers }, (response) => {
        let text = '';
        response.on('data', (part) => (text += String(part)));
        response.on('end', () => {
          if (response.statusCode === 201) resolve((JSON.parse(text) as { data: { id: number; sha256: string } }).data);
          else reject(new Error(`${response.statusCode ?? 0} ${text.slice(0, 200)}`));
        });
      });
      const content = function* (): Generator<Buffer> {
        for (let sent = 0; sent < megabytes; sent++) yield CHUNK;
      };
      pipeline(Readable.from(content()), outgoing).catch(reject);
    });
  }

  /** Exports the workspace, and answers where the archive is. */
  async archive(): Promise<string> {
    const { id } = await this.asked('POST', '/exports');
    for (;;) {
      const { status } = await this.asked('GET', `/exports/${id}`);
      if (status === 'completed') return `/exports/${id}/download`;
      if (status !== 'queued' && status !== 'running') throw new Error(`The export is ${status}.`);
      await sleep(100);
    }
  }

  private async asked(method: string, path: string): Promise<{ id: number; status: string }> {
    const headers = { authorization: `Bearer ${this.token}` };
    const answer = await fetch(`${this.base()}/v1${path}`, { method, headers });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { data: { id: number; status: string } }).data;
  }

  /** The SHA-256 of what came. @param path below /v1 */
  download(path: string): Promise<string> {
    const headers = { authorization: `Bearer ${this.token}` };
    return new Promise((resolve, reject) => {
      const hash = createHash('sha256');
      request(`${this.base()}/v1${path}`, { headers }, (response) => {
        response.on('data', (part: Buffer) => hash.update(part));
        response.on('end', () => resolve(hash.digest('hex')));
        response.on('error', reject);
      })
        .on('error', reject)
        .end();
    });
  }
}

/** What a process holds beyond what it held when this was made. */
class Memory {
  private readonly before: number;
  private most: number;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly pid: number) {
    this.before = this.most = this.now();
    this.timer = setInterval(() => (this.most = Math.max(this.most, this.now())), 20);
  }

  /** In MB, at its most until now. */
  growth(): number {
    this.most = Math.max(this.most, this.now());
    return Math.round(this.most - this.before);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private now(): number {
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1_024;
  }
}
