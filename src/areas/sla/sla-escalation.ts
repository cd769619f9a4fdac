import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { type TicketActions, ticketActions } from './ticket-actions';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { JobHandler, Job, JobOutcome } from '../../platform/queue/job-handler';
import { JobQueue } from '../../platform/queue/job-queue';
import type { EscalationStep } from './escalation-step';
import { stepNumbers } from './step-numbers';

/** Job: take a step of escalation (a row of `sla_escalations`). */
export const ESCALATION = 'sla_escalation';

interface DueStep {
  ticket_id: number;
  policy_id: number;
  name: string;
  step: number;
  escalation: EscalationStep[];
}

/** Takes the steps of policies: runs their actions on the ticket whose clock is late, or about to be. */
@Injectable()
export class SlaEscalation implements JobHandler, OnModuleInit {
  readonly kind = ESCALATION;
  readonly perGroup = 1;
  readonly perWorkspace = 4;
  readonly leaseMs = 60_000;

  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly modules: ModuleRef,
  ) {}

  /** A node that has no actions leaves the job to those that have. */
  onModuleInit(): void {
    if (this.actions()) this.queue.register(this);
  }

  /** Looks again first: the clock may have been answered, or the policy changed, since the step fell due. */
  async perform({ subject_id }: Job): Promise<JobOutcome> {
    const [due] = await this.database.transaction(() =>
      this.database.query<DueStep>(
        `SELECT e.ticket_id, e.step, p.id AS policy_id, p.name, p.escalation
         FROM sla_escalations e
         JOIN sla_policies p ON p.workspace_id = e.workspace_id AND p.id = e.policy_id
         JOIN sla_clocks c ON c.workspace_id = e.workspace_id AND c.ticket_id = e.ticket_id AND c.metric = e.metric AND c.instance_no = e.instance_no
         WHERE e.workspace_id = $1 AND e.id = $2 AND c.policy_id = e.policy_id
           AND c.fulfilled_at IS NULL AND c.outcome IN ('active', 'breached')`,
        [currentWorkspaceId(), subject_id],
      ),
    );
    const step = due?.escalation[stepNumbers(due.escalation).indexOf(due.step)];
    if (!due || !step) return {};
    const source = { type: 'sla_policy', id: due.policy_id, name: due.name };
    await this.actions()?.run(due.ticket_id, step.actions, { source, key: `${ESCALATION}:${subject_id}` });
    return {};
  }

  private actions(): TicketActions | null {
    return ticketActions(this.modules);
  }
}
