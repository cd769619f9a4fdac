import { Injectable } from '@nestjs/common';
import type { Shown } from '../../../platform/area/rules';
import { NO_CAUSE } from '../../../platform/context/causation';
import { type Actor, currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/postgres/statement-batch';
import type { Changes } from '../../../platform/events/event-rows';
import { RecordReader } from './record-reader';
import { type RuleBook, Rules } from './rules';
import type { FrozenEvent, Surroundings } from './rule-context';

/** One run of the engine over the rules of its workspace: a row of `automation_passes`, which keeps its first name. */
export interface EngineRun {
  id: number;
  /** `events.id`; null when no event started it. */
  event_id: number | null;
  event: string;
  object: string;
  object_id: number;
  /** The one rule that waited or whose schedule said so; null = every rule that listens. */
  automation_id: number | null;
  root_event_id: string;
  waited: boolean;
}

/** A rule that has already run because of the same root event, and whether it ended the run it ran in. */
export interface EarlierRun {
  automation_id: number;
  engine_run_id: number | null;
  stopped: boolean;
}

/** All that a run needs to know, read in one round trip. */
export interface RunFacts {
  run: EngineRun;
  event: FrozenEvent;
  depth: number;
  automationIds: readonly number[];
  /** Null when the record is gone. */
  around: Surroundings | null;
  book: RuleBook;
  earlier: readonly EarlierRun[];
}

interface StoredEvent {
  uid: string;
  type: string;
  actor: Actor;
  causation: { depth: number; automation_ids: number[] };
  changes: Changes | null;
  comment: Shown | null;
}

const SYSTEM: Actor = { type: 'system', id: null, name: 'system' };

/** Reads what runs of the engine and side effects are about. */
@Injectable()
export class RunReader {
  constructor(
    private readonly database: Database,
    private readonly records: RecordReader,
    private readonly rules: Rules,
  ) {}

  /**
   * Everything about a run; null when it was made already.
   *
   * @param objectId id of its record, as the group of its job tells
   */
  async open(engineRunId: number, objectId: number): Promise<RunFacts | null> {
    const workspaceId = currentWorkspaceId();
    const values = [workspaceId, engineRunId];
    const found = await this.database.transaction(() =>
      this.database.batch(
        {
          runs: sql<EngineRun>(
            `SELECT ${RUN_COLUMNS} FROM automation_passes WHERE workspace_id = $1 AND id = $2`,
            values,
          ),
          events: sql<StoredEvent>(
            `SELECT ${EVENT_COLUMNS} FROM automation_passes p JOIN events e ON e.workspace_id = $1 AND e.id = p.event_id WHERE p.workspace_id = $1 AND p.id = $2`,
            values,
          ),
          stamps: this.rules.stampStatement(),
          earlier: sql<EarlierRun>(EARLIER, values),
          tickets: this.records.statement('ticket', objectId) ?? sql<Surroundings>(NOTHING),
        },
        true,
      ),
    );
    const [run] = found.runs;
    if (!run) return null;
    return {
      run,
      ...frozen(run.event, found.events[0] ?? null),
      around: run.object === 'ticket' ? (found.tickets[0] ?? null) : await this.record(run.object, objectId),
      book: await this.rules.book(found.stamps[0]?.stamp ?? ''),
      earlier: found.earlier,
    };
  }

  /** An event as it was, in the current unit of work. */
  async event(type: string, eventId: number | null): Promise<ReturnType<typeof frozen>> {
    if (eventId === null) return frozen(type, null);
    const [stored] = await this.database.read<StoredEvent>({
      text: `SELECT ${EVENT_COLUMNS} FROM events e WHERE e.workspace_id = $1 AND e.id = $2`,
      values: [currentWorkspaceId(), eventId],
    });
    return frozen(type, stored ?? null);
  }

  /** Rules and hours as they are now. */
  async book(): Promise<RuleBook> {
    const [row] = await this.database.read(this.rules.stampStatement());
    return this.rules.book(row?.stamp ?? '');
  }

  private record(object: string, id: number): Promise<Surroundings | null> {
    return this.database.transaction(() => this.records.read(object, id));
  }
}

const RUN_COLUMNS = 'id, event_id, event, object, object_id, automation_id, root_event_id, waited';
const EVENT_COLUMNS = `e.uid, e.type, e.actor, e.causation, e.changes, e.related -> 'comment' AS comment`;
/** In place of a record whose area is not installed. */
const NOTHING = 'SELECT 1 WHERE false';

const EARLIER = `
  SELECT r.automation_id, r.pass_id AS engine_run_id, r.stopped
  FROM automation_passes p JOIN automation_runs r ON r.workspace_id = $1 AND r.root_event_id = p.root_event_id
    AND r.object = p.object AND r.object_id = p.object_id AND r.automation_id IS NOT NULL AND r.status IN ('executed', 'failed', 'partial')
  WHERE p.workspace_id = $1 AND p.id = $2`;

function frozen(
  type: string,
  stored: StoredEvent | null,
): { event: FrozenEvent; depth: number; automationIds: readonly number[] } {
  const event: FrozenEvent = {
    type,
    uid: stored?.uid ?? null,
    actor: stored?.actor ?? SYSTEM,
    changes: stored?.changes ?? null,
    comment: stored?.comment ?? null,
  };
  const { depth, automation_ids: automationIds } = stored?.causation ?? {
    depth: NO_CAUSE.depth,
    automation_ids: NO_CAUSE.automationIds,
  };
  return { event, depth, automationIds };
}
