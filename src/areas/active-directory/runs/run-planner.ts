import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { Row, Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { DirectoryConnection } from '../connections/connection.entity';
import type { Plan, PlannedChange } from '../engine/plan';
import { planRun } from '../engine/plan-run';
import { countsOf } from './counts';
import { comparisonOf } from './comparison';
import { rulesOf } from './known';
import { DirectoryRun } from './run.entity';
import { markPhotos } from '../photos/photo-marks';
import type { Reading } from './reading';
import { populationOf } from './touched';
import { firstCharacters } from '../../../platform/text/normalise';

/** Changes that are stored by one statement. */
const CHUNK = 500;

/** Works out what a run changes, and stores that: from then on whoever does the rest does the same. */
@Injectable()
export class RunPlanner {
  constructor(
    @InjectStore(DirectoryRun) private readonly runs: Store<DirectoryRun>,
    @InjectStore(DirectoryConnection) private readonly connections: Store<DirectoryConnection>,
    private readonly database: Database,
  ) {}

  /** Nothing happens to a run that was stopped, or that somebody else has planned meanwhile. */
  plan(id: number, { snapshot, cursor, isAll = false }: Reading): Promise<void> {
    return this.database.transaction(async () => {
      const run = await this.runs.lockIfAny(id);
      if (run?.status !== 'running' || run.planned_at !== null) return;
      const connection = await this.connections.lock(run.connection_id);
      const rules = await rulesOf(this.database, connection);
      const { local, key } = await comparisonOf(this.database, connection, isAll ? null : id, snapshot, rules);
      let plan = planRun(snapshot, local, rules);
      // Whether that is many of them takes counting them all.
      if (plan.deactivations > 0 && local.referenced) {
        const population = await populationOf(this.database, connection);
        plan = planRun(snapshot, { ...local, population }, rules);
      }
      await this.store(id, plan.changes);
      if (!run.is_dry_run) await markPhotos(this.database, connection, id, snapshot);
      const counts = { ...countsOf(plan.changes), scanned: plan.scanned };
      const planned_at = await this.database.moment();
      const values = { counts, planned_at, cursor_after: cursor, mode: snapshot.mode, compared: key };
      await this.goOn(run, connection, plan, values);
    });
  }

  private async goOn(
    run: Row<DirectoryRun>,
    connection: Row<DirectoryConnection>,
    { approval }: Plan,
    values: Values<DirectoryRun>,
  ): Promise<void> {
    const needed = approval ? { required: true, reason: approval.message, approved_by: null } : null;
    if (run.is_dry_run) {
      const over = { status: 'completed', approval: needed, finished_at: await this.database.moment() } as const;
      await this.runs.apply(run, { values: { ...values, ...over }, events: ['directory_run.completed'] });
      return;
    }
    if (!approval) {
      await this.runs.apply(run, { values, events: ['directory_run.planned'] });
      return;
    }
    const waiting = { status: 'awaiting_approval', approval: needed } as const;
    await this.runs.apply(run, { values: { ...values, ...waiting }, events: ['directory_run.awaiting_approval'] });
    const halted = { status: 'quarantined', last_error: approval } as const;
    if (connection.status !== 'disabled')
      await this.connections.apply(connection, { values: halted, events: ['directory_connection.quarantined'] });
  }

  private async store(runId: number, changes: readonly PlannedChange[]): Promise<void> {
    for (let from = 0; from < changes.length; from += CHUNK) {
      const rows = changes.slice(from, from + CHUNK).map((change) => ({
        ...{
          stage: change.stage,
          object: change.object,
          object_guid: change.guid,
          name: firstCharacters(change.name, 255),
        },
        ...{ action: change.action, result: change.result, before: change.before, after: change.after },
        ...{ error: change.error, plan: change },
      }));
      await this.database.query(STORE, [currentWorkspaceId(), runId, JSON.stringify(rows)]);
    }
  }
}

const STORE = `
  INSERT INTO directory_changes (workspace_id, run_id, stage, object, object_guid, name, action, result, before, after, error, plan)
  SELECT $1, $2, c.stage, c.object, c.object_guid, c.name, c.action, c.result, c.before, c.after, c.error, c.plan
  FROM ROWS FROM (jsonb_to_recordset($3::jsonb) AS (stage smallint, object text, object_guid text, name text, action text, result text,
      before jsonb, after jsonb, error jsonb, plan jsonb))
    WITH ORDINALITY AS c (stage, object, object_guid, name, action, result, before, after, error, plan, place)
  ORDER BY c.place`;
