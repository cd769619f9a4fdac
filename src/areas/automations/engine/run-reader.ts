import { Injectable } from '@nestjs/common';
import type { Shown } from '../../../platform/area/rules';
import { NO_CAUSE } from '../../../platform/context/causation';
import { type Actor, currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { Changes } from '../../../platform/events/event-rows';
import { ownJson } from '../../../platform/text/json';
import { RecordReader, surroundingsOf } from './record-reader';
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
    const ticket = this.records.statement('ticket', objectId);
    const values = [workspaceId, engineRunId];
    const [runs, events, stamps, earlier, tickets] = await this.database.transaction(() =>
      this.database.batch(
        [
          { text: `SELECT row_to_json(p)::text FROM automation_passes p WHERE workspace_id = $1 AND id = $2`, values },
          {
            text: `SELECT ${EVENT_JSON} FROM automation_passes p JOIN events e ON e.workspace_id = $1 AND e.id = p.event_id WHERE p.workspace_id = $1 AND p.id = $2`,
            values,
          },
          this.rules.stampStatement(),
          { text: EARLIER, values },
          ...(ticket ? [ticket] : []),
        ],
        true,
      ),
    );
    const found = runs?.[0]?.[0];
    if (!found) return null;
    const run = ownJson<EngineRun>(found);
    const stored = ownJson<StoredEvent | null>(events?.[0]?.[0] ?? 'null');
    return {
      run,
      ...frozen(run.event, stored),
      around: run.object === 'ticket' ? surroundingsOf(tickets?.[0]) : await this.record(run.object, objectId),
      book: await this.rules.book(stamps?.[0]?.[0] ?? ''),
      earlier: ownJson<EarlierRun[]>(earlier?.[0]?.[0] ?? '[]'),
    };
  }

  /** An event as it was, in the current unit of work. */
  async event(type: string, eventId: number | null): Promise<ReturnType<typeof frozen>> {
    if (eventId === null) return frozen(type, null);
    const [rows] = await this.database.batch([
      {
        text: `SELECT ${EVENT_JSON} FROM events e WHERE e.workspace_id = $1 AND e.id = $2`,
        values: [currentWorkspaceId(), eventId],
      },
    ]);
    const text = rows?.[0]?.[0];
    return frozen(type, ownJson(text ?? 'null'));
  }

  /** Rules and hours as they are now. */
  async book(): Promise<RuleBook> {
    const [stamps] = await this.database.transaction(() => this.database.batch([this.rules.stampStatement()]));
    return this.rules.book(stamps?.[0]?.[0] ?? '');
  }

  private record(object: string, id: number): Promise<Surroundings | null> {
    return this.database.transaction(() => this.records.read(object, id));
  }
}

const EVENT_JSON = `json_build_object('uid', e.uid, 'type', e.type, 'actor', e.actor, 'causation', e.causation,
  'changes', e.changes, 'comment', e.related -> 'comment')::text`;

const EARLIER = `
  SELECT coalesce(json_agg(json_build_object('automation_id', r.automation_id, 'engine_run_id', r.pass_id, 'stopped', r.stopped)), '[]')::text
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
