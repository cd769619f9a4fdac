import { Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { current, currentWorkspaceId } from '../../platform/context/current';
import { demand } from '../../platform/context/demand';
import type { Permission } from '../../platform/context/permission-table';
import { Database } from '../../platform/database/database';
import { isRetryable } from '../../platform/database/database-errors';
import { ApiError, fail } from '../../platform/errors/api-error';
import { type Meta, SingleResult } from '../../platform/http/results';
import { ValidationPipe } from '../../platform/http/validation-pipe';
import { normaliseTags } from '../../platform/columns/column-spec';
import { type ExpectedVersions, parseIfMatch } from '../../platform/resource/etag';
import { selectLikewise } from '../../platform/resource/read/selection';
import { Reader } from '../../platform/resource/reader';
import { InjectReader } from '../../platform/resource/store.module';
import { ContactsService } from '../contacts/contacts.service';
import type { BatchSummary } from './batch-answer';
import { MacroUse, NoData, TagChange } from './batch-operations';
import { planBatch, type Step } from './batch-plan';
import { type TicketBatch } from './batch.dto';
import { CreateComment } from './comment.dto';
import { commentResource } from './comment.resource';
import { CommentsService } from './comments.service';
import { Merging } from './merging/merging.service';
import { Ticket } from './ticket.entity';
import { ticketResource } from './ticket.resource';
import { AssignTicket, CreateTicket, EscalateTicket, MergeTicket, UpdateTicket } from './ticket.dto';
import { ticketMacros } from './ticket-macros';
import { TicketsService } from './tickets.service';

/** How one step ended. `json` is the ready JSON text of its record. */
interface Outcome {
  step: Step;
  id: number | null;
  status: number;
  json: string | null;
  etag: string | null;
  /** What the operation alone would have said in `meta`. */
  meta?: Meta;
  error: ApiError | null;
  skipped: boolean;
}

const HOLD = `
  WITH RECURSIVE chain AS (
    SELECT id, merged_into_id FROM tickets WHERE workspace_id = $1 AND id = ANY($2::bigint[])
    UNION
    SELECT t.id, t.merged_into_id FROM chain c JOIN tickets t ON t.workspace_id = $1 AND t.id = c.merged_into_id)
  SELECT 1 FROM tickets WHERE workspace_id = $1 AND id IN (SELECT id FROM chain) ORDER BY id FOR UPDATE`;

/** The permission of each operation, as of its route. */
const NEEDED: Readonly<Record<Step['op'], Permission>> = {
  create: 'tickets.create',
  update: 'tickets.update',
  delete: 'tickets.delete',
  assign: 'tickets.update',
  unassign: 'tickets.update',
  escalate: 'tickets.update',
  comment: 'tickets.comment',
  add_tags: 'tickets.update',
  remove_tags: 'tickets.update',
  macro: 'tickets.update',
  merge: 'tickets.update',
  reopen: 'tickets.update',
};

/** Thrown to undo a whole batch after its outcomes are known. */
class Undo extends Error {}

/** Several ticket operations in one call (product reference 6.2 and 6.3). */
@Injectable()
export class BatchService {
  constructor(
    @InjectReader(Ticket) private readonly records: Reader<Ticket>,
    private readonly database: Database,
    private readonly tickets: TicketsService,
    private readonly comments: CommentsService,
    private readonly merging: Merging,
    private readonly contacts: ContactsService,
    private readonly pipe: ValidationPipe,
    private readonly modules: ModuleRef,
  ) {}

  /** Runs a batch; answers 200 whenever its form is right, with one result per operation in order of the request. */
  async run(batch: TicketBatch): Promise<SingleResult> {
    const steps = planBatch(batch.operations);
    selectLikewise(ticketResource, commentResource);
    const mode = batch.mode ?? 'partial';
    const dryRun = batch.dry_run ?? false;
    const outcomes = await this.execute(steps, mode, batch.on_error ?? 'continue', dryRun);
    const count = (test: (outcome: Outcome) => boolean): number => outcomes.filter(test).length;
    const summary: BatchSummary = {
      total: outcomes.length,
      succeeded: count((outcome) => outcome.error === null),
      failed: count((outcome) => outcome.error !== null && !outcome.skipped),
      skipped: count((outcome) => outcome.skipped),
    };
    const results = outcomes.map((outcome) => resultText(outcome, current().requestId)).join(',');
    const head = JSON.stringify({ mode, dry_run: dryRun, summary }).slice(0, -1);
    return new SingleResult(`${head},"results":[${results}]}`, null, 200, { request_id: current().requestId });
  }

  private async execute(steps: readonly Step[], mode: string, onError: string, dryRun: boolean): Promise<Outcome[]> {
    let outcomes: Outcome[] = [];
    const work = async (): Promise<void> => {
      await this.hold(steps);
      outcomes = await this.steps(steps, mode, onError);
      const failed = outcomes.some((outcome) => outcome.error !== null);
      if (dryRun || (mode === 'atomic' && failed)) throw new Undo();
    };
    try {
      const movesInTree = steps.some(({ op, data }) => op === 'merge' || data.parent_id);
      const all = (): Promise<void> => this.database.transaction(() => this.database.savepoint(work));
      await (movesInTree ? this.tickets.holdingTree(all) : all());
    } catch (error) {
      if (!(error instanceof Undo)) throw error;
    }
    const failed = outcomes.some((outcome) => outcome.error !== null && !outcome.skipped);
    return mode === 'atomic' && failed ? outcomes.map(rolledBack) : outcomes;
  }

  /**
   * Locks what the steps will touch before the first of them, always in one order: two batches at once wait for each
   * other, never in a circle. These are the tickets named and those they were merged into, where replies go, and then
   * the addresses of requesters, whose contacts are made when they are new.
   */
  private async hold(steps: readonly Step[]): Promise<void> {
    const named = steps.flatMap(({ op, target, data }) => (op === 'merge' ? [target, data.into_id] : [target]));
    const ids = new Set(named.filter((id) => typeof id === 'number' && Number.isSafeInteger(id)));
    if (ids.size > 0) await this.database.query(HOLD, [currentWorkspaceId(), [...ids]]);
    const addresses = steps.map(({ data }) => data.requester_email).filter((email) => typeof email === 'string');
    await this.contacts.holdAddresses(addresses);
  }

  private async steps(steps: readonly Step[], mode: string, onError: string): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    const created = new Map<string, number | null>();
    let stopped = false;
    for (const step of steps) {
      const outcome = stopped
        ? skipped(step, 'An earlier operation failed.', 'skipped')
        : await this.step(step, created);
      if (step.op === 'create' && step.ref !== null) created.set(step.ref, outcome.id);
      if (outcome.error && (mode === 'atomic' || onError === 'stop')) stopped = true;
      outcomes.push(outcome);
    }
    return outcomes;
  }

  private async step(step: Step, created: ReadonlyMap<string, number | null>): Promise<Outcome> {
    const id =
      typeof step.target === 'object' && step.target !== null ? (created.get(step.target.ref) ?? null) : step.target;
    if (step.op !== 'create' && id === null)
      return skipped(step, 'The ticket it refers to was not created.', 'failed_dependency');
    try {
      const { id: ticketId, result } = await this.database.savepoint(() => this.perform(step, id ?? 0));
      return {
        step,
        id: ticketId,
        status: result.status ?? 200,
        json: result.json,
        etag: result.etag,
        ...(result.meta ? { meta: result.meta } : {}),
        error: null,
        skipped: false,
      };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500 || isRetryable(error)) throw error;
      return { step, id, status: error.status, json: null, etag: null, error, skipped: false };
    }
  }

  /** Does one step; answers its ticket's id beside the result, which need not show it. */
  private async perform(step: Step, id: number): Promise<{ id: number; result: SingleResult }> {
    demand(NEEDED[step.op]);
    if (step.op === 'create') return this.tickets.createKnown(this.pipe.validate(step.data, CreateTicket));
    return { id, result: await this.change(step, step.op, id) };
  }

  private change(step: Step, op: Exclude<Step['op'], 'create'>, id: number): Promise<SingleResult> {
    const expected = parseIfMatch(step.ifMatch);
    const body = <T extends object>(type: Type<T>): T => this.pipe.validate(step.data, type);
    switch (op) {
      case 'update':
        return this.tickets.update(id, body(UpdateTicket), expected);
      case 'delete':
        body(NoData);
        return this.tickets.remove(id, expected);
      case 'assign':
        return this.tickets.assign(id, body(AssignTicket), expected);
      case 'unassign':
        body(NoData);
        return this.tickets.assign(id, { user_id: null }, expected);
      case 'escalate':
        return this.tickets.escalate(id, body(EscalateTicket), expected);
      case 'comment':
        return this.comment(id, body(CreateComment), expected);
      case 'add_tags':
        return this.tickets.changeTags(id, tagsOf(body(TagChange)), [], expected);
      case 'remove_tags':
        return this.tickets.changeTags(id, [], tagsOf(body(TagChange)), expected);
      case 'merge':
        return this.merging.merge(id, body(MergeTicket), expected);
      case 'reopen':
        body(NoData);
        return this.tickets.reopen(id, expected);
      case 'macro':
        return this.macro(id, body(MacroUse).macro_id, expected);
    }
  }

  private async comment(id: number, body: CreateComment, expected: ExpectedVersions): Promise<SingleResult> {
    await this.records.require(id, expected);
    return this.comments.add(id, body);
  }

  private macro(id: number, macroId: number, expected: ExpectedVersions): Promise<SingleResult> {
    const macros = ticketMacros(this.modules) ?? fail('not_found', `No macro ${macroId}.`);
    return macros.applyTo(id, macroId, expected);
  }
}

