import { Presets, SingleBar } from 'cli-progress';
import { type Command, InvalidArgumentError } from 'commander';
import { print, progress, wantsJson } from './output';
import { type SeedOptions, seedWorkspace } from './seed/workspace';
import { withSession } from './session';
import { wholeNumber } from './values';

interface Options {
  workspace: string;
  tickets: number;
  comments?: boolean;
  seed: number;
}

const MOST_TICKETS = 10_000_000;

/** `helpdesk seed`: bulk data for trying out and measuring. */
export function registerSeed(program: Command): void {
  program
    .command('seed')
    .description('fill a workspace with realistic tickets, and with the people, companies and categories they need')
    .requiredOption('--workspace <slug>', 'workspace')
    .requiredOption('--tickets <n>', 'how many tickets to add', ticketCount)
    .option('--comments', 'with conversations on about a quarter of the tickets')
    .option('--seed <n>', 'the same number makes the same texts and people', wholeNumber, 1)
    .addHelpText(
      'after',
      '\nSeeded tickets record no events, so neither webhooks nor automations run for them.\n' +
        'They are added in short transactions while a running server goes on working; an interrupted seeding leaves\n' +
        'what it has added.',
    )
    .action(async (options: Options, command: Command) => {
      const { workspace: slug, tickets, comments = false, seed } = options;
      const result = await withSession(progress(command), async ({ provisioning }, databaseUrl) => {
        const workspace = await provisioning.workspace(slug);
        const request = { databaseUrl, workspaceId: workspace.id, tickets, comments, seed };
        return wantsJson(command) ? seedWorkspace(request) : withBar(request);
      });
      print(command, { workspace: slug, ...result }, [
        `${result.tickets} tickets and ${result.comments} comments were added to workspace "${slug}" in ${result.seconds} s.`,
        `It has ${result.tickets_in_workspace} tickets now.`,
      ]);
    });
}

/** A bar on a terminal; where there is none, a line now and then. */
async function withBar(request: SeedOptions): ReturnType<typeof seedWorkspace> {
  const bar = new SingleBar(
    {
      format: '{bar} {percentage}% | {duration_formatted} | {step}',
      stream: process.stderr,
      noTTYOutput: true,
      notTTYSchedule: 1_000,
      hideCursor: true,
    },
    Presets.shades_classic,
  );
  bar.start(1_000, 0, { step: 'preparing' });
  try {
    return await seedWorkspace({
      ...request,
      progress: (step, done) => bar.update(Math.round(done * 1_000), { step }),
    });
  } finally {
    bar.stop();
  }
}

function ticketCount(text: string): number {
  const value = wholeNumber(text);
  if (value < 1 || value > MOST_TICKETS) throw new InvalidArgumentError('Write a whole number from 1 to 10000000.');
  return value;
}
