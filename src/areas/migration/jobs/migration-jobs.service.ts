import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { clockMs } from '../../../platform/context/clock';
import { current, currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import { fail, invalid } from '../../../platform/errors/api-error';
import { SingleResult } from '../../../platform/http/results';
import { JobQueue } from '../../../platform/queue/job-queue';
import type { Change } from '../../../platform/resource/change';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import type { Row, Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { Takeovers } from '../../../platform/resource/takeover';
import { requireRowsFit } from '../files/inline-rows';
import { MigrationFiles, type StoredFile } from '../files/migration-files';
import type { FileReceipt } from '../files/receiving';
import { AGAIN } from '../run/importing';
import { added, BEGINNING, placeOf } from '../run/job-place';
import { JobSteps } from '../run/job-steps';
import { MIGRATION_JOB } from '../run/migration-runner';
import { RecordBook } from '../run/record-book';
import { ServiceConnections } from '../services/service-connections';
import { serviceOf } from '../services/services';
import { readFrom, sinceOf } from '../services/watermarks';
import { requireKnown } from './mapping-check';
import type { CreateMigrationJob, UpdateMigrationJob } from './migration-job.dto';
import { MigrationJob } from './migration-job.entity';
import { requireState } from './migration-states';
import { namedRecords, PUSH } from './pushing';
import { requireWholeSight } from './whole-sight';

/** Jobs of a workspace that are not over. */
const MAX_OPEN = 20;
const OPEN = ['draft', 'validating', 'ready', 'invalid', 'running', 'paused', 'rolling_back'] as const;
const KEPT_MS = 30 * 86_400_000;
/** What has to be looked at again when it changes. */
const DECIDING = ['mapping', 'options', 'entities', 'connection'] as const;
/** What a job has before it is connected. */
const NOTHING = { connection: {}, sealed: null };

/** What is asked of migration jobs; the work itself is a worker's. */
@Injectable()
export class MigrationJobsService {
  constructor(
    @InjectStore(MigrationJob) private readonly jobs: Store<MigrationJob>,
    @InjectWorkspaceRepository(MigrationJob) private readonly known: WorkspaceRepository<MigrationJob>,
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly files: MigrationFiles,
    private readonly connections: ServiceConnections,
    private readonly steps: JobSteps,
    private readonly book: RecordBook,
    private readonly takeovers: Takeovers,
  ) {}

  /** @throws ApiError 409 where there are enough; 403 for those who see only some tickets */
  async create(body: CreateMigrationJob): Promise<SingleResult> {
    return (await this.insert(body)).result;
  }

  /** The same, answered by its id. */
  async createKnown(body: CreateMigrationJob): Promise<number> {
    return (await this.insert(body)).id;
  }

  private async insert(body: CreateMigrationJob): Promise<{ id: number; result: SingleResult }> {
    requireWholeSight();
    requireKnown(this.takeovers, body.entities ?? [], body.mapping ?? {}, Object.keys(body.rows ?? {}));
    requireRowsFit(body);
    const files = body.rows ? await this.files.takeRows(body.rows) : [];
    try {
      return await this.plan(body, files);
    } catch (error) {
      await this.giveBack(files.map(({ storage_key }) => storage_key));
      throw error;
    }
  }

  /** Whoever lost the connection at the commit does not know whether rows tell of them. What cannot be told, the upkeep finds. */
  private async giveBack(keys: readonly string[]): Promise<void> {
    const isGone = this.jobs.holding(async () => !(await this.files.areKept(keys)));
    if (await isGone.catch(() => false)) await this.files.discard(keys);
  }

  private plan(body: CreateMigrationJob, files: readonly StoredFile[]): Promise<{ id: number; result: SingleResult }> {
    return this.jobs.holding(async () => {
      if ((await this.known.countBy({ status: In([...OPEN]) })) >= MAX_OPEN)
        fail('conflict', `A workspace has at most ${MAX_OPEN} migrations that are not over; cancel one.`);
      const prepare = (values: Values<MigrationJob>): undefined => {
        values.created_by = current().principal?.userId ?? null;
        Object.assign(values, this.connections.changed({ ...NOTHING, source: body.source }, body.connection));
        return undefined;
      };
      if (files.length === 0) return this.jobs.createKnown(body, prepare);
      const { id } = await this.jobs.insert(body, prepare);
      await this.files.keep(id, files);
      const { json, etag } = await this.jobs.read(id);
      return { id, result: new SingleResult(json, etag, 201) };
    });
  }

  update(id: number, body: UpdateMigrationJob, expected: ExpectedVersions): Promise<SingleResult> {
    requireWholeSight();
    requireKnown(this.takeovers, body.entities ?? [], body.mapping ?? {});
    return this.jobs.update(id, body, expected, (before, values) => {
      requireState('change', before.status);
      if (body.connection !== undefined) Object.assign(values, this.connected(before, body.connection));
      const isLookedAtAgain = before.status !== 'paused' && DECIDING.some((name) => values[name] !== undefined);
      return { values: isLookedAtAgain ? { ...values, status: 'draft', validation: null } : values };
    });
  }

  /** The connection after a change; one that has begun stays with its address. */
  private connected(before: Row<MigrationJob>, asked: object | null): Values<MigrationJob> {
    const kept = this.connections.changed(before, { ...asked });
    if (kept && before.started_at !== null && kept.origin !== before.origin)
      invalid('connection', 'invalid', 'The job has begun to read another address; plan it anew.');
    return { ...kept };
  }

  /** What came in stays; what is known of it goes. */
  remove(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.jobs.remove(id, expected, async ({ status }) => {
      requireState('remove', status);
      await this.files.takeAway(id);
    });
  }

  /** Makes the files of a request those of the job. */
  keep(id: number, receipt: FileReceipt, expected: ExpectedVersions): Promise<SingleResult> {
    return this.jobs.holding(() =>
      this.jobs.mutate(id, expected, async ({ status }) => {
        requireState('send', status);
        if (receipt.isGone) fail('service_unavailable', 'The files were given back; send them again.');
        await this.files.keep(id, receipt.files);
        this.database.afterCommit(() => void (receipt.isKept = true));
        return { values: { status: 'draft', validation: null }, always: true };
      }),
    );
  }

  /** Looks at everything, and proposes what becomes of it; nothing is written. */
  validate(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.jobs.mutate(id, expected, async (before) => {
      requireState('validate', before.status);
      if ((await this.steps.of(before)).length === 0)
        invalid(
          'files',
          'required',
          'There is nothing to look at: send a file, push records, or name entities that the service has.',
        );
      const service = serviceOf(before.source);
      const since = service ? await sinceOf(this.database, before, Object.keys(service.entities)) : null;
      await this.steps.note(id, { place: BEGINNING, tally: {}, total: 0, processed: 0, since });
      return this.set(before, { status: 'validating', validation: null, last_error: null }, 'migration.job_updated');
    });
  }

  start(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    requireWholeSight();
    return this.jobs.mutate(id, expected, async (before) => {
      requireState('start', before.status);
      if (before.mode === 'dry_run')
        invalid('mode', 'dry_run', 'This job only looks. PATCH it with {"mode": "import"} to bring its records in.');
      const started_at = await this.database.moment();
      const read_from = serviceOf(before.source) ? readFrom() : null;
      await this.steps.note(id, { place: BEGINNING, active_ms: 0, read_from, read_until: {} });
      return this.set(before, { status: 'running', started_at, last_error: null }, 'migration.job_started');
    });
  }

  pause(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.jobs.mutate(id, expected, (before) => {
      requireState('pause', before.status);
      if (before.status === 'paused') return { values: {} };
      return { values: { status: 'paused' }, events: ['migration.job_paused'] };
    });
  }

  resume(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    requireWholeSight();
    return this.jobs.mutate(id, expected, async (before) => {
      requireState('resume', before.status);
      await this.requireOnTheWay(before);
      return this.set(before, { status: 'running', last_error: null }, 'migration.job_started');
    });
  }

  /** No further record comes; those that came stay, and can be rolled back. */
  cancel(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.jobs.mutate(id, expected, async (before) => {
      requireState('cancel', before.status);
      const finished_at = await this.database.moment();
      const rollback_available_until =
        before.started_at === null ? null : new Date(Date.parse(finished_at) + KEPT_MS).toISOString();
      return {
        values: { status: 'cancelled', finished_at, rollback_available_until },
        events: ['migration.job_cancelled'],
      };
    });
  }

  /** Lets what failed have another turn, or one record of it. */
  retry(id: number, expected: ExpectedVersions, recordId: number | null = null): Promise<SingleResult> {
    requireWholeSight();
    return this.jobs.mutate(id, expected, async (before) => {
      requireState('retry', before.status);
      await this.requireOnTheWay(before);
      const again = await this.book.tryAgain(id, recordId);
      if (again.length === 0)
        invalid(
          'status',
          'nothing_to_do',
          'No record failed in a way that another turn could mend; what it said is kept for 30 days.',
        );
      const tally = { ...before.tally };
      for (const { entity, n } of again) tally[entity] = added(tally[entity], { failed: -n, pending: n });
      const place = before.status === 'completed_with_errors' ? AGAIN : placeOf(before.place);
      await this.steps.note(id, { tally, place });
      return this.set(before, { status: 'running', finished_at: null, last_error: null }, 'migration.job_started');
    });
  }

  rollback(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    requireWholeSight();
    return this.jobs.mutate(id, expected, async (before) => {
      requireState('rollback', before.status);
      const { rollback_available_until: until } = before;
      if (until !== null && Date.parse(until) <= clockMs())
        invalid('status', 'too_late', `This could be rolled back until ${until}.`);
      await this.steps.note(id, { place: { ...BEGINNING, rolled: true } });
      return this.set(before, { status: 'rolling_back', last_error: null }, 'migration.job_updated');
    });
  }

  /** Adds records that wait for their turn; what is here already is passed over. */
  push(
    id: number,
    entity: string,
    records: readonly { external_id: string; payload: object }[],
  ): Promise<{ accepted: number; repeated: number }> {
    requireWholeSight();
    requireKnown(this.takeovers, [entity], {});
    return this.database.transaction(async () => {
      const job = await this.jobs.lock(id);
      requireState('push', job.status);
      if (job.source !== 'api') invalid('source', 'invalid', 'Records are pushed to jobs of the source "api".');
      if (job.entities.length > 0 && !job.entities.includes(entity))
        invalid('entity', 'enum', `This job takes ${job.entities.join(', ')}.`, { allowed: job.entities });
      const [row] = await this.database.query<{ n: number; fresh: number }>(PUSH, [
        currentWorkspaceId(),
        id,
        entity,
        JSON.stringify(namedRecords(job, records)),
      ]);
      const [accepted, fresh] = [row?.n ?? 0, row?.fresh ?? 0];
      const tally = { ...job.tally, [entity]: added(job.tally[entity], { pending: fresh, total: fresh }) };
      await this.steps.note(id, { tally, total: job.total + fresh });
      await this.goOn(job, accepted);
      return { accepted, repeated: records.length - accepted };
    });
  }

  /** Who has been looked at is looked at again; who was done goes on. */
  private async goOn(job: Row<MigrationJob>, accepted: number): Promise<void> {
    if (accepted === 0) return;
    const { status } = job;
    if (status === 'completed' || status === 'completed_with_errors') {
      await this.steps.note(job.id, { place: AGAIN });
      await this.jobs.apply(
        job,
        await this.set(job, { status: 'running', finished_at: null }, 'migration.job_started'),
      );
    } else if (status === 'running')
      await this.queue.add([{ kind: MIGRATION_JOB, subject_id: job.id, group_id: job.id }]);
    else if (status !== 'paused') await this.jobs.apply(job, { values: { status: 'draft', validation: null } });
  }

  /** 422 for jobs that never began, those that are half taken back, and those that lack what is still to come. */
  private async requireOnTheWay({ id, started_at, place, source, status }: Row<MigrationJob>): Promise<void> {
    const never = (message: string): never => invalid('status', 'invalid_transition', message);
    if (started_at === null) never('The job was never started.');
    if (placeOf(place).rolled) never('The job was being rolled back; roll it back to the end.');
    const isRead = source === 'api' || serviceOf(source) !== null || status === 'completed_with_errors';
    if (!isRead && (await this.files.of(id)).length === 0) never('Its files are gone; plan it anew.');
  }

  /** The change of a job that a worker then does. */
  private async set(
    { id }: Row<MigrationJob>,
    values: Values<MigrationJob>,
    event: string,
  ): Promise<Change<MigrationJob>> {
    await this.queue.add([{ kind: MIGRATION_JOB, subject_id: id, group_id: id }]);
    return { values, events: [event] };
  }
}
