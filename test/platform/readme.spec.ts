import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../src/config';
import { mismatch } from '../support/readme-answer';
import { freePort, StartedServer } from '../support/started-server';
import { until } from '../support/until';
import { CURL, ensureTool } from '../support/machine-tools';

const run = promisify(execFile);

interface Block {
  line: number;
  language: string;
  text: string;
}

/** The fenced blocks of the README, each with its line. */
function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(({ index, 1: language = '', 2: content = '' }) => ({
    line: text.slice(0, index).split('\n').length,
    language,
    text: content,
  }));
}

/** A working day that is still to come: the one in the README will be past some time. */
function tuesdayAhead(): string {
  const day = new Date(Date.now() + 7 * 86_400_000);
  day.setUTCDate(day.getUTCDate() + ((9 - day.getUTCDay()) % 7));
  return day.toISOString().slice(0, 10);
}

describe('README.md', () => {
  const server = new StartedServer({ WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32' });
  const folder = mkdtempSync(join(tmpdir(), 'helpdesk-readme-'));
  const source = readFileSync(join(projectRoot, 'README.md'), 'utf8');
  const blocks = blocksOf(source);
  const setUp = blocks.find(({ language, text }) => language === 'sh' && text.startsWith('API='))!;
  let listener: ChildProcess | null = null;
  let heard = '';
  let receiverPort = 0;

  beforeAll(async () => {
    ensureTool(CURL);
    await server.start();
    receiverPort = await freePort();
  }, 180_000);

  afterAll(async () => {
    listener?.kill();
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The text with the addresses and files of this run. */
  const here = (text: string): string =>
    text
      .replaceAll('2026-12-01', tuesdayAhead())
      .replaceAll('2027-01-31', '2099-01-31')
      .replaceAll('http://127.0.0.1:3000', server.url)
      .replaceAll('.data/demo-token', join(server.dataDir, 'demo-token'))
      .replaceAll('http://127.0.0.1:4000', `http://127.0.0.1:${receiverPort}`)
      .replaceAll('listen(4000', `listen(${receiverPort}`);

  const environment = (): Record<string, string> => ({ ...server.environment, PORT: new URL(server.url).port });

  async function shell(text: string): Promise<string> {
    const cwd = text.includes('npm ') ? projectRoot : folder;
    const script = `set -e\n${here(setUp.text)}\n${here(text)}`;
    const options = { cwd, env: environment(), maxBuffer: 50_000_000 };
    return (await run('bash', ['-c', script], options)).stdout;
  }

  const commands = blocks.flatMap((block, place) => {
    if (block.language !== 'sh' || block === setUp) return [];
    const next = blocks[place + 1];
    const between = next && source.split('\n').slice(block.line + block.text.split('\n').length, next.line - 1);
    const answer = next?.language === '' && between?.every((line) => line.trim() === '') ? next : null;
    return [[`line ${block.line}: ${block.text.split('\n')[0]?.slice(0, 70) ?? ''}`, block, answer] as const];
  });

  it.each(commands)(
    '%s',
    async (_name, { text }, answer) => {
      if (text.includes('.listen(4000')) {
        listener = spawn('bash', ['-c', `exec ${here(text)}`], { cwd: folder, env: environment() });
        listener.stdout?.on('data', (part) => (heard += String(part)));
        return;
      }
      const printed = await shell(text);
      if (answer !== null) expect(mismatch(here(answer.text), printed, here(text))).toBeNull();
    },
    180_000,
  );

  it('what the listener prints: a signature and the beginning of a body', async () => {
    await until('something arrives', () => /^[0-9a-f]{64} \{.*"ticket\.created"/m.test(heard));
  });
});
