import { runAi } from './ai';
import { runAutomations } from './automations';
import { runAvailability } from './availability';
import { runCore } from './core';
import { runLists } from './lists';
import { runMillion } from './million';
import { runSearch } from './search';
import { runSla } from './sla';
import { runStats } from './stats';
import { runTables } from './tables';
import { runWebhooks } from './webhooks';

/** Benchmarks by name: each answers whether its targets were met. */
const benches: Readonly<Record<string, (args: readonly string[]) => Promise<boolean>>> = {
  ai: runAi,
  automations: runAutomations,
  availability: runAvailability,
  core: runCore,
  lists: runLists,
  million: runMillion,
  search: runSearch,
  sla: runSla,
  stats: runStats,
  tables: runTables,
  webhooks: runWebhooks,
};

/** `npm run bench -- <name> [options]`. A missed target is a finding, not a failure: the exit code is 0. */
async function main(): Promise<void> {
  const [name = '', ...args] = process.argv.slice(2);
  const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
  if (!bench) throw new Error(`The first argument must be one of ${Object.keys(benches).join(', ')}.`);
  await bench(args);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
