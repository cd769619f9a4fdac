// Own read: a tally of what became of predictions, kept for as long as facts of a workspace are.
import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { WorkspaceFacts } from '../../../platform/database/workspace-facts';
import { sql } from '../../../platform/postgres/statement-batch';
import { type Task, TASKS } from '../tasks';
import { Corrections, type Outcome } from './correction';

/** Outcomes of each task that are looked at, the newest. */
const MOST = 500;

/**
 * What became of predictions, of each ticket and task the newest one: reviewed, or held against the resolved ticket. Of those that abstained
 * what they would have said counts, or a confidence that has fallen below the threshold could never rise again; of tags it is not known.
 * What was applied by itself and not reviewed tells nothing: it is mostly left as it is.
 */
const OUTCOMES = `
  SELECT o.task, split_part(o.method, '/', 1) AS method, o.model_id, round(o.score, 2)::float AS score, o.is_right, o.is_reviewed, count(*)::integer AS n
  FROM (SELECT DISTINCT ON (p.task, p.ticket_id) p.task, p.method, p.model_id, p.score, p.is_right, p.is_reviewed
    FROM unnest($2::text[]) AS asked(task)
    CROSS JOIN LATERAL (SELECT a.id, a.task, a.ticket_id, a.method, a.model_id, coalesce(a.score, a.confidence) AS score, a.reviewed_at IS NOT NULL AS is_reviewed,
        CASE WHEN a.value IS NOT NULL THEN a.was_correct WHEN a.task <> 'tags' THEN a.alternatives #>> '{0,value}' = a.actual_value END AS is_right
      FROM ai_predictions a
      WHERE a.workspace_id = $1 AND a.task = asked.task AND (a.was_correct IS NOT NULL OR a.actual_value IS NOT NULL) AND a.status NOT IN ('applied', 'expired')
      ORDER BY a.id DESC LIMIT ${MOST}) p
    ORDER BY p.task, p.ticket_id, p.id DESC) o
  WHERE o.score IS NOT NULL AND o.is_right IS NOT NULL
  GROUP BY 1, 2, 3, 4, 5, 6`;

/** How long something takes is neither accepted nor right. */
const JUDGED: readonly Task[] = TASKS.filter((task) => task !== 'resolution_time');

/** What became of predictions in a workspace, and how sure that makes others. */
@Injectable()
export class Outcomes {
  /** Of the current workspace; on this node as of its last review, elsewhere and of resolved tickets half a minute old at most. */
  readonly corrections: () => Promise<Corrections>;

  constructor(
    private readonly database: Database,
    private readonly facts: WorkspaceFacts,
  ) {
    this.corrections = facts.declare(async () => {
      const values = [currentWorkspaceId(), JUDGED];
      return new Corrections(await this.database.read(sql<Outcome>(OUTCOMES, values)));
    });
  }

  /** Somebody has reviewed something; in the open unit of work. */
  changed(): void {
    const workspaceId = currentWorkspaceId();
    this.database.afterCommit(() => this.facts.forget(workspaceId));
  }
}
