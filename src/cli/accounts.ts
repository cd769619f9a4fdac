import type { Command } from 'commander';
import type { Provisioning } from '../platform/auth/provisioning.service';
import { print, progress } from './output';
import { withSession } from './session';

interface Change {
  subject: string;
  verb: string;
  description: string;
  /** The state afterwards, as it is printed. */
  state: string;
  apply: (provisioning: Provisioning, slug: string) => Promise<unknown>;
}

const changes: readonly Change[] = [
  {
    subject: 'developer',
    verb: 'suspend',
    description: 'refuse every call of the developer account that owns a workspace',
    state: 'suspended',
    apply: (provisioning, slug) => provisioning.setDeveloperStatus(slug, 'suspended'),
  },
  {
    subject: 'developer',
    verb: 'resume',
    description: 'accept them again',
    state: 'active',
    apply: (provisioning, slug) => provisioning.setDeveloperStatus(slug, 'active'),
  },
  {
    subject: 'app',
    verb: 'suspend',
    description: "refuse every call of a workspace's app",
    state: 'suspended',
    apply: (provisioning, slug) => provisioning.setAppStatus(slug, 'suspended'),
  },
  {
    subject: 'app',
    verb: 'archive',
    description: "retire a workspace's app",
    state: 'archived',
    apply: (provisioning, slug) => provisioning.setAppStatus(slug, 'archived'),
  },
  {
    subject: 'app',
    verb: 'resume',
    description: 'accept its calls again',
    state: 'active',
    apply: (provisioning, slug) => provisioning.setAppStatus(slug, 'active'),
  },
  {
    subject: 'tenant',
    verb: 'suspend',
    description: 'refuse every call of the tenant that owns a workspace',
    state: 'suspended',
    apply: (provisioning, slug) => provisioning.setTenantStatus(slug, 'suspended'),
  },
  {
    subject: 'tenant',
    verb: 'resume',
    description: 'accept them again',
    state: 'active',
    apply: (provisioning, slug) => provisioning.setTenantStatus(slug, 'active'),
  },
  {
    subject: 'subscription',
    verb: 'cancel',
    description: "end a workspace's subscription or licence",
    state: 'cancelled',
    apply: (provisioning, slug) => provisioning.cancelSubscription(slug),
  },
  {
    subject: 'subscription',
    verb: 'activate',
    description: 'make it active again, on the plan it had',
    state: 'active',
    apply: (provisioning, slug) => provisioning.activateSubscription(slug),
  },
];

/** `helpdesk developer|app|tenant|subscription …`: the standing of a workspace's owner. */
export function registerAccounts(program: Command): void {
  const groups = new Map<string, Command>();
  for (const { subject, verb, description, state, apply } of changes) {
    const group = groups.get(subject) ?? program.command(subject).description(`standing of a workspace's ${subject}`);
    groups.set(subject, group);
    group
      .command(verb)
      .description(description)
      .requiredOption('--workspace <slug>', 'workspace')
      .action(async ({ workspace }: { workspace: string }, command: Command) => {
        await withSession(progress(command), ({ provisioning }) => apply(provisioning, workspace));
        print(command, { workspace, [subject]: state }, [`The ${subject} of workspace "${workspace}" is ${state}.`]);
      });
  }
}
