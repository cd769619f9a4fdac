import { Command } from 'commander';
import { registerAccounts } from './accounts';
import { registerDoctor } from './doctor';
import { registerMaintenance } from './maintenance';
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
    registerMaintenance,
    registerDoctor,
  ]) {
    register(program);
  }
  return program;
}
