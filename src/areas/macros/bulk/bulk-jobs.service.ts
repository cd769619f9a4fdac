import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { type ErrorDetail, fail, invalid, refuseProblems } from '../../../platform/errors/api-error';
import { SingleResult } from '../../../platform/http/results';
import { JobQueue } from '../../../platform/queue/job-queue';
import { MAX_VALUES } from '../../../platform/query/values';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { parseListQuery } from '../../../platform/resource/read/list-query';
import { findPage } from '../../../platform/resource/read/page';
import { parseSelection } from '../../../platform/resource/read/selection';
import { ResourceKernel } from '../../../platform/resource/resource-kernel';
import type { Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { ownJson } from '../../../platform/text/json';
import { TicketActions } from '../../sla/ticket-actions';
import { ticketResource } from '../../tickets/ticket.resource';
import { filterText, problemsOf } from '../../views/view-check';
import { MacrosService } from '../macros.service';
import { caller } from './acting';
import { BulkJob } from './bulk-job.entity';
import { BULK_JOB } from './bulk-runner';
import { type BulkTickets, MAX_TICKETS } from './bulk.dto';

/** Jobs of a workspace that are not over. */
const MAX_OPEN = 5;

/** What a job has not done, held: a ticket that is being done just now is done by then, and none is after that. */
const LEFT = `
  WITH untouched AS MATERIALIZED (
    SELECT FROM bulk_job_items WHERE workspace_id = $1 AND job_id = $2 AND state = 'pending' ORDER BY ticket_id FOR UPDATE
  ) SELECT count(*) FROM untouched`;

@Injectable()
export class BulkJobsService {
  constructor(
    @InjectStore(BulkJob) private readonly jobs: Store<BulkJob>,
    private readonly database: Database,
    private readonly kernel: ResourceKernel,
    private readonly queue: JobQueue,
    private readonly macros: MacrosService,
    private readonly rules: TicketActions,
  ) {}

  /** Fixes which tickets and what is done to them; the rest is a worker's. */
  async start(body: BulkTickets): Promise<SingleResult> {
    const macro = body.macro_id === undefined ? null : await this.macros.named(body.macro_id, 'macro_id');
    await this.requireTickets(body.ids ?? []);
    requireOne(body, 'filter', 'ids');
    requireOne(body, 'actions', 'macro_id');
    // As they are now: a macro that is changed later changes nothing.
    const actions = macro?.actions ?? (await this.rules.check('actions', body.actions ?? []));
    const named = { macro_id: macro?.id ?? null, macro_name: macro?.name ?? null };
    const { ids, filter } = await this.tickets(body);
    return this.make({ kind: 'apply', actions, ...named, filter, total: ids.length }, (id) =>
      this.database.query(
        `INSERT INTO bulk_job_items (workspace_id, job_id, ticket_id) SELECT $1, $2, unnest($3::bigint[])`,
        [currentWorkspaceId(), id, ids],
      ),
    );
  }

  /** Takes no further ticket; what was done stays. One that is over stays as it is. */
  cancel(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.jobs.mutate(id, expected, async ({ status }) => {
      if (status !== 'queued' && status !== 'running') return { values: {} };
      const finished_at = await this.database.moment();
      return { values: { status: 'cancelled', finished_at }, events: ['bulk_job.cancelled'] };
    });
  }

  /** Another job that sets back what this one changed, down to the ticket that a cancelled one had in hand. */
  async undo(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    await this.jobs.require(id, expected);
    const { kind, status } = await this.jobs.whole(id);
    if (kind !== 'apply') invalid('id', 'invalid', 'Only jobs that applied actions can be undone.');
    if (status === 'queued' || status === 'running')
      fail('conflict', 'The job is not over; cancel it first, or wait for its end.');
    const key = [currentWorkspaceId(), id];
    const undone = `i.workspace_id = $1 AND i.job_id = $2 AND i.state = 'done' AND i.changes IS NOT NULL`;
    return this.database.transaction(async () => {
      await this.database.query(LEFT, key);
      const [row] = await this.database.query<{ total: number }>(
        `SELECT count(*)::integer AS total FROM bulk_job_items i WHERE ${undone}`,
        key,
      );
      return this.make({ kind: 'undo', actions: [], undoes_id: id, total: row?.total ?? 0 }, (own) =>
        this.database.query(
          `INSERT INTO bulk_job_items (workspace_id, job_id, ticket_id, changes)
           SELECT i.workspace_id, $3, i.ticket_id, i.changes FROM bulk_job_items i WHERE ${undone}`,
          [...key, own],
        ),
      );
    });
  }

  private make(values: Values<BulkJob>, fill: (id: number) => Promise<unknown>): Promise<SingleResult> {
    return this.jobs.holding(async () => {
      await this.requireRoom();
      const acting = caller();
      const { id } = await this.jobs.insert({}, (made) => {
        Object.assign(made, { macro_id: null, ...values, status: 'queued', acting, actor: acting.actor });
        return undefined;
      });
      await fill(id);
      await this.queue.add([{ kind: BULK_JOB, subject_id: id, group_id: id }]);
      const { json, etag } = await this.jobs.read(id);
      return new SingleResult(json, etag, 202, undefined, { Location: `/v1/bulk-jobs/${id}` });
    });
  }

  private async requireRoom(): Promise<void> {
    const [row] = await this.database.query<{ open: number }>(
      `SELECT count(*)::integer AS open FROM bulk_jobs WHERE workspace_id = $1 AND status IN ('queued', 'running')`,
      [currentWorkspaceId()],
    );
    if ((row?.open ?? 0) >= MAX_OPEN)
      fail('conflict', `A workspace has at most ${MAX_OPEN} bulk jobs that are not over; wait for one, or cancel one.`);
  }

  /** 422 unless the caller sees all of them. */
  private async requireTickets(ids: readonly number[]): Promise<void> {
    const selection = parseSelection(ticketResource, { fields: 'id' });
    for (let from = 0; from < ids.length; from += MAX_VALUES) {
      const some = ids.slice(from, from + MAX_VALUES);
      const plan = parseListQuery(ticketResource, { ids: some.join(','), per_page: String(MAX_VALUES) }, selection);
      const page = await findPage(this.database, ticketResource, plan, {});
      const known = new Set(ownJson<{ id: number }[]>(String(page.text)).map(({ id }) => id));
      const unknown = some.find((id) => !known.has(id));
      if (unknown !== undefined) invalid('ids', 'not_found', `"ids" names ${unknown}, which does not exist.`);
    }
  }

  /** Exactly these tickets, whatever they become. */
  private async tickets({ ids, filter = {} }: BulkTickets): Promise<{ ids: number[]; filter: BulkJob['filter'] }> {
    if (ids) return { ids, filter: null };
    const resource = await this.kernel.widened(ticketResource);
    const problems = problemsOf({ resource: 'tickets', filters: filter, sort: null, columns: [] }, resource);
    refuseProblems(problems.map((problem) => ({ ...problem, field: problem.field.replace(/^filters/, 'filter') })));
    const texts = Object.entries(filter).map(([name, value]): [string, string] => [name, filterText(value) ?? '']);
    const asked = Object.fromEntries(texts);
    const plan = parseListQuery(resource, { ...asked, sort: 'id' }, parseSelection(ticketResource, { fields: 'id' }));
    const page = await findPage(this.database, resource, { ...plan, limit: MAX_TICKETS }, {});
    if (page.total > MAX_TICKETS)
      invalid('filter', 'max', `"filter" finds ${page.total} tickets; a job takes at most ${MAX_TICKETS}.`, {
        max: MAX_TICKETS,
      });
    return { ids: ownJson<{ id: number }[]>(String(page.text)).map(({ id }) => id), filter: asked };
  }
}

function requireOne(body: BulkTickets, one: keyof BulkTickets, other: keyof BulkTickets): void {
  const given = [one, other].filter((name) => body[name] !== undefined);
  if (given.length === 1) return;
  const [field, code] = given.length === 0 ? [one, 'required'] : [other, 'conflict'];
  const message = `${field}: give exactly one of ${one} and ${other}`;
  const detail: ErrorDetail = { field, code, message };
  fail('validation_error', `${message}.`, { missing: given.length === 0 ? [one] : [], details: [detail] });
}
