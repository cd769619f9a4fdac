import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { andSeen, filled } from '../../platform/resource/read/sight';
import { type ErrorDetail, fail, invalid, refuseProblems } from '../../platform/errors/api-error';
import { ValidationPipe } from '../../platform/http/validation-pipe';
import { CreateAutomation } from './automation.dto';
import type { TestAutomation } from './dry-run.dto';
import { pretendedEvent } from './dry-run-event';
import { AutomationPreview, type PreviewRequest } from './engine/preview';
import type { Rule, RunRecord } from './engine/rule';
import { ImaginedTickets } from './imagined-ticket';
import { RuleCheck } from './rule-check';
import { objectOf } from './rule-fields';
import { within } from './within';

/** What a run would have written to the log. */
export type DryRun = Omit<RunRecord, 'root_event_id'> & { id: null; root_event_id: null };

/** Takes an imagined ticket back once the outcome is known. */
class Undone extends Error {
  constructor(readonly record: RunRecord) {
    super('An imagined ticket leaves nothing behind.');
  }
}

/** `POST /automations/test`: a rule runs as it would run, and nothing is written or sent. */
@Injectable()
export class DryRunService {
  constructor(
    private readonly database: Database,
    private readonly check: RuleCheck,
    private readonly preview: AutomationPreview,
    private readonly tickets: ImaginedTickets,
    private readonly pipe: ValidationPipe,
  ) {}

  /** The run of a rule on a ticket, real or described, for an event that is pretended. */
  async run(body: TestAutomation): Promise<DryRun> {
    refuseBoth(body, 'automation', 'automation_id');
    refuseBoth(body, 'ticket', 'ticket_id');
    await this.requireRecord('automations', 'automation_id', body);
    await this.requireRecord('tickets', 'ticket_id', body);
    requireOne(body, 'automation', 'automation_id');
    requireOne(body, 'ticket', 'ticket_id');
    const rule = await this.rule(body);
    const problems: ErrorDetail[] = [];
    const { type, ...event } = pretendedEvent(body, rule.trigger.event, problems);
    refuseProblems(problems);
    if (objectOf(type) !== 'ticket') invalid('event', 'unsupported', 'Only automations about tickets can be tested.');
    const request = { rule, event: type, ...event };
    const record =
      body.ticket_id === undefined
        ? await this.imagined(request, body.ticket ?? {})
        : await this.preview.run({ ...request, ticket: body.ticket_id });
    const fits = type === rule.trigger.event;
    return {
      id: null,
      ...record,
      ...(fits ? {} : { status: 'skipped', reason: 'other_event', actions: [] }),
      ticket_id: body.ticket_id ?? null,
      root_event_id: null,
    };
  }

  private async requireRecord(
    table: string,
    field: 'automation_id' | 'ticket_id',
    body: TestAutomation,
  ): Promise<void> {
    const id = body[field];
    if (id === undefined) return;
    const text = `SELECT 1 FROM ${table} t WHERE t.workspace_id = $1 AND t.id = $2${andSeen(table, 't')}`;
    const rows = await this.database.read(filled({ text, values: [currentWorkspaceId(), id] }));
    if (rows.length === 0) invalid(field, 'not_found', `"${field}" names a record that does not exist.`);
  }

  private async imagined(
    request: Omit<PreviewRequest, 'ticket'>,
    described: Record<string, unknown>,
  ): Promise<RunRecord> {
    try {
      return await this.database.transaction(() =>
        this.database.savepoint(async () => {
          const ticket = await this.tickets.create('ticket', described);
          throw new Undone(await this.preview.run({ ...request, ticket }));
        }),
      );
    } catch (error) {
      if (error instanceof Undone) return error.record;
      throw error;
    }
  }

  /** The rule that is stored, or the one that was sent, checked as if it were to be stored. */
  private async rule({ automation, automation_id: id }: TestAutomation): Promise<Rule> {
    if (automation === undefined) return this.preview.stored(id ?? 0);
    return within('automation', async () => {
      const sent = this.pipe.validate({ name: 'Unnamed', ...automation }, CreateAutomation);
      const given: Partial<CreateAutomation> = sent;
      const parts = await this.check.rule(sent.trigger, given.conditions ?? {}, sent.actions);
      return {
        id: null,
        version: 0,
        name: sent.name,
        ...parts,
        stop_processing: given.stop_processing ?? false,
        run_once_per_ticket: given.run_once_per_ticket ?? false,
        delay_minutes: given.delay_minutes ?? 0,
        only_in_business_hours: given.only_in_business_hours ?? false,
      };
    });
  }
}

type Inline = 'automation' | 'ticket';

function refuseBoth(body: TestAutomation, inline: Inline, id: `${Inline}_id`): void {
  if (body[inline] !== undefined && body[id] !== undefined)
    invalid(inline, 'conflict', `Give "${inline}" or "${id}", not both.`);
}

function requireOne(body: TestAutomation, inline: Inline, id: `${Inline}_id`): void {
  if (body[inline] !== undefined || body[id] !== undefined) return;
  const message = `"${id}" or "${inline}" is required`;
  fail('validation_error', `${message}.`, { missing: [id], details: [{ field: id, code: 'required', message }] });
}
