import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot, type Role } from '../../../src/config';
import { freePort } from '../../support/free-port';
import { patience } from '../../support/machine';

const START_TIMEOUT_MS = 60_000;
const STARTING_MS = 500;
const MAIN = join(projectRoot, 'dist', 'src', 'main.js');

interface Member {
  role: Role;
  port: number;
  child: ChildProcess;
  startedAt: number;
}

/** Processes of the service, as they run in production; one that dies is started again. */
export class Fleet {
  private readonly members: Member[] = [];
  private ending = false;
  kills = 0;

  /**
   * @param env added to that of this process
   * @param logFile gets what the processes write
   */
  constructor(
    private readonly env: Record<string, string>,
    private readonly logFile: string,
  ) {
    writeFileSync(logFile, '');
  }

  /** Starts processes of these roles and waits until those that serve do. */
  async start(roles: readonly Role[]): Promise<void> {
    for (const role of roles) {
      const port = await freePort();
      const member: Member = { role, port, child: this.launch(role, port), startedAt: Date.now() };
      this.members.push(member);
      this.watch(member);
    }
    await Promise.all(this.members.map((member) => this.ready(member)));
  }

  /** URLs of the processes that serve the API. */
  get urls(): string[] {
    return this.members.filter(({ role }) => role !== 'worker').map(({ port }) => `http://127.0.0.1:${port}`);
  }

  /** Their process ids. */
  get pids(): number[] {
    return this.members.flatMap(({ child }) => child.pid ?? []);
  }

  /** Ends a process without warning. It is one that has been up for a while, if there is any: start-up is not all there is to interrupt. */
  killOne(random: () => number): void {
    // One that is just dead already is no victim.
    const living = this.members.filter(({ child }) => child.exitCode === null && child.signalCode === null);
    const byAge = living.sort((a, b) => a.startedAt - b.startedAt);
    const elder = byAge.slice(0, Math.ceil(byAge.length * 0.75));
    const victim = elder[Math.floor(random() * elder.length)];
    if (victim?.child.kill('SIGKILL') === true) this.kills++;
  }

  /** Ends all workers that live without warning. @returns how many that were */
  killWorkers(): number {
    const living = this.members.filter(
      ({ role, child }) => role === 'worker' && child.exitCode === null && child.signalCode === null,
    );
    const killed = living.filter(({ child }) => child.kill('SIGKILL')).length;
    this.kills += killed;
    return killed;
  }

  async stop(): Promise<void> {
    this.ending = true;
    const running = this.members.filter(({ child }) => child.exitCode === null && child.signalCode === null);
    const ended = running.map(({ child }) => new Promise((resolve) => child.once('exit', resolve)));
    for (const { child } of this.members) child.kill('SIGTERM');
    const late = setTimeout(() => {
      for (const { child } of this.members) child.kill('SIGKILL');
    }, 15_000);
    await Promise.all(ended);
    clearTimeout(late);
  }

  private launch(role: Role, port: number): ChildProcess {
    const env = {
      ...process.env,
      ...this.env,
      ROLE: role,
      CLUSTER_WORKERS: '1',
      HOST: '127.0.0.1',
      PORT: String(port),
    };
    const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const output of [child.stdout, child.stderr]) {
      output.on('data', (chunk: Buffer) => appendFileSync(this.logFile, chunk));
    }
    return child;
  }

  private watch(member: Member): void {
    member.child.once('exit', () => {
      // One that does not get far is not started over and over without a pause.
      const pauseMs = Date.now() - member.startedAt < STARTING_MS ? STARTING_MS : 0;
      setTimeout(() => {
        if (this.ending) return;
        member.child = this.launch(member.role, member.port);
        member.startedAt = Date.now();
        this.watch(member);
      }, pauseMs);
    });
  }

  private async ready({ role, port }: Member): Promise<void> {
    const deadline = Date.now() + patience(START_TIMEOUT_MS);
    while (role !== 'worker' && !(await answers(port))) {
      if (Date.now() > deadline) {
        throw new Error(`A process does not start: ${readFileSync(this.logFile, 'utf8').slice(-2_000)}`);
      }
      await sleep(50);
    }
  }
}

async function answers(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/ready`);
    await response.text();
    return response.status === 200;
  } catch {
    return false;
  }
}
