import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { Database } from '../database/database';
import { announce } from '../events/announce';
import { App } from './app.entity';
import { Developer } from './developer.entity';
import { requireName } from './name-rule';
import { Plan } from './plan.entity';
import { ProvisioningError } from './provisioning-error';
import { Subscription } from './subscription.entity';
import { Tenant } from './tenant.entity';
import type { TokenType } from './token-format';
import { slugOf } from '../text/slug';
import { Workspace } from './workspace.entity';

export interface NewWorkspace {
  name: string;
  /** Made from the name when absent; a taken one is an error only when it was given. */
  slug?: string;
  /** False: a name that a workspace has already is refused. */
  again?: boolean;
  kind?: TokenType;
  /** Key of the plan; `free` when absent. */
  plan?: string;
  /** Its clock can be moved, and a reset brings back its beginning: nothing, or the records of a demo. For developers alone. */
  sandbox?: 'empty' | 'demo';
}

const SLUG_ATTEMPTS = 20;

/** What of a workspace can be changed. */
export type WorkspaceChanges = Partial<Pick<Workspace, 'name' | 'timezone' | 'locale' | 'currency' | 'settings'>>;

/** Makes workspaces and changes the standing of their owners. Changes reach running servers within a second. */
@Injectable()
export class Provisioning {
  constructor(private readonly database: Database) {}

  /**
   * A workspace with the developer account, app and subscription (or the tenant and licence) that go with it.
   *
   * @throws ProvisioningError when the plan is unknown, the given slug is taken, or the name is and `again` is false; when a
   *   tenant's is to be a sandbox
   */
  async createWorkspace(input: NewWorkspace): Promise<Workspace> {
    return this.system(async (manager) => {
      const { name, kind = 'developer', sandbox } = input;
      if (sandbox && kind !== 'developer') throw new ProvisioningError('Only a developer has a sandbox.');
      requireName(name);
      const plan = await findPlan(manager, input.plan ?? 'free');
      if (input.again === false) await refuseKnownName(manager, name);
      const slug = await this.freeSlug(manager, input);
      const owner = kind === 'developer' ? { developer_id: await insert(manager, Developer, { name }) } : {};
      const licensee = kind === 'tenant' ? { tenant_id: await insert(manager, Tenant, { name }) } : {};
      const id = await insert(manager, Workspace, { slug, name, kind, ...owner, ...licensee });
      if (owner.developer_id !== undefined) {
        await insert(manager, App, { workspace_id: id, developer_id: owner.developer_id, name });
      }
      await insert(manager, Subscription, { workspace_id: id, plan_id: plan.id });
      if (sandbox) await this.makeSandbox(id, sandbox);
      return manager.findOneByOrFail(Workspace, { id });
    });
  }

  /** @throws ProvisioningError when there is none */
  async workspace(slug: string): Promise<Workspace> {
    return this.system((manager) => findWorkspace(manager, slug));
  }

  /** The workspace, or null. */
  async findWorkspace(slug: string): Promise<Workspace | null> {
    return this.system((manager) => manager.findOneBy(Workspace, { slug }));
  }

  /** Changes what is named; settings that are not named stay. The workspace is told, as by a change through the API. */
  async changeWorkspace(slug: string, { settings, ...values }: WorkspaceChanges): Promise<Workspace> {
    if (values.name !== undefined) requireName(values.name);
    return this.system(async (manager) => {
      const { id } = await findWorkspace(manager, slug);
      const { settings: present } = await manager.findOneOrFail(Workspace, {
        where: { id },
        lock: { mode: 'pessimistic_write' },
      });
      await manager.update(
        Workspace,
        { id },
        {
          ...values,
          settings: { ...present, ...settings },
          version: () => 'version + 1',
          updated_at: new Date(),
        },
      );
      const changed = await manager.findOneByOrFail(Workspace, { id });
      await announce(this.database, id, 'workspace.updated', id, recordOf(changed));
      return changed;
    });
  }

  /** @throws ProvisioningError when the workspace belongs to a tenant */
  async setDeveloperStatus(slug: string, status: Developer['status']): Promise<Workspace> {
    return this.system(async (manager) => {
      const workspace = await findWorkspace(manager, slug);
      if (workspace.developer_id === null)
        throw new ProvisioningError(`Workspace "${slug}" belongs to a tenant, not to a developer.`);
      await manager.update(Developer, { id: workspace.developer_id }, { status, updated_at: new Date() });
      return workspace;
    });
  }

  /** @throws ProvisioningError when the workspace belongs to a tenant */
  async setAppStatus(slug: string, status: App['status']): Promise<Workspace> {
    return this.system(async (manager) => {
      const workspace = await findWorkspace(manager, slug);
      const { affected } = await manager.update(
        App,
        { workspace_id: workspace.id },
        { status, updated_at: new Date() },
      );
      if (!affected) throw new ProvisioningError(`Workspace "${slug}" has no app: it belongs to a tenant.`);
      return workspace;
    });
  }

