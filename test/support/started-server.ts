import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectRoot } from '../../src/config';
import { commandLineOf } from '../../src/embedded/processes';
import { childrenOf } from './cpu-time';
import { freePort } from './free-port';
import { dataFolder, removeWhileUsed } from './folders';
import { until } from './until';

const FIRST_START_MS = 120_000;

/** `npm start` as a person types it, on a data directory and a port of its own; nothing of the test run reaches it. */
export class StartedServer {
  output = '';
  readonly dataDir = dataFolder('helpdesk-test-start-');
  private child: ChildProcess | null = null;

  constructor(private readonly variables: Readonly<Record<string, string>> = {}) {}

  /** What the program sees: the path and what the test asks for, and no variable of the test run. */
  get environment(): Record<string, string> {
    const { PATH = '', HOME = '' } = process.env;
    return { PATH, HOME, DATA_DIR: this.dataDir, ...this.variables };
  }

  get url(): string {
    return /^ {2}API +(\S+)\/v1$/m.exec(this.output)?.[1] ?? '';
  }

  /** Of the process that was started. */
  get pid(): number {
    return this.child?.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.child !== null && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Of the processes that it made of itself. */
  get apiProcesses(): number[] {
    return childrenOf(this.pid).filter((pid) => commandLineOf(pid).includes('main.js'));
  }

  async start(): Promise<void> {
    this.output = '';
    const port = await freePort();
    const child = spawn(process.execPath, [join(projectRoot, 'scripts/run.mjs'), 'start'], {
      cwd: projectRoot,
      env: { ...this.environment, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (this.output += String(text)));
    await until(
      'the server has started',
      () => {
        if (child.exitCode !== null) throw new Error(`It ended at once:\n${this.output}`);
        return this.url !== '';
      },
      FIRST_START_MS,
    );
  }

  /** Ends it as Ctrl-C does; resolves with the exit code. */
  async end(): Promise<number | null> {
    const { child } = this;
    if (child === null || !this.isRunning) return child?.exitCode ?? null;
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    const [code] = (await ended) as [number | null];
    return code;
  }

  async remove(): Promise<void> {
    await this.end();
    await removeWhileUsed(this.dataDir);
  }
}
