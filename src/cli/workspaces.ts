import { type Command, Option } from 'commander';
import type { TokenType } from '../platform/auth/token-format';
import { print, progress } from './output';
import { withSession } from './session';

interface CreateOptions {
  name: string;
  plan: string;
  kind: TokenType;
  slug?: string;
}

/** `helpdesk workspace …` */
export function registerWorkspaces(program: Command): void {
  const workspace = program.command('workspace').description('isolated helpdesks');
  workspace
    .command('create')
    .description('make a workspace with its developer account, app and subscription (or tenant and licence)')
    .requiredOption('--name <name>', 'name of the workspace and of its owner')
    .option('--slug <slug>', 'short name; made from the name when left out')
    .option('--plan <key>', 'key of the plan', 'free')
    .addOption(new Option('--kind <kind>', 'who owns it').choices(['developer', 'tenant']).default('developer'))
    .action(async (options: CreateOptions, command: Command) => {
      const created = await withSession(progress(command), ({ provisioning }) => provisioning.createWorkspace(options));
      const document = { id: created.id, slug: created.slug, plan: options.plan, kind: created.kind };
      print(command, document, [`Workspace "${created.slug}" is ready on plan ${options.plan}.`]);
    });
}
