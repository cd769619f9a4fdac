import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { invalid } from '../../platform/errors/api-error';
import type { SingleResult } from '../../platform/http/results';
import type { Change } from '../../platform/resource/change';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { placeBehind } from '../../platform/resource/last-place';
import type { Row, Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import type { CreateAutomation, UpdateAutomation } from './automation.dto';
import { Automation } from './automation.entity';
import type { Trigger } from './engine/rule';
import { AutomationSchedule } from './engine/schedule';
import { RuleCheck } from './rule-check';

/** Active automations of a workspace. */
const MAX_ACTIVE = 500;
const PARTS = ['trigger', 'conditions', 'actions'] as const;

/** Whatever adds to the active ones holds one lock per workspace, so that requests at once cannot pass the limit. */
@Injectable()
export class AutomationsService {
  constructor(
    @InjectStore(Automation) private readonly automations: Store<Automation>,
    private readonly database: Database,
    private readonly rules: RuleCheck,
    private readonly schedule: AutomationSchedule,
  ) {}

  create(body: CreateAutomation): Promise<SingleResult> {
    return this.automations.holding(async () => {
      let trigger: Trigger | undefined;
      const { id, result } = await this.automations.createKnown(body, async (values) => {
        await this.complete(values);
        trigger = values.trigger;
        return undefined;
      });
      await this.schedule.plan(id, trigger);
      return result;
    });
  }

  update(id: number, body: UpdateAutomation, expected: ExpectedVersions): Promise<SingleResult> {
    const update = async (): Promise<SingleResult> => {
      let trigger: Trigger | undefined;
      const result = await this.automations.update(id, body, expected, async (before, values) => {
        const change = await this.follow(before, values);
        trigger = values.trigger ?? before.trigger;
        return change;
      });
      await this.schedule.plan(id, trigger);
      return result;
    };
    return body.is_active ? this.automations.holding(update) : this.database.transaction(update);
  }

  private async complete(values: Values<Automation>): Promise<void> {
    Object.assign(values, await this.checked(values));
    if (values.is_active) await this.requireRoom();
    values.position ??= await placeBehind(this.database, 'automations');
  }

  private async follow(before: Row<Automation>, values: Values<Automation>): Promise<Change<Automation>> {
    if (PARTS.some((name) => values[name] !== undefined)) {
      // A new trigger may make conditions and actions wrong that were right before.
      const { trigger, conditions, actions } = await this.checked(
        { ...before, ...values },
        values.actions !== undefined,
      );
      Object.assign(values, { trigger, conditions, actions });
    }
    if (!values.is_active) return { values };
    if (!before.is_active) await this.requireRoom();
    return { values: { ...values, suspended_at: null, suspended_reason: null } };
  }

  private checked(
    { trigger, conditions = {}, actions = [] }: Values<Automation>,
    looksUp = true,
  ): ReturnType<RuleCheck['rule']> {
    return this.rules.rule(trigger, conditions, actions, looksUp);
  }

  private async requireRoom(): Promise<void> {
    const [row] = await this.database.query<{ active: number }>(
      `SELECT count(*) AS active FROM automations WHERE workspace_id = $1 AND is_active`,
      [currentWorkspaceId()],
    );
    if ((row?.active ?? 0) >= MAX_ACTIVE)
      invalid('is_active', 'max', `A workspace has at most ${MAX_ACTIVE} active automations.`, { max: MAX_ACTIVE });
  }
}
