import { type Command, Option } from 'commander';
import { setTimeout as sleep } from 'node:timers/promises';
import { facts, print, progress, table } from './output';
import { requireReadable } from './files';
import { connectionOf } from './migration-connection';
import { MigrationClient, type MigrationView, runningAt } from './migration-client';
import { withSession } from './session';
import { recordId, serviceUrl } from './values';

interface Where {
  workspace: string;
  url?: string;
}

interface RunOptions extends Where {
  source: string;
  file?: string[];
  connection?: string;
  entities?: string[];
  onDuplicate?: string;
  onConflict?: string;
  matchBy?: string;
  updatedSince?: string;
  createMissing: string[];
  namespace?: string;
  yes?: boolean;
}

const ACTIONS = ['validate', 'start', 'pause', 'resume', 'cancel', 'retry-failed', 'rollback'] as const;
const FILES = ['csv', 'xlsx', 'ndjson', 'json', 'archive'];
const SERVICES = ['zendesk', 'freshdesk', 'zammad', 'jira', 'hubspot', 'intercom'];
const MOVING = ['validating', 'running', 'rolling_back'];
const LOOKS_MS = 1_000;
const TOKEN_SECONDS = 12 * 3_600;

/** `helpdesk migration …`: what people do about migrations, through the running service. */
export function registerMigrations(program: Command): void {
  const migration = program
    .command('migration')
    .description('records of other systems: bring them in, look, take them back');
  const at = (command: Command): Command =>
    command
      .requiredOption('--workspace <slug>', 'workspace')
      .option('--url <url>', 'the service; that of this data directory unless given', serviceUrl);

  at(migration.command('run'))
    .description('bring records in: looks and says what would become of them, and does it with --yes')
    .addOption(
      new Option('--source <source>', 'what the files are, or the service')
        .choices([...FILES, ...SERVICES])
        .default('csv'),
    )
    .option('--file <entity=path...>', 'such as contacts=people.csv tickets=tickets.csv.gz')
    .option(
      '--connection <file>',
      'of a service: JSON of what lets us in; - reads it from a pipe; asked for unless given',
    )
    .option('--entities <entity...>', 'what comes; everything unless given')
    .addOption(new Option('--on-duplicate <what>', 'records that are here already').choices(['skip', 'update', 'fail']))
    .addOption(new Option('--match-by <what>', 'who was here before is the same by').choices(['email', 'code']))
    .addOption(new Option('--on-conflict <what>', 'fields changed there and here').choices(['keep', 'source_wins']))
    .option('--updated-since <moment>', 'of a service: only what changed since; "all" for everything again')
    .option(
      '--create-missing <resource...>',
      'make companies, categories, contacts, kb_categories that are named and not there',
      [],
    )
    .option('--namespace <name>', 'put before every external id')
    .option('--yes', 'bring them in')
    .action(async (options: RunOptions, command: Command) => {
      const files = (options.file ?? []).map(fileOf);
      const isService = SERVICES.includes(options.source);
      if (!isService && files.length === 0) throw new Error('Say which files: --file entity=path');
      const say = progress(command);
      const done = await withClient(options, command, async (client) => {
        const { source, entities = [] } = options;
        const more = isService ? { connection: await connected(client, options) } : {};
        const { id } = await client.create({ source, entities, options: wishes(options), ...more });
        const refusal = isService ? await client.refusal(id) : null;
        if (refusal !== null) {
          await client.act(id, 'cancel');
          throw new Error(refusal);
        }
        for (const { entity, path } of files) await client.file(id, entity, path);
        await client.act(id, 'validate');
        const checked = await settled(client, id, say);
        if (options.yes !== true || checked.status !== 'ready') return checked;
        await client.change(id, { mode: 'import' });
        await client.act(id, 'start');
        return settled(client, id, say);
      });
      const next =
        done.status === 'ready' ? ['Nothing was written. With --yes the same command brings the records in.'] : [];
      print(command, done, [...facts(shown(done)), ...next]);
    });

  at(migration.command('list'))
    .description('show the migrations of a workspace')
    .action(async (options: Where, command: Command) => {
      const found = await withClient(options, command, (client) => client.list());
      const rows = found.map(({ id, status, source, name }) => [
        id,
        String(source),
        status,
        typeof name === 'string' ? name : '-',
      ]);
      print(command, found, table([['id', 'source', 'status', 'name'], ...rows]));
    });

  at(migration.command('show').argument('<id>', 'migration', recordId))
    .description('show how far a migration is, and what the source has and is here')
    .action(async (id: number, options: Where, command: Command) => {
      const found = await withClient(options, command, async (client) => ({
        ...(await client.show(id)),
        report: await client.report(id),
      }));
      print(command, found, facts({ ...shown(found), report: found.report }));
    });

  for (const action of ACTIONS)
    at(migration.command(action).argument('<id>', 'migration', recordId))
      .description(`${action} a migration, and wait while it moves`)
      .action(async (id: number, options: Where, command: Command) => {
        const done = await withClient(options, command, async (client) => {
          await client.act(id, action);
          return settled(client, id, progress(command));
        });
        print(command, done, facts(shown(done)));
      });
}

/** What lets us into a service. */
async function connected(client: MigrationClient, { source, connection }: RunOptions): Promise<object> {
  const known = (await client.sources()).find(({ key }) => key === source);
  return connectionOf(connection, known?.config_schema);
}

/** Options of the job. */
function wishes({ createMissing, namespace, onDuplicate, onConflict, matchBy, updatedSince }: RunOptions): object {
  const said = {
    ...{ create_missing: createMissing, namespace, on_duplicate: onDuplicate, on_conflict: onConflict },
    match_by: matchBy,
    updated_since: updatedSince === 'all' ? null : updatedSince,
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/** Runs `work` with a token that opens the workspace for as long as that takes. */
async function withClient<T>(
  where: Where,
  command: Command,
  work: (client: MigrationClient) => Promise<T>,
): Promise<T> {
  return withSession(progress(command), async ({ config, provisioning, tokens }) => {
    const url = where.url ?? runningAt(config.dataDir);
    const { id: workspaceId } = await provisioning.workspace(where.workspace);
    const name = 'helpdesk migration';
    const { id, token } = await tokens.create({ workspaceId, scopes: ['*'], name, expiresInSeconds: TOKEN_SECONDS });
    try {
      return await work(new MigrationClient(url, token));
    } finally {
      await tokens.revoke(id);
    }
  });
}

/** The migration once it is at rest. */
async function settled(client: MigrationClient, id: number, say: (line: string) => void): Promise<MigrationView> {
  let told = '';
  for (;;) {
    const now = await client.show(id);
    const line = `${now.status}: ${facts({ progress: now.progress }).join(' ')}`;
    if (line !== told) say(line);
    told = line;
    if (!MOVING.includes(now.status)) return now;
    await sleep(LOOKS_MS);
  }
}

function shown({
  id,
  status,
  source,
  progress: far,
  mapping,
  validation,
  last_error,
}: MigrationView): Record<string, unknown> {
  return { id, status, source, progress: far, mapping, validation, last_error };
}

function fileOf(text: string): { entity: string; path: string } {
  const [entity = '', ...path] = text.split('=');
  if (path.length === 0 || entity === '') throw new Error('Write --file entity=path, such as tickets=tickets.csv');
  const file = path.join('=');
  requireReadable(file);
  return { entity, path: file };
}
