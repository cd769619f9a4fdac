import type { Command } from 'commander';
import type { AccessPlan } from '../platform/context/access';
import { print, progress, table } from './output';
import { withSession } from './session';
import { wholeNumber } from './values';

interface CreateOptions {
  key: string;
  name?: string;
  ratePerMinute: number;
  monthlyQuota: number;
  overage?: boolean;
  storageMb?: number;
}

/** `helpdesk plan …` */
export function registerPlans(program: Command): void {
  const plan = program.command('plan').description('what subscriptions and licences grant');
  plan
    .command('create')
    .description('add a plan, or give an existing one new figures (0 = unlimited)')
    .requiredOption('--key <key>', 'short name')
    .requiredOption('--rate-per-minute <n>', 'requests in any 60 seconds, per token', wholeNumber)
    .requiredOption('--monthly-quota <n>', 'requests per UTC month, per workspace', wholeNumber)
    .option('--overage', 'go on serving beyond the quota')
    .option('--storage-mb <n>', 'megabytes of all files of a workspace; unless given, ATTACHMENT_QUOTA_MB', wholeNumber)
    .option('--name <name>', 'name for people')
    .action(async (options: CreateOptions, command: Command) => {
      const saved = await withSession(progress(command), ({ plans }) =>
        plans.put({
          key: options.key,
          rate_limit_per_minute: options.ratePerMinute,
          monthly_quota: options.monthlyQuota,
          overage_enabled: options.overage === true,
          ...(options.storageMb === undefined ? {} : { storage_mb: options.storageMb }),
          ...(options.name === undefined ? {} : { name: options.name }),
        }),
      );
      print(command, saved, planTable([saved]));
    });
  plan
    .command('list')
    .description('show every plan')
    .action(async (_options: unknown, command: Command) => {
      const all = await withSession(progress(command), ({ plans }) => plans.list());
      print(command, all, planTable(all));
    });
  plan
    .command('set')
    .description('put a workspace on a plan')
    .requiredOption('--workspace <slug>', 'workspace')
    .requiredOption('--plan <key>', 'plan')
    .action(async (options: { workspace: string; plan: string }, command: Command) => {
      const { key } = await withSession(progress(command), ({ provisioning }) =>
        provisioning.activateSubscription(options.workspace, options.plan),
      );
      print(command, { workspace: options.workspace, plan: key }, [
        `Workspace "${options.workspace}" is on plan ${key}.`,
      ]);
    });
}

function planTable(plans: readonly AccessPlan[]): string[] {
  return table([
    ['KEY', 'NAME', 'PER MINUTE', 'PER MONTH', 'OVERAGE'],
    ...plans.map((plan) => [
      plan.key,
      plan.name,
      plan.rate_limit_per_minute || 'unlimited',
      plan.monthly_quota || 'unlimited',
      plan.overage_enabled ? 'yes' : 'no',
    ]),
  ]);
}
