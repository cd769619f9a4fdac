import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Action } from '../../platform/area/rules';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { SlaPolicy } from './sla-policy.entity';
import { slaPolicyResource } from './sla-policy.resource';
import { stepNumbers } from './step-numbers';
import { ticketActions } from './ticket-actions';

/** Has the headers of calls sealed that steps of escalation were kept with. */
@Injectable()
export class SealedSteps implements OnModuleInit {
  constructor(
    @InjectStore(SlaPolicy) private readonly policies: Store<SlaPolicy>,
    private readonly database: Database,
    private readonly modules: ModuleRef,
  ) {}

  onModuleInit(): void {
    ticketActions(this.modules)?.keepSealed({
      ...{ table: slaPolicyResource.table, column: 'escalation', path: '$[*].actions[*]' },
      seal: (id, sealed) => this.seal(id, sealed),
    });
  }

  /** A step is known by what it says: what is to come of it, and what was done, goes on under the number that it has then. */
  private async seal(id: number, sealed: (actions: readonly Action[]) => Action[]): Promise<void> {
    const before = await this.policies.lockIfAny(id);
    if (!before) return;
    const escalation = before.escalation.map(({ actions, ...step }) => ({ ...step, actions: sealed(actions) }));
    await this.policies.apply(before, { values: { escalation }, events: [] });
    const after = await this.policies.lock(id);
    await this.database.query(
      `UPDATE sla_escalations e SET step = s.becomes FROM unnest($3::integer[], $4::integer[]) AS s (was, becomes)
       WHERE e.workspace_id = $1 AND e.policy_id = $2 AND e.step = s.was AND s.was <> s.becomes`,
      [currentWorkspaceId(), id, stepNumbers(before.escalation), stepNumbers(after.escalation)],
    );
  }
}
