import { type Command, Option } from 'commander';
import type { TicketSettings } from '../areas/tickets/ticket-settings';
import type { WorkspaceLine, WorkspaceSheet } from './directory';
import type { WorkspaceChanges } from '../platform/auth/provisioning.service';
import type { TokenType } from '../platform/auth/token-format';
import { facts, print, progress, table } from './output';
import { withSession } from './session';
import { currencyCode, days, daysOrAlways, languageTag, onOrOff, timeZone } from './values';

interface CreateOptions {
  name: string;
  plan: string;
  kind: TokenType;
  slug?: string;
  again?: boolean;
  sandbox?: boolean;
}

interface SetOptions {
  workspace: string;
  name?: string;
  timezone?: string;
  locale?: string;
  currency?: string;
  autoCloseDays?: number;
  reopenWindowDays?: number | 'always';
  autoStartOnAssign?: boolean;
  csatRequest?: boolean;
}

/** `helpdesk workspace …` */
export function registerWorkspaces(program: Command): void {
  const workspace = program.command('workspace').description('isolated helpdesks');
  workspace
    .command('create')
    .description('make a workspace with its developer account, app and subscription (or tenant and licence)')
    .requiredOption('--name <name>', 'name of the workspace and of its owner')
    .option('--slug <slug>', 'short name; made from the name when left out')
    .option('--again', 'even though there is a workspace of that name')
    .option('--plan <key>', 'key of the plan', 'free')
    .option('--sandbox', 'for trying things out: its clock can be moved, and it can be emptied (docs/sandbox.md)')
    .addOption(new Option('--kind <kind>', 'who owns it').choices(['developer', 'tenant']).default('developer'))
    .action(async (options: CreateOptions, command: Command) => {
      const { sandbox, ...values } = options;
      const created = await withSession(progress(command), ({ provisioning }) =>
        provisioning.createWorkspace({
          ...values,
          again: options.again === true,
          ...(sandbox ? { sandbox: 'empty' as const } : {}),
        }),
      );
      const { id, slug, kind } = created;
      const document = { id, slug, plan: options.plan, kind, ...(sandbox ? { sandbox } : {}) };
      const what = sandbox ? 'Sandbox' : 'Workspace';
      print(command, document, [`${what} "${slug}" is ready on plan ${options.plan}.`]);
    });
  workspace
    .command('list')
    .description('show every workspace')
    .action(async (_options: unknown, command: Command) => {
      const all = await withSession(progress(command), ({ directory }) => directory.workspaces());
      print(command, all, workspaceTable(all));
    });
  workspace
    .command('show')
    .description('show everything about one workspace')
    .requiredOption('--workspace <slug>', 'which one')
    .action(async ({ workspace: slug }: { workspace: string }, command: Command) => {
      const sheet = await withSession(progress(command), ({ directory }) => directory.workspace(slug));
      print(command, sheet, sheetLines(sheet));
    });
  workspace
    .command('set')
    .description('change the name, the zone, the language, the currency and the rules of a workspace')
    .requiredOption('--workspace <slug>', 'which one')
    .option('--name <name>', 'its name')
    .option('--timezone <zone>', 'IANA name, e.g. Europe/Berlin', timeZone)
    .option('--locale <tag>', 'BCP 47 tag, e.g. de', languageTag)
    .option('--currency <code>', 'ISO 4217 code, e.g. EUR', currencyCode)
    .option('--auto-close-days <days>', 'resolved tickets close after so many days; 0 = never', days)
    .option('--reopen-window-days <days>', 'closed tickets can be reopened so long, or always', daysOrAlways)
    .option('--auto-start-on-assign <on|off>', 'assigning an open ticket begins it', onOrOff)
    .option('--csat-request <on|off>', 'requesters are asked by mail to rate what was resolved', onOrOff)
    .action(async (options: SetOptions, command: Command) => {
      if (Object.keys(options).length === 1) throw new Error('Say what to change, such as --timezone Europe/Berlin');
      const changed = await withSession(progress(command), ({ provisioning }) =>
        provisioning.changeWorkspace(options.workspace, changesOf(options)),
      );
      const { id, slug, name, timezone, locale, currency, settings } = changed;
      const document = { id, slug, name, timezone, locale, currency, settings };
      print(command, document, [`Workspace "${slug}" is changed.`, ...facts(document)]);
    });
}

function workspaceTable(all: readonly WorkspaceLine[]): string[] {
  return table([
    ['ID', 'SLUG', 'NAME', 'KIND', 'PLAN', 'STANDING', 'CREATED'],
    ...all.map((one) => [one.id, one.slug, one.name, one.kind, one.plan ?? '-', one.standing, one.created_at]),
  ]);
}

function sheetLines({ owner, app, ...sheet }: WorkspaceSheet): string[] {
  return facts({
    ...sheet,
    owner: `${owner.name} (${sheet.kind} ${owner.id}, ${owner.status})`,
    app: app && `${app.name} (${app.id}, ${app.status})`,
  });
}

function changesOf(options: SetOptions): WorkspaceChanges {
  const { name, timezone, locale, currency } = options;
  const settings: Partial<TicketSettings> = named({
    auto_close_days: options.autoCloseDays,
    reopen_window_days: options.reopenWindowDays === 'always' ? null : options.reopenWindowDays,
    auto_start_on_assign: options.autoStartOnAssign,
    csat_request: options.csatRequest,
  });
  return { ...named({ name, timezone, locale, currency }), settings };
}

/** The members that are not undefined. */
function named<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
