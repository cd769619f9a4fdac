import type { Command } from 'commander';
import { writeFileSync } from 'node:fs';
import { loadConfig } from '../config';
import { print, progress, wantsJson } from './output';
import { bringUpToDate } from './schema';
import { databaseOf } from './session';

/** `helpdesk migrate` and `helpdesk openapi`. */
export function registerMaintenance(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to date')
    .action(async (_options: unknown, command: Command) => {
      const services = await databaseOf(loadConfig(), progress(command));
      try {
        const applied = await bringUpToDate(services.migrateDatabaseUrl);
        const lines = applied.length ? applied.map((name) => `Applied ${name}.`) : ['The database is up to date.'];
        print(command, { applied }, lines);
      } finally {
        await services.stop();
      }
    });
  program
    .command('openapi')
    .description('write the OpenAPI document; needs no database')
    .option('--out <file>', 'file to write; standard output when left out')
    .option('--plugins', 'with the plug-ins of this installation; without, the document is that of the core')
    .action(async ({ out, plugins }: { out?: string; plugins?: true }, command: Command) => {
      // Loads the whole application: the other commands start faster without it.
      const { buildOpenApiDocument } = await import('../app.js');
      const { installedAreas } = await import('../plugins/installed.js');
      const document = await buildOpenApiDocument(plugins ? installedAreas(loadConfig()) : undefined);
      const text = `${JSON.stringify(document, null, 2)}\n`;
      if (out === undefined) {
        process.stdout.write(text);
        return;
      }
      writeFileSync(out, text);
      if (wantsJson(command)) print(command, { out }, []);
      else progress(command)(`${out} is written.`);
    });
}