  /** @throws ProvisioningError when the workspace belongs to a developer */
  async setTenantStatus(slug: string, status: Tenant['status']): Promise<Workspace> {
    return this.system(async (manager) => {
      const workspace = await findWorkspace(manager, slug);
      if (workspace.tenant_id === null)
        throw new ProvisioningError(`Workspace "${slug}" belongs to a developer, not to a tenant.`);
      await manager.update(Tenant, { id: workspace.tenant_id }, { status, updated_at: new Date() });
      return workspace;
    });
  }

  /** Ends the active subscription or licence, if there is one. */
  async cancelSubscription(slug: string): Promise<Workspace> {
    return this.system(async (manager) => {
      const workspace = await findWorkspace(manager, slug);
      await endSubscription(manager, workspace.id);
      return workspace;
    });
  }

  /** Makes a subscription active: on the given plan, else on the plan of the latest one. Already active: no change. */
  async activateSubscription(slug: string, planKey?: string): Promise<Plan> {
    return this.system(async (manager) => {
      const workspace = await findWorkspace(manager, slug);
      const latest = await manager.findOne(Subscription, {
        where: { workspace_id: workspace.id },
        order: { id: 'DESC' },
      });
      const plan =
        planKey === undefined && latest
          ? await manager.findOneByOrFail(Plan, { id: latest.plan_id })
          : await findPlan(manager, planKey ?? 'free');
      if (latest?.status === 'active' && latest.plan_id === plan.id) return plan;
      await endSubscription(manager, workspace.id);
      await insert(manager, Subscription, { workspace_id: workspace.id, plan_id: plan.id });
      return plan;
    });
  }

  private async freeSlug(manager: EntityManager, input: NewWorkspace): Promise<string> {
    const wanted = input.slug ?? slugFor(input.name);
    if (slugFor(wanted) !== wanted)
      throw new ProvisioningError('A slug has 1 to 63 characters: a-z, 0-9 and inner hyphens.');
    await takeTurns(manager, wanted);
    for (let attempt = 1; attempt <= SLUG_ATTEMPTS; attempt++) {
      const slug = attempt === 1 ? wanted : `${wanted.slice(0, 59)}-${attempt}`;
      if (!(await manager.existsBy(Workspace, { slug }))) return slug;
      if (input.slug !== undefined) throw new ProvisioningError(`The slug "${slug}" is taken.`);
    }
    return `${wanted.slice(0, 50)}-${randomBytes(4).toString('hex')}`;
  }

  private async makeSandbox(workspaceId: number, contents: string): Promise<void> {
    await this.database.query('INSERT INTO sandboxes (workspace_id, contents) VALUES ($1, $2)', [
      workspaceId,
      contents,
    ]);
  }

  private system<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.database.system(async () => work(await this.database.manager()));
  }
}

/** What the event of a change shows: nothing of the accounts behind it. */
function recordOf({ id, slug, name, kind, timezone, locale, currency, settings, created_at }: Workspace): object {
  return { id, slug, name, kind, timezone, locale, currency, settings, created_at };
}

/** Two creations of one name at the same moment take turns instead of failing on the unique index. */
async function takeTurns(manager: EntityManager, slug: string): Promise<void> {
  await manager.query(`SELECT pg_advisory_xact_lock(hashtext('workspace slug'), hashtext($1))`, [slug]);
}

async function refuseKnownName(manager: EntityManager, name: string): Promise<void> {
  await takeTurns(manager, slugFor(name));
  const known = await manager.findOneBy(Workspace, { name });
  if (known === null) return;
  throw new ProvisioningError(
    `There is a workspace named "${name}" already ("${known.slug}"); add --again to make another one of that name.`,
  );
}

async function findWorkspace(manager: EntityManager, slug: string): Promise<Workspace> {
  const workspace = await manager.findOneBy(Workspace, { slug });
  if (!workspace) throw new ProvisioningError(`There is no workspace "${slug}".`);
  return workspace;
}

async function findPlan(manager: EntityManager, key: string): Promise<Plan> {
  const plan = await manager.findOneBy(Plan, { key });
  if (plan) return plan;
  const known = (await manager.find(Plan, { order: { id: 'ASC' } })).map((each) => each.key).join(', ');
  throw new ProvisioningError(`There is no plan "${key}"; there are: ${known}.`);
}

async function endSubscription(manager: EntityManager, workspaceId: number): Promise<void> {
  await manager.update(
    Subscription,
    { workspace_id: workspaceId, status: 'active' },
    { status: 'cancelled', ended_at: () => 'now()' },
  );
}

/** Inserts one row and answers its id. */
async function insert<E extends { id: number }>(
  manager: EntityManager,
  entity: new () => E,
  values: Partial<E>,
): Promise<number> {
  const { identifiers } = await manager
    .createQueryBuilder()
    .insert()
    .into(entity)
    .values(values as never)
    .execute();
  return (identifiers[0] as { id: number }).id;
}

/** A workspace's name as a DNS label. */
function slugFor(name: string): string {
  return slugOf(name, { maxLength: 63, isAscii: true }) ?? 'workspace';
}