function tagsOf(change: TagChange): string[] {
  const tags = normaliseTags(change.tags).split(',');
  if (tags[0] === '')
    fail('validation_error', '"tags" is empty.', {
      details: [{ field: 'tags', code: 'min', message: '"tags" is empty.' }],
    });
  return tags;
}

function skipped(step: Step, message: string, code: string): Outcome {
  const error = new ApiError('conflict', message, { details: [{ field: 'op', code, message }] });
  const id = typeof step.target === 'number' ? step.target : null;
  return { step, id, status: 424, json: null, etag: null, error, skipped: true };
}

/** After the failure of an atomic batch: only the culprit keeps its own error. */
function rolledBack(outcome: Outcome): Outcome {
  if (outcome.error && !outcome.skipped) return outcome;
  return skipped(outcome.step, 'Another operation failed, so nothing was kept.', 'rolled_back');
}

function resultText({ step, id, status, json, etag, meta, error }: Outcome, requestId: string): string {
  const head = JSON.stringify({
    index: step.index,
    ...(step.ref === null ? {} : { ref: step.ref }),
    op: step.op,
    status,
    ok: error === null,
    ...(id === null ? {} : { id }),
    ...(error ? { error: { ...error.body(requestId).error, status, ...codeOf(error) } } : {}),
    ...(etag === null ? {} : { etag }),
    ...(meta ? { meta } : {}),
  });
  return json === null ? head : `${head.slice(0, -1)},"data":${json}}`;
}

/** The reason an operation was not kept, beside the type, where clients look for it. */
function codeOf(error: ApiError): { code?: string } {
  const code = error.extras.details?.[0]?.code;
  return error.type === 'conflict' && code !== undefined ? { code } : {};
}
