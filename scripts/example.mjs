/**
 * `npm run -s example -- import FILE`: fills a running service with tickets from a CSV file, through its API.
 * `npm run -s example -- day`: plays the working day of a desk in a sandbox of it.
 */
import { Presets, SingleBar } from 'cli-progress';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ApiClient, ImportError } from './lib/api-client.mjs';
import { playDay } from './lib/day.mjs';
import { root } from './lib/root.mjs';
import { countRows } from './lib/ticket-file.mjs';
import { importTickets } from './lib/ticket-import.mjs';

if (existsSync(root('.env'))) process.loadEnvFile(root('.env'));

const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());
process.once('SIGTERM', () => interrupted.abort());

const program = new Command('example').description('Uses the API as a program of yours would.').exitOverride();
program
  .command('import')
  .description(
    'create a ticket for every row of a CSV file (.csv or .csv.gz) with the columns document and topic_group',
  )
  .argument('<file>', 'for example examples/it-tickets-sample.csv')
  .option('--limit <n>', 'rows to import, from the first on', rowCount, 500)
  .option('--url <url>', 'base address of the API', `http://127.0.0.1:${process.env.PORT || 3000}/v1`)
  .option('--token <token>', 'bearer token with the scopes read and write; the demo token when left out')
  .addHelpText('after', '\nRunning it again creates no ticket twice, so after an interruption simply run it again.')
  .showHelpAfterError()
  .action(runImport);

program
  .command('day')
  .description('play the working day of six people in a sandbox: tickets come in, are answered, and reports are made')
  .option('--tickets <n>', 'how many come in', rowCount, 200)
  .option('--url <url>', 'base address of the API', `http://127.0.0.1:${process.env.PORT || 3000}/v1`)
  .option('--token <token>', 'bearer token of a sandbox with all scopes; the demo token when left out')
  .addHelpText('after', '\nIts clock is a day ahead afterwards; POST /sandbox/reset begins anew.')
  .showHelpAfterError()
  .action(runDay);

try {
  await program.parseAsync(process.argv);
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else if (interrupted.signal.aborted) {
    process.stderr.write('Interrupted; run the same command again to go on.\n');
    process.exitCode = 130;
  } else {
    process.stderr.write(`${error instanceof ImportError ? error.message : error.stack}\n`);
    process.exitCode = 1;
  }
}

async function runImport(file, { limit, url, token }) {
  const path = resolve(process.env.INIT_CWD ?? '.', file);
  const rows = await countRows(path, limit);
  const { signal } = interrupted;
  const bar = progressBar();
  const onPause = (seconds, reason) => bar.isActive && bar.update({ note: `| waiting ${seconds} s: ${reason}` });
  await requireServer(url, signal);
  const client = new ApiClient({ url, token: token ?? demoToken(), signal, onPause });
  await requireAccess(client);

  const started = performance.now();
  bar.start(rows, 0, { note: '' });
  let outcome;
  try {
    outcome = await importTickets({ client, file: path, limit, onRow: () => bar.increment({ note: '' }) });
  } finally {
    bar.stop();
  }
  report(outcome, (performance.now() - started) / 1000);
}

async function runDay({ tickets, url, token }) {
  const { signal } = interrupted;
  await requireServer(url, signal);
  const say = (line) => process.stdout.write(`${line}\n`);
  const onPause = (seconds, reason) => process.stderr.write(`waiting ${seconds} s: ${reason}\n`);
  const client = new ApiClient({ url, token: token ?? demoToken(), signal, onPause });
  await requireAccess(client);
  await playDay({ client, file: root('examples/it-tickets-sample.csv'), tickets, say });
}

function report({ created, known, refused, refusals }, seconds) {
  const parts = [
    `${created} tickets created`,
    `${known} were already there`,
    ...(refused ? [`${refused} refused`] : []),
  ];
  process.stdout.write(`${parts.join(', ')} (${seconds.toFixed(1)} s).\n`);
  for (const refusal of refusals) process.stderr.write(`${refusal}\n`);
  if (refused > 0) process.exitCode = 1;
}

/** A bar on a terminal; where there is none, a line now and then. */
function progressBar() {
  const format = '{bar} {percentage}% | {value}/{total} tickets | {duration_formatted} {note}';
  const options = { format, stream: process.stderr, noTTYOutput: true, notTTYSchedule: 2_000, hideCursor: true };
  return new SingleBar(options, Presets.shades_classic);
}

async function requireServer(url, signal) {
  if (!URL.canParse(url)) throw new ImportError(`--url must look like http://127.0.0.1:3000/v1, but is "${url}".`);
  const health = await fetch(`${url.replace(/\/+$/, '')}/health`, { signal }).catch(() => null);
  if (health === null)
    throw new ImportError(`No server answers at ${url}; start it with "npm start" in another terminal.`);
  if (!health.ok)
    throw new ImportError(`There is no helpdesk API at ${url} (it answers ${health.status}); correct --url.`);
}

async function requireAccess(client) {
  const { status, body } = await client.request('GET', '/me');
  if (status === 200) return;
  const reason = body.error?.message ?? `The server answered ${status}.`;
  throw new ImportError(
    status === 401 ? 'The server does not know this token; give a valid one with --token.' : reason,
  );
}

/** Kept by the server on its first start. */
function demoToken() {
  const file = join(resolve(root('.'), process.env.DATA_DIR || '.data'), 'demo-token');
  if (!existsSync(file)) throw new ImportError('There is no demo token in the data directory; give one with --token.');
  return readFileSync(file, 'utf8').trim();
}

function rowCount(text) {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value < 1) throw new InvalidArgumentError('Write a whole number from 1 up.');
  return value;
}
