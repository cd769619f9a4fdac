import { Injectable } from '@nestjs/common';
import type { Shown } from '../../../platform/area/rules';
import { NO_CAUSE } from '../../../platform/context/causation';
import { clockNow } from '../../../platform/context/clock';
import { type Actor, current } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { Changes } from '../../../platform/events/event-rows';
import { fail } from '../../../platform/errors/api-error';
import { RunReader } from './run-reader';
import { RecordReader } from './record-reader';
import type { Rule, RunRecord } from './rule';
import { RuleRunner } from './rule-runner';
import { Rules, withFilters } from './rules';
import { RuleContext } from './rule-context';
import { unitAs } from './unit';

/** What a dry run is made with. */
export interface PreviewRequest {
  /** Stored (`Rules.find`) or only sent; checked either way. */
  rule: Rule;
  /** Id of a ticket; one created in the open unit of work will do. */
  ticket: number;
  event: string;
  changes?: Changes | null;
  comment?: Shown | null;
  /** Who caused the event; whoever asks unless given. */
  actor?: Actor;
}

/** Carries the outcome out of a unit of work that is to be undone. */
class Undone extends Error {
  constructor(readonly record: RunRecord) {
    super('A dry run leaves nothing behind.');
  }
}

/** Runs a rule as the engine would, shows what came of it, and undoes it (product reference 4.5). */
@Injectable()
export class AutomationPreview {
  constructor(
    private readonly database: Database,
    private readonly reader: RunReader,
    private readonly records: RecordReader,
    private readonly runner: RuleRunner,
    private readonly rules: Rules,
  ) {}

  /** The stored rule of that id, active or not; 404 when there is none. */
  async stored(id: number): Promise<Rule> {
    return (await this.database.transaction(() => this.rules.find(id))) ?? fail('not_found', `No automation ${id}.`);
  }

  /**
   * The record of the run that would be. Nothing is written and nothing is sent: every change is made behind a savepoint
   * and taken back, side effects are only put into words. Loop guards and waiting do not apply.
   */
  async run(request: PreviewRequest): Promise<RunRecord> {
    const { actor } = current();
    const { hours } = await this.reader.book();
    try {
      return await this.database.transaction(() =>
        this.database.savepoint(() =>
          unitAs(this.database, actor, NO_CAUSE, async () => {
            throw new Undone(await this.perform(request, actor, hours));
          }),
        ),
      );
    } catch (error) {
      if (error instanceof Undone) return error.record;
      throw error;
    }
  }

  private async perform(request: PreviewRequest, asking: Actor, hours: RuleContext['hours']): Promise<RunRecord> {
    const { ticket: id, event, changes = null, comment = null, actor = asking } = request;
    const rule = withFilters(request.rule);
    const around = (await this.records.read('ticket', id)) ?? fail('not_found', `No ticket ${id}.`);
    const causation = { rootEventId: null, depth: 1, automationIds: rule.id === null ? [] : [rule.id] };
    const frozen = { type: event, uid: null, actor, changes, comment };
    const context = new RuleContext('ticket', id, frozen, around, hours, clockNow(), rule, causation);
    const frame = { engineRunId: null, eventId: null, rootEventId: 'dry_run', depth: 0, dry: true, attempt: 1 };
    return (await this.runner.run(rule, context, frame)).record;
  }
}
