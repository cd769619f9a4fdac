import { type Command, Option } from 'commander';
import type { TokenType } from '../platform/auth/token-format';
import type { TokenLine } from './directory';
import type { IssuedToken, Scope } from '../platform/auth/tokens.service';
import { requireName } from '../platform/auth/name-rule';
import { print, progress, table } from './output';
import { withSession } from './session';
import { duration, recordId, scopeList } from './values';

interface CreateOptions {
  workspace: string;
  scopes: Scope[];
  type?: TokenType;
  expires?: number;
  name?: string;
  user?: string;
}

/** `helpdesk token …` */
export function registerTokens(program: Command): void {
  const token = program.command('token').description('bearer tokens');
  token
    .command('create')
    .description('issue a token; its text is shown this once')
    .requiredOption('--workspace <slug>', 'workspace it opens')
    .requiredOption(
      '--scopes <list>',
      'read, write, impersonate (say on whose behalf it acts) or * (all), separated by commas',
      scopeList,
    )
    .addOption(new Option('--type <type>', 'by default the one that fits').choices(['developer', 'tenant']))
    .option('--expires <duration>', 'such as 30d or 12h; never when left out', duration)
    .option('--name <name>', 'what a person recognises it by')
    .option('--user <id or e-mail>', 'user of the workspace who acts through it')
    .action(async (options: CreateOptions, command: Command) => {
      if (options.name !== undefined) requireName(options.name);
      const issued = await withSession(progress(command), async ({ provisioning, tokens, directory }) => {
        const { id } = await provisioning.workspace(options.workspace);
        const { scopes, type, name, expires } = options;
        const user = options.user === undefined ? null : await directory.activeUser(options.workspace, options.user);
        return tokens.create({
          workspaceId: id,
          scopes,
          expiresInSeconds: expires ?? null,
          ...defined({ type, name, userId: user?.id }),
        });
      });
      printToken(command, issued);
    });
  token
    .command('list')
    .description('show the tokens that are valid; never their text')
    .option('--workspace <slug>', 'those of one workspace')
    .option('--all', 'expired and revoked ones too')
    .action(async ({ workspace, all }: { workspace?: string; all?: boolean }, command: Command) => {
      const found = await withSession(progress(command), ({ directory }) =>
        directory.tokens(workspace ?? null, all === true),
      );
      print(command, found, tokenTable(found));
    });
  token
    .command('rotate')
    .description('issue a token in place of another one, with the same rights')
    .requiredOption('--id <id>', 'token to replace', recordId)
    .option(
      '--overlap <duration>',
      'how long the old one stays valid; at most 24h, not at all when left out',
      duration,
      0,
    )
    .action(async ({ id, overlap }: { id: number; overlap: number }, command: Command) => {
      printToken(command, await withSession(progress(command), ({ tokens }) => tokens.rotate(id, overlap)));
    });
  token
    .command('revoke')
    .description('end a token on every node within a second')
    .requiredOption('--id <id>', 'token to end', recordId)
    .action(async ({ id }: { id: number }, command: Command) => {
      await withSession(progress(command), ({ tokens }) => tokens.revoke(id));
      print(command, { id, revoked: true }, [`Token ${id} is revoked.`]);
    });
}

function printToken(command: Command, { id, token, scopes, type, expires_at }: IssuedToken): void {
  print(command, { id, token, scopes, type, expires_at }, [
    `Token ${id} (${type}, ${scopes.join(', ')}) ${expires_at === null ? 'never expires' : `expires ${expires_at}`}. It is shown only now:`,
    token,
  ]);
}

function tokenTable(tokens: readonly TokenLine[]): string[] {
  return table([
    ['ID', 'WORKSPACE', 'NAME', 'TEXT', 'SCOPES', 'USER', 'STATUS', 'EXPIRES', 'LAST USED'],
    ...tokens.map((token) => [
      token.id,
      token.workspace,
      token.name,
      token.hint,
      token.scopes.join(','),
      token.user?.email ?? '-',
      token.status,
      token.expires_at ?? 'never',
      token.last_used_at ?? 'never',
    ]),
  ]);
}

/** The given properties, without those that were left out. */
function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
