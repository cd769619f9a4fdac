import { Command } from 'commander';
import { registerAccounts } from './accounts';
import { registerDoctor } from './doctor';
import { registerGenerate } from './generate';
import { registerMaintenance } from './maintenance';
import { registerMigrations } from './migration';
import { sentence } from './output';
import { registerPlans } from './plans';
import { registerSeed } from './seed';
import { registerTokens } from './tokens';
import { registerWorkspaces } from './workspaces';

/** The command line of `helpdesk`: every command in one place. */
export function createProgram(): Command {
  const program = new Command('helpdesk')
    .description('Operates a helpdesk-api installation, whether its server is running or not.')
    .option('--json', 'print one JSON document on standard output and nothing else')
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(`${sentence(text.replace(/^error: /, ''))}\n`),
    });
  for (const register of [
    registerWorkspaces,
    registerTokens,
    registerPlans,
    registerAccounts,
    registerSeed,
    registerMigrations,
    registerMaintenance,
    registerGenerate,
    registerDoctor,
  ]) {
    register(program);
  }
  for (const group of [program, ...program.commands]) nameTheKnown(group);
  return program;
}

/** Where no command is like the one that was typed, the answer names those that there are. */
function nameTheKnown(group: Command): void {
  const names = group.commands.map((command) => command.name());
  if (names.length === 0) return;
  const known = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}` : names[0];
  group.configureOutput({
    outputError: (text, write) => {
      const line = sentence(text.replace(/^error: /, ''));
      const lost = /^Unknown command/.test(line) && !line.includes('Did you mean');
      write(`${lost ? `${line.replace(/\.$/, '')}; there are ${known}.` : line}\n`);
    },
  });
}
