import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../src/config';
import type { StartedServer } from './started-server';
import { until } from './until';

const run = promisify(execFile);
/** Below those that the kernel gives to whoever asks for any. */
const RECEIVER_PORT = 20_000 + (process.pid % 12_000);

/** A fenced block of the README and its line. */
export interface Block {
  line: number;
  language: string;
  text: string;
}

/** A block of commands, with the answer that stands below it where there is one. */
export interface Example {
  /** Its line and how it begins. */
  name: string;
  text: string;
  answer: string | null;
}

const source = readFileSync(join(projectRoot, 'README.md'), 'utf8');
const blocks: Block[] = [...source.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
  ({ index, 1: language = '', 2: text = '' }) => ({ line: source.slice(0, index).split('\n').length, language, text }),
);
const setUp = blocks.find(({ language, text }) => language === 'sh' && text.startsWith('API='));

/** Every block of commands but the one that sets the variables of the others. */
export const examples: Example[] = blocks.flatMap((block, place) => {
  if (block.language !== 'sh' || block === setUp) return [];
  const next = blocks[place + 1];
  const between = next && source.split('\n').slice(block.line + block.text.split('\n').length, next.line - 1);
  const answer = next?.language === '' && between?.every((line) => line.trim() === '') ? next.text : null;
  return [{ name: `line ${block.line}: ${block.text.split('\n')[0]?.slice(0, 70) ?? ''}`, text: block.text, answer }];
});

/** Takes the first command of a block as it stands, and notes down the others, which one process then runs. */
const TOGETHER = `
npm() { if [ -e $NOTES ]; then shift 4; printf '%s\\0' "$@" $'\\n' >> $NOTES; else : > $NOTES; command npm "$@"; fi; }`;
const RUN_TOGETHER = `
node -e '
  const { createProgram } = require(process.env.PROGRAM);
  require("@nestjs/common").Logger.overrideLogger(false);
  const commands = require("fs").readFileSync(process.env.NOTES, "utf8").split("\\0\\n\\0").slice(0, -1);
  if (commands.length !== Number(process.env.NOTED)) throw new Error("Not every command was noted.");
  (async () => {
    for (const words of commands) await createProgram().parseAsync(["node", "helpdesk", ...words.split("\\0")]);
  })();'`;

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A working day that is still to come: the one in the README will be past some time. */
function tuesdayAhead(): string {
  const day = new Date(Date.now() + 7 * 86_400_000);
  day.setUTCDate(day.getUTCDate() + ((9 - day.getUTCDay()) % 7));
  return day.toISOString().slice(0, 10);
}

/** Does what the README says, with a server that was started for it. */
export class Reader {
  /** What the listener of the README printed. */
  heard = '';
  private readonly folder = mkdtempSync(join(tmpdir(), 'helpdesk-readme-'));
  private listener: ChildProcess | null = null;

  constructor(private readonly server: StartedServer) {}

  /** The text with the addresses and files of this run, and no more tickets than it takes. */
  here(text: string): string {
    return text
      .replaceAll('2026-12-01', tuesdayAhead())
      .replaceAll('2027-01-31', '2099-01-31')
      .replaceAll('http://127.0.0.1:3000', this.server.url)
      .replaceAll('.data/demo-token', join(this.server.dataDir, 'demo-token'))
      .replaceAll('http://127.0.0.1:4000', `http://127.0.0.1:${RECEIVER_PORT}`)
      .replaceAll('listen(4000', `listen(${RECEIVER_PORT}`)
      .replaceAll('--tickets 10000', '--tickets 1000');
  }

  /** Answers what the commands printed. */
  async does(text: string): Promise<string> {
    const commands = text.match(/^npm run -s helpdesk /gm) ?? [];
    const environment = {
      NOTED: String(commands.length - 1),
      ...this.server.environment,
      PORT: new URL(this.server.url).port,
      NOTES: join(this.folder, 'commands'),
      PROGRAM: join(projectRoot, 'dist/src/cli/program.js'),
    };
    if (text.includes('.listen(4000')) {
      this.listener = spawn('bash', ['-c', `exec ${this.here(text)}`], { cwd: this.folder, env: environment });
      this.listener.stdout?.on('data', (part) => (this.heard += String(part)));
      await until('the listener listens', () => isListening(RECEIVER_PORT));
      return '';
    }
    const several = commands.length > 1;
    const lines = ['set -e', this.here(setUp?.text ?? ''), several ? TOGETHER : '', this.here(text)];
    const script = [...lines, several ? RUN_TOGETHER : ''].join('\n');
    const cwd = text.includes('npm ') ? projectRoot : this.folder;
    return (await run('bash', ['-c', script], { cwd, env: environment, maxBuffer: 50_000_000 })).stdout;
  }

  end(): void {
    this.listener?.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
