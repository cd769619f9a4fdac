import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ticketActions } from '../../platform/automation/ticket-actions';
import { currentWorkspaceId } from '../../platform/context/current';
import { invalid } from '../../platform/http/errors';
import { SingleResult } from '../../platform/http/results';
import { JobQueue } from '../../platform/queue/job-queue';
import { INSERT_JOBS } from '../../platform/queue/job-table';
import { sameValue } from '../../platform/resource/column-spec';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { RawQuery } from '../../platform/resource/list-query';
import { changeMany } from '../../platform/resource/many-changes';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import { type Change, ResourceService, type Row } from '../../platform/resource/resource.service';
import { holdTopic } from '../../platform/resource/workspace-lock';
import type { Values } from '../../platform/resource/resource.service';
import { slaPolicyResource } from './sla-policy.resource';
import { checkEscalation, checkPolicy, checkPolicyConditions } from './sla-policy.rules';

/** Job: the open tickets of a policy (and those without one) get the policy and the clocks that they should have. */
export const RECOMPUTE = 'sla_recompute';

const ID = /^[1-9]\d{0,15}$/;

/** What open tickets need not follow. */
const COSMETIC = ['name', 'description', 'external_id', 'custom_fields', 'updated_at'];

/** SLA policies: product reference 1.9. Changes take one lock per workspace, because exactly one policy is the default. */
@Injectable()
export class SlaPoliciesService extends ResourceService {
  constructor(
    kernel: ResourceKernel,
    private readonly queue: JobQueue,
    private readonly modules: ModuleRef,
  ) {
    super(slaPolicyResource, kernel);
  }

  override async create(body: object): Promise<SingleResult> {
    return this.alone(() => super.create(body));
  }

  /** Changes a policy; open tickets follow in the background when what they depend on has changed. */
  override async update(id: number, body: object, expected: ExpectedVersions = null): Promise<SingleResult> {
    return this.alone(async () => {
      const before = await this.lock(id, expected);
      const result = await super.update(id, body, expected);
      const after = await this.lock(id, null);
      const matters = this.resource.columns.some(
        (column) =>
          !COSMETIC.includes(column.name) &&
          column.kind !== 'computed' &&
          !sameValue(column, before[column.name], after[column.name]),
      );
      return matters ? this.recalculated(result, id) : result;
    });
  }

  override async remove(id: number, expected: ExpectedVersions = null, options: RawQuery = {}): Promise<SingleResult> {
    return this.alone(async () => this.recalculated(await super.remove(id, expected, options), id));
  }

  protected override async prepareCreate(values: Values): Promise<undefined> {
    checkPolicy(values);
    await this.complete(values);
    if (values.is_default === true) await this.takeDefault(0);
    values.position ??= await this.lastPosition();
  }

  protected override async prepareUpdate(before: Row, values: Values): Promise<Change> {
    if (before.is_default === true && values.is_default === false) {
      invalid('is_default', 'is_default', 'Exactly one policy is the default; make another one the default instead.');
    }
    checkPolicy({ ...before, ...values });
    await this.complete(values);
    if (values.is_default === true && before.is_default !== true) await this.takeDefault(before.id);
    return { values };
  }

  /** The default stays. One that is in use goes when the request says what becomes of what names it. */
  protected override async prepareRemove(policy: Row, { reassign_to: heir }: RawQuery): Promise<void> {
    if (policy.is_default === true) {
      invalid('id', 'is_default', 'The default policy cannot be deleted; make another one the default first.');
    }
    if (heir === undefined) await this.requireUnused(policy.id);
    else if (heir !== 'none') await this.handOver(policy.id, await this.heirId(policy.id, heir));
  }

  private async requireUnused(id: number): Promise<void> {
    const [use] = await this.database.query<{ companies: number; categories: number; open_tickets: number }>(
      `SELECT (SELECT count(*) FROM companies WHERE workspace_id = $1 AND sla_policy_id = $2) AS companies,
         (SELECT count(*) FROM categories WHERE workspace_id = $1 AND sla_policy_id = $2) AS categories,
         (SELECT count(*) FROM tickets WHERE workspace_id = $1 AND sla_policy_id = $2 AND status IN ('open', 'in_progress', 'on_hold')) AS open_tickets`,
      [currentWorkspaceId(), id],
    );
    if (!use || use.companies + use.categories + use.open_tickets === 0) return;
    const { companies, categories, open_tickets } = use;
    const message =
      `The policy is in use: ${companies} companies and ${categories} categories name it, ${open_tickets} open tickets follow it. ` +
      `DELETE /sla/${id}?reassign_to=<policy id> hands companies and categories over, reassign_to=none lets them have none.`;
    invalid('id', 'in_use', message, { ...use });
  }

  private async heirId(id: number, raw: string): Promise<number> {
    const heir = ID.test(raw) ? Number(raw) : NaN;
    if (!Number.isSafeInteger(heir))
      invalid('reassign_to', 'type', '"reassign_to" must be the id of a policy, or none.');
    if (heir === id) invalid('reassign_to', 'invalid', '"reassign_to" must name another policy.');
    const rows = await this.database.query(
      `SELECT FROM sla_policies WHERE workspace_id = $1 AND id = $2 FOR KEY SHARE`,
      [currentWorkspaceId(), heir],
    );
    if (rows.length === 0) invalid('reassign_to', 'not_found', '"reassign_to" names a policy that does not exist.');
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

  private alone<T>(work: () => Promise<T>): Promise<T> {
    return this.database.transaction(async () => {
      await holdTopic(this.database, 'sla_policies');
      return work();
    });
  }

  private async complete(values: Values): Promise<void> {
    if (values.conditions !== undefined) values.conditions = checkPolicyConditions(values.conditions);
    if (values.escalation !== undefined) {
      values.escalation = await checkEscalation(values.escalation as unknown[], ticketActions(this.modules));
    }
  }

  private async takeDefault(id: number): Promise<void> {
    const [former] = await this.database.query<{ id: number }>(
      `SELECT id FROM sla_policies WHERE workspace_id = $1 AND is_default AND id <> $2`,
      [currentWorkspaceId(), id],
    );
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

  private async lastPosition(): Promise<number> {
    const [row] = await this.database.query<{ next: number }>(
      `SELECT coalesce(max(position), 0) + 1 AS next FROM sla_policies WHERE workspace_id = $1`,
      [currentWorkspaceId()],
    );
    return row?.next ?? 1;
  }

  private async recalculated(result: SingleResult, policyId: number): Promise<SingleResult> {
    const meta = { recalculation_job_id: await this.enqueue(policyId) };
    return new SingleResult(result.json, result.etag, result.status, meta);
  }

  /** Enters the job into the queue; answers its id. */
  private async enqueue(policyId: number): Promise<number> {
    const [job] = await this.database.query<{ id: number }>(`${INSERT_JOBS} VALUES ($1, $2, $3, $3) RETURNING id`, [
      currentWorkspaceId(),
      RECOMPUTE,
      policyId,
    ]);
    this.database.afterCommit(() => this.queue.wake());
    return job?.id ?? 0;
  }
}
