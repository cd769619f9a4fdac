import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Not } from 'typeorm';
import { ticketActions } from './ticket-actions';
import { Database } from '../../platform/database/database';
import type { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../platform/database/workspace-repository.module';
import { invalid } from '../../platform/errors/api-error';
import { SingleResult } from '../../platform/http/results';
import { JobQueue } from '../../platform/queue/job-queue';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { placeBehind } from '../../platform/resource/last-place';
import { changeMany, countOf } from '../../platform/resource/many-changes';
import type { Row, Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { differing } from '../../platform/resource/stored-values';
import { enqueueRecompute } from './recompute-job';
import type { CreateSlaPolicy, RemoveSlaPolicy, UpdateSlaPolicy } from './sla-policy.dto';
import { SlaPolicy } from './sla-policy.entity';
import { checkEscalation, checkPolicy, checkPolicyConditions } from './sla-policy.rules';
import { leaving, SlaSchedules } from './sla-schedules';

/** What open tickets need not follow. */
const COSMETIC: ReadonlySet<string> = new Set(['name', 'description', 'external_id', 'custom_fields']);

/** SLA policies: product reference 1.9. Changes take one lock per workspace, because exactly one policy is the default. */
@Injectable()
export class SlaPoliciesService {
  constructor(
    @InjectStore(SlaPolicy) private readonly policies: Store<SlaPolicy>,
    @InjectWorkspaceRepository(SlaPolicy) private readonly stored: WorkspaceRepository<SlaPolicy>,
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly modules: ModuleRef,
    private readonly schedules: SlaSchedules,
  ) {}

  create(body: CreateSlaPolicy): Promise<SingleResult> {
    return this.policies.holding(async () => {
      const hours = await this.schedules.ofNew(body);
      return this.policies.create(body, (values) => this.complete(Object.assign(values, hours)));
    });
  }

  /** Changes a policy; open tickets follow in the background when what they depend on has changed. */
  update(id: number, body: UpdateSlaPolicy, expected: ExpectedVersions): Promise<SingleResult> {
    return this.policies.holding(async () => {
      const hours = await this.schedules.ofChange(body);
      return this.policies.update(id, body, expected, async (before, values) => {
        await this.follow(before, Object.assign(values, hours));
        const changed = Object.keys(differing(this.policies.resource, before, values));
        const matters = changed.some((name) => !COSMETIC.has(name));
        return { values, ...(matters ? { meta: { recalculation_job_id: await this.enqueue(id) } } : {}) };
      });
    });
  }

  remove(id: number, expected: ExpectedVersions, { reassign_to: heir }: RemoveSlaPolicy): Promise<SingleResult> {
    return this.policies.holding(async () => {
      const { json, etag, status } = await this.policies.remove(id, expected, (policy) => this.clear(policy, heir));
      return new SingleResult(json, etag, status, { recalculation_job_id: await this.enqueue(id) });
    });
  }

  private async complete(values: Values<SlaPolicy>): Promise<undefined> {
    checkPolicy(values);
    await this.readNested(values);
    if (values.is_default) await this.takeDefault(0);
    values.position ??= await placeBehind(this.database, 'sla_policies');
  }

  private async follow(before: Row<SlaPolicy>, values: Values<SlaPolicy>): Promise<void> {
    if (before.is_default && values.is_default === false) {
      invalid('is_default', 'is_default', 'Exactly one policy is the default; make another one the default instead.');
    }
    checkPolicy({ ...before, ...values });
    Object.assign(values, leaving(before, values));
    await this.readNested(values);
    if (values.is_default && !before.is_default) await this.takeDefault(before.id);
  }

  /** The default stays. One that is in use goes when the request says what becomes of what names it. */
  private async clear(policy: Row<SlaPolicy>, heir: number | null | undefined): Promise<void> {
    if (policy.is_default) {
      invalid('id', 'is_default', 'The default policy cannot be deleted; make another one the default first.');
    }
    if (heir === undefined) await this.requireUnused(policy.id);
    else if (heir !== null) await this.handOver(policy.id, await this.requireHeir(policy.id, heir));
  }

  private async requireUnused(id: number): Promise<void> {
    const naming = (resource: string, condition = 'true'): Promise<number> =>
      countOf(this.database, resource, (bind) => `m.sla_policy_id = ${bind(id)} AND ${condition}`);
    const [companies, categories] = [await naming('companies'), await naming('categories')];
    const open_tickets = await naming('tickets', `m.status IN ('open', 'in_progress', 'on_hold')`);
    if (companies + categories + open_tickets === 0) return;
    const message =
      `The policy is in use: ${companies} companies and ${categories} categories name it, ${open_tickets} open tickets follow it. ` +
      `DELETE /sla/${id}?reassign_to=<policy id> hands companies and categories over, reassign_to=none lets them have none.`;
    invalid('id', 'in_use', message, { companies, categories, open_tickets });
  }

  private async requireHeir(id: number, heir: number): Promise<number> {
    if (heir === id) invalid('reassign_to', 'invalid', '"reassign_to" must name another policy.');
    const options = { select: { id: true }, where: { id: heir }, lock: { mode: 'for_key_share' } } as const;
    const found = await this.stored.findOne(options);
    if (!found) invalid('reassign_to', 'not_found', '"reassign_to" names a policy that does not exist.');
    return heir;
  }

  private async handOver(from: number, to: number): Promise<void> {
    for (const [resource, singular] of [
      ['companies', 'company'],
      ['categories', 'category'],
    ] as const) {
      await changeMany(this.database, {
        resource,
        condition: (bind) => `m.sla_policy_id = ${bind(from)}`,
        values: { sla_policy_id: to },
        events: [`${singular}.updated`],
        changes: { sla_policy_id: { from, to } },
      });
    }
  }

  private async readNested(values: Values<SlaPolicy>): Promise<void> {
    if (values.conditions !== undefined) values.conditions = checkPolicyConditions(values.conditions);
    if (values.escalation !== undefined) {
      values.escalation = await checkEscalation(values.escalation, ticketActions(this.modules));
    }
  }

  private async takeDefault(id: number): Promise<void> {
    const former = await this.stored.findOne({ select: { id: true }, where: { is_default: true, id: Not(id) } });
    if (!former) return;
    await changeMany(this.database, {
      resource: 'sla_policies',
      condition: (bind) => `m.id = ${bind(former.id)} AND m.is_default`,
      values: { is_default: false },
      events: ['sla_policy.updated'],
      changes: { is_default: { from: true, to: false } },
    });
    await this.enqueue(former.id);
  }

  /** Enters the job into the queue; answers its id. */
  private enqueue(policyId: number): Promise<number> {
    return enqueueRecompute(this.database, this.queue, [policyId]);
  }
}
