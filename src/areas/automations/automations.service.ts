import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { invalid } from '../../platform/http/errors';
import type { SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import { type Change, ResourceService, type Row } from '../../platform/resource/resource.service';
import { holdTopic } from '../../platform/resource/workspace-lock';
import type { Values } from '../../platform/resource/resource.service';
import { automationResource } from './automation.resource';
import { RuleCheck } from './rule-check';

/** Active automations of a workspace. */
const MAX_ACTIVE = 500;
const PARTS = ['trigger', 'conditions', 'actions'] as const;

/** Whatever adds to the active ones holds one lock per workspace, so that requests at once cannot pass the limit. */
@Injectable()
export class AutomationsService extends ResourceService {
  constructor(
    kernel: ResourceKernel,
    private readonly rules: RuleCheck,
  ) {
    super(automationResource, kernel);
  }

  override create(body: object): Promise<SingleResult> {
    return this.counting(() => super.create(body));
  }

  override update(id: number, body: object, expected: ExpectedVersions = null): Promise<SingleResult> {
    const change = (): Promise<SingleResult> => super.update(id, body, expected);
    return (body as Values).is_active === true ? this.counting(change) : change();
  }

  protected override async prepareCreate(values: Values): Promise<undefined> {
    Object.assign(values, await this.checked(values));
    if (values.is_active === true) await this.requireRoom();
    values.position ??= await this.lastPosition();
  }

  protected override async prepareUpdate(before: Row, values: Values): Promise<Change> {
    if (PARTS.some((name) => values[name] !== undefined)) {
      // A new trigger may make conditions and actions wrong that were right before.
      const { trigger, conditions, actions } = await this.checked(
        { ...before, ...values },
        values.actions !== undefined,
      );
      Object.assign(values, { trigger, conditions, actions });
    }
    if (values.is_active !== true) return { values };
    if (before.is_active !== true) await this.requireRoom();
    return { values: { ...values, suspended_at: null, suspended_reason: null } };
  }

  private checked({ trigger, conditions, actions }: Values, looksUp = true): ReturnType<RuleCheck['rule']> {
    return this.rules.rule(trigger, conditions ?? {}, actions as unknown[], looksUp);
  }

  private counting<T>(work: () => Promise<T>): Promise<T> {
    return this.database.transaction(async () => {
      await holdTopic(this.database, 'automations');
      return work();
    });
  }

  private async requireRoom(): Promise<void> {
    const [row] = await this.database.query<{ active: number }>(
      `SELECT count(*) AS active FROM automations WHERE workspace_id = $1 AND is_active`,
      [currentWorkspaceId()],
    );
    if ((row?.active ?? 0) >= MAX_ACTIVE)
      invalid('is_active', 'max', `A workspace has at most ${MAX_ACTIVE} active automations.`, { max: MAX_ACTIVE });
  }

  private async lastPosition(): Promise<number> {
    const [row] = await this.database.query<{ next: number }>(
      `SELECT coalesce(max(position), 0) + 1 AS next FROM automations WHERE workspace_id = $1`,
      [currentWorkspaceId()],
    );
    return Math.min(row?.next ?? 1, 1_000_000);
  }
}
