import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../../src/config';

const START_TIMEOUT_MS = 30_000;
const SAMPLE_MS = 200;
/** What `npm start` tells Node, and so each side of a comparison. */
const NODE_FLAGS = /node((?: --\S+)*) /.exec(startScript())?.[1]?.split(' ').filter(Boolean) ?? [];

/** A server in a process of its own, on a free loopback port. */
export class Child {
  /** What it has written to its standard output. */
  private output = '';

  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {
    child.stdout?.on('data', (text) => (this.output += String(text)));
  }

  /**
   * Starts a compiled script, which gets PORT, and waits until `ready` answers 200 (polled).
   *
   * @param env added to this process's own; one process answers unless it says otherwise
   */
  static async start(script: string, env: Record<string, string>, ready: string, token?: string): Promise<Child> {
    const port = await freePort();
    const child = spawn(process.execPath, [...NODE_FLAGS, script], {
      env: { ...process.env, CLUSTER_WORKERS: '1', ...env, HOST: '127.0.0.1', PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const started = new Child(`http://127.0.0.1:${port}`, child);
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      if (await answers(`${started.url}${ready}`, token)) return started;
      if (child.exitCode !== null) throw new Error(`${script} ended with code ${child.exitCode}.`);
      if (Date.now() > deadline) throw new Error(`${script} does not answer on ${ready}.`);
      await sleep(10);
    }
  }

  /** Resolves when it has written this. */
  async said(text: string): Promise<void> {
    while (!this.output.includes(text) && this.child.exitCode === null) await sleep(10);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Resident megabytes now. Linux only; NaN elsewhere. */
  memory(): number {
    try {
      const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
      return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
    } catch {
      return NaN;
    }
  }

  /** Watches the memory until the answered function is called, which tells the most that was seen. */
  watchMemory(): () => number {
    let most = this.memory();
    const timer = setInterval(() => {
      const now = this.memory();
      // Not a number once it has ended.
      if (!Number.isNaN(now)) most = Math.max(most, now);
    }, SAMPLE_MS);
    return () => {
      clearInterval(timer);
      return most;
    };
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await ended;
  }
}

async function answers(url: string, token: string | undefined): Promise<boolean> {
  try {
    const response = await fetch(url, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
    await response.text();
    return response.status === 200;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  return address.port;
}

function startScript(): string {
  const text = readFileSync(join(projectRoot, 'package.json'), 'utf8');
  return (JSON.parse(text) as { scripts: { start: string } }).scripts.start;
}
