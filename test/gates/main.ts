import { attachments } from './attachments';
import { channels } from './channels';
import { cpuDos } from './cpu-dos';
import { directory } from './directory';
import { hookAbuse } from './hook-abuse';
import { hookChaos } from './hook-chaos';
import { hookFair } from './hook-fair';
import { hookSsrf } from './hook-ssrf';
import { incidents } from './incidents';
import { migration } from './migration';
import { type Gate, isMet, say } from './support/verdict';

const gates: Readonly<Record<string, Gate>> = {
  attachments,
  channels,
  'cpu-dos': cpuDos,
  directory,
  'hook-ssrf': hookSsrf,
  'hook-abuse': hookAbuse,
  'hook-chaos': hookChaos,
  'hook-fair': hookFair,
  incidents,
  migration,
};

/** Runs one gate: progress on standard error, one line of JSON on standard output, exit code 1 on a miss. */
async function main(): Promise<void> {
  const [name = '', ...args] = process.argv.slice(2);
  const gate = Object.hasOwn(gates, name) ? gates[name] : undefined;
  if (!gate) throw new Error(`The first argument must be one of ${Object.keys(gates).join(', ')}.`);
  const startedAt = performance.now();
  const { checks, facts } = await gate(args);
  const judged = checks.map((check) => ({ ...check, met: isMet(check) }));
  for (const { name: what, value, met } of judged) say(`${met ? 'met   ' : 'MISSED'} ${what}: ${value}`);
  const met = judged.every((check) => check.met);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(JSON.stringify({ gate: name, met, seconds, ...facts, checks: judged }));
  process.exitCode = met ? 0 : 1;
}

main().catch((error: unknown) => {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
});
