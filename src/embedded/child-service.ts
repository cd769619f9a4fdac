import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { endProcess } from './processes';
import type { ServiceUser } from './service-user';
import { reasonOf, StartError } from './start-error';

const largestLogBytes = 10 * 1024 * 1024;
const pollMs = 30;
const restartDelaysMs = [50, 250, 1000, 2000, 5000];

/** How to run a service's program. */
export interface Launch {
  readonly program: string;
  readonly argv0?: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Null = ourselves. */
  readonly user: ServiceUser | null;
  readonly logFile: string;
  /** Resolves true once the service answers; called again until then. */
  readonly answers: () => Promise<boolean>;
}

/**
 * Starts a program in a process group of its own, so that Ctrl-C in the terminal reaches us alone and the service lives
 * until the last request is answered.
 *
 * @throws StartError with the end of the service's log when it ends before it answers
 */
export async function launch(name: string, plan: Launch, say: (line: string) => void): Promise<ChildProcess> {
  rotate(plan.logFile);
  const logged = existsSync(plan.logFile) ? statSync(plan.logFile).size : 0;
  const log = openSync(plan.logFile, 'a', 0o600);
  const child = spawn(plan.program, plan.args, {
    ...(plan.argv0 === undefined ? {} : { argv0: plan.argv0 }),
    ...(plan.user ?? {}),
    cwd: plan.cwd,
    env: plan.env,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  // Our own stop ends it; a waiting child must not keep a finished program from exiting.
  child.unref();
  const end: { reason?: () => string } = {};
  child.once('error', (error) => (end.reason = (): string => reasonOf(error)));
  // Read only by whoever waits for the start: much later, the log may be gone with its directory.
  child.once('exit', () => (end.reason ??= (): string => lastWords(plan.logFile, logged)));

  const patience = setTimeout(() => {
    say(`${name} is still starting; after a crash it first repeats the last changes. Its log is ${plan.logFile}.`);
  }, 5000);
  try {
    while (!(await plan.answers())) {
      if (end.reason !== undefined)
        throw new StartError(`${name} did not start (${end.reason()}); its log is ${plan.logFile}.`);
      await sleep(pollMs);
    }
    return child;
  } catch (error) {
    if (child.pid !== undefined)
      await endProcess(child.pid, [
        ['SIGINT', 10],
        ['SIGKILL', 2],
      ]);
    throw error;
  } finally {
    clearTimeout(patience);
  }
}

/** Keeps a service running until `stop`: one that dies by itself is started again. */
export class Supervisor {
  private child: ChildProcess | null = null;
  private stopping = false;
  private restarting: Promise<void> | null = null;
  /** A program that leaves without `stop` (a failure, a second Ctrl-C) at least tells its services to end. */
  private readonly farewell = (): void => {
    const [first, second = first] = this.steps();
    // One that an orderly stop could not end in time is not asked politely again.
    if (this.child?.exitCode === null && this.child.signalCode === null)
      this.child.kill((this.stopping ? second : first)?.[0]);
  };

  /**
   * @param start starts the service and resolves once it answers
   * @param steps signals that end it in an orderly way, each with the seconds to wait for, as things are when it is to end
   */
  constructor(
    private readonly name: string,
    private readonly start: () => Promise<ChildProcess>,
    private readonly steps: () => readonly (readonly [NodeJS.Signals, number])[],
    private readonly say: (line: string) => void,
  ) {}

  async run(): Promise<void> {
    const child = await this.start();
    this.child = child;
    process.removeListener('exit', this.farewell).once('exit', this.farewell);
    child.once('exit', () => {
      this.ended();
    });
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.restarting;
    if (this.child?.pid !== undefined) await endProcess(this.child.pid, this.steps());
    process.removeListener('exit', this.farewell);
  }

  private ended(): void {
    if (this.stopping || this.restarting !== null) return;
    this.restarting = this.restart().finally(() => {
      this.restarting = null;
      // It may have ended again before this line.
      if (this.child !== null && (this.child.exitCode !== null || this.child.signalCode !== null)) this.ended();
    });
  }

  private async restart(): Promise<void> {
    this.child = null;
    this.say(`${this.name} ended unexpectedly; starting it again.`);
    for (const delayMs of restartDelaysMs) {
      await sleep(delayMs);
      if (this.stopping) return;
      try {
        await this.run();
        return;
      } catch (error) {
        this.say(reasonOf(error));
      }
    }
    this.say(`${this.name} does not stay up; restart this program once the reason above is mended.`);
  }
}

function rotate(logFile: string): void {
  if (existsSync(logFile) && statSync(logFile).size > largestLogBytes) renameSync(logFile, `${logFile}.1`);
}

/** The last line the service itself wrote since it was launched. */
function lastWords(logFile: string, offset: number): string {
  const lines = readFileSync(logFile).subarray(offset).toString('utf8').trim().split('\n');
  const fatal = lines.filter((line) => /FATAL|error|fail/i.test(line)).at(-1) ?? lines.at(-1) ?? '';
  return fatal.trim() || 'it ended without a word';
}
