// Own reads: the ids of a run are computed columns of its entity, which a repository cannot ask for.
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { TraceEntry } from '../../../platform/conditions/condition';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { EventRedaction, type Redacted, type Redactor } from '../../../platform/events/event-redaction';
import { Mailer } from '../../../platform/mail/mailer';
import type { ActionRecord } from './rule';

interface Run {
  id: number;
  conditions: TraceEntry[];
  actions: ActionRecord[];
}

/** Actions that write values of fields: what they changed is no rendered text. */
const PLAIN = ['set_field', 'assign', 'unassign', 'add_tags', 'remove_tags', 'escalate'];

/** Takes what was deleted out of the log of automations, and out of the side effects that rendered it. */
@Injectable()
export class RunRedaction implements Redactor, OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly redaction: EventRedaction,
    private readonly mailer: Mailer,
  ) {}

  onModuleInit(): void {
    this.redaction.register(this);
  }

  async redact({ object, objectId, member, events, mails: withdrawn }: Redacted): Promise<void> {
    const workspaceId = currentWorkspaceId();
    const runs = await this.database.query<Run>(
      `SELECT id, conditions, actions FROM automation_runs
       WHERE workspace_id = $1 AND object = $2 AND object_id = $3 AND event_id = ANY($4::text[]) FOR UPDATE`,
      [workspaceId, object, objectId, events.map(({ uid }) => uid)],
    );
    const mails = runs.flatMap(({ actions }) =>
      actions.flatMap(({ after }) => [after?.mail_id, after?.held_mail_ids].flat()),
    );
    for (const run of runs) {
      const conditions = withoutValues(run.conditions, member);
      const values = [workspaceId, run.id, JSON.stringify(conditions), JSON.stringify(run.actions.map(withoutTexts))];
      await this.database.query(
        `UPDATE automation_runs SET conditions = $3::json, actions = $4::jsonb WHERE workspace_id = $1 AND id = $2`,
        values,
      );
    }
    const ids = mails.filter((id): id is number => typeof id === 'number');
    withdrawn.push(...(await this.mailer.withdraw({ ids })));
    await this.database.query(
      `UPDATE automation_effects SET prepared = NULL WHERE workspace_id = $1 AND event_id = ANY($2::bigint[])`,
      [workspaceId, events.map(({ id }) => id)],
    );
  }
}

/** What was asked for stays, what was found does not. */
export function withoutValues(conditions: readonly TraceEntry[], member: string): TraceEntry[] {
  return conditions.map((entry) => withoutValue(entry, `${member}.`));
}

function withoutValue(entry: TraceEntry, family: string): TraceEntry {
  return entry.field.startsWith(family) && typeof entry.actual === 'string' ? { ...entry, actual: null } : entry;
}

/** Numbers and the like stay, e.g. the id of a mail. */
function withoutTexts(record: ActionRecord): ActionRecord {
  if (PLAIN.includes(record.type)) return record;
  const plain = (shown: ActionRecord['after']): ActionRecord['after'] =>
    shown && Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, isPlain(value) ? value : null]));
  return { ...record, before: plain(record.before), after: plain(record.after) };
}

const isPlain = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';
