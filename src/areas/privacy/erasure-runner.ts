import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { advanced, Eraser, type Progress } from '../../platform/privacy/eraser';
import { type KeptPerson, type Person, personOf } from '../../platform/privacy/person';
import { Standstill } from '../../platform/privacy/standstill';
import type { Job, JobHandler, JobOutcome } from '../../platform/queue/job-handler';
import { JobQueue } from '../../platform/queue/job-queue';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { SecretBox } from '../../platform/secrets/secret-box';
import { ownJson } from '../../platform/text/json';
import { contactsWith } from '../contacts/contact-lookup';
import { Erasure, type ErasureProgress } from './erasure.entity';

export const ERASURE_JOB = 'erasure';

/** An erasure makes way for other jobs after so long. */
const TURN_MS = 2_000;
/** How often everything is looked through at most. */
const MAX_PASSES = 5;
/** How soon it is asked again whether all that was under way is over. */
const LOOK_MS = 250;
/** Names of a person that tickets and mails had, besides those of the contact. */
const MAX_NAMES = 50;

/** An erasure under way. */
interface Work {
  id: number;
  workspaceId: number;
  person: Person;
  progress: ErasureProgress;
}

/** How far an erasure is after a step. */
interface Note {
  person: Person;
  progress: ErasureProgress;
  own: number;
  changed: number;
}

/**
 * Does erasures, one at a time in a workspace: some rows of a table in each transaction, together with the note of how far it is. A
 * process that dies leaves nothing to be done but the rest; doing a step again changes nothing more. A pass that finds nothing is the
 * end of it. The second one waits until all is over that was under way in the first: a job may hold in its hands what it read before.
 */
@Injectable()
export class ErasureRunner implements JobHandler, OnModuleInit {
  readonly kind = ERASURE_JOB;
  readonly perGroup = 1;
  readonly perWorkspace = 1;
  readonly leaseMs = 60_000;

  constructor(
    @InjectStore(Erasure) private readonly erasures: Store<Erasure>,
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly eraser: Eraser,
    private readonly standstill: Standstill,
    private readonly secrets: SecretBox,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async perform({ id: jobId, subject_id: id, workspace_id: workspaceId }: Job): Promise<JobOutcome> {
    const work = await this.begin(id, workspaceId);
    if (work === null) return {};
    const { length } = this.eraser.stages;
    const endsAt = performance.now() + TURN_MS;
    while (performance.now() < endsAt) {
      const { pass, stage, changed } = work.progress;
      if (stage < length) await this.step(work);
      else if (pass > 1 && (changed === 0 || pass === MAX_PASSES)) return { settle: () => this.finish(work) };
      else if (!(await this.nextPass(work, jobId))) return { retryInMs: LOOK_MS };
    }
    return { retryInMs: 0 };
  }

  /** The erasure, running from now on; null when it is over, or gone. */
  private async begin(id: number, workspaceId: number): Promise<Work | null> {
    return this.database.transaction(async () => {
      const row = await this.erasures.lockIfAny(id);
      if (!row || row.person === null || row.progress === null) return null;
      const { person: sealed, progress } = row;
      const started_at = row.started_at ?? (await this.database.moment());
      if (row.status === 'queued')
        await this.erasures.apply(row, { values: { status: 'running', started_at }, events: ['erasure.started'] });
      const kept = ownJson<KeptPerson>(this.secrets.open(sealed));
      // Copies are made a little later than what they are of, but not once somebody else uses the address.
      const returned = await contactsWith(this.database, kept.addresses);
      const copiesBefore = returned ? kept.before : 'infinity';
      return { id, workspaceId, person: personOf({ ...kept, copiesBefore }), progress };
    });
  }

  /** One step, in one transaction with the note of it. */
  private async step(work: Work): Promise<void> {
    const { progress: before } = work;
    const after = await this.database.system(async () => {
      const done = await this.eraser.step(work.person, before);
      const person = withNames(work.person, done.names);
      const progress = { ...before, ...advanced(before, done) };
      // Records are found once in each pass, and counted in the first.
      await this.note(work, { person, progress, own: before.pass === 1 ? done.own : 0, changed: done.changed });
      return { person, progress };
    });
    Object.assign(work, after);
  }

  /** Whether the next pass may begin. */
  private async nextPass(work: Work, jobId: number): Promise<boolean> {
    const { progress: before, workspaceId, person } = work;
    const progress = await this.database.system(async () => {
      const since = before.underWay;
      const may = since !== null && (await this.standstill.reached(workspaceId, since));
      const underWay = may ? null : (since ?? (await this.standstill.begin(workspaceId, jobId)));
      const next: Progress = may ? { pass: before.pass + 1, stage: 0, place: null, changed: 0 } : before;
      await this.note(work, { person, progress: { ...next, underWay }, own: 0, changed: 0 });
      return { ...next, underWay };
    });
    work.progress = progress;
    return progress.underWay === null;
  }

  /** Writes how far it is. */
  private async note(work: Work, { person, progress, own, changed }: Note): Promise<void> {
    const { scrubber: _, ...kept } = person;
    await this.database.query(
      `UPDATE erasures SET progress = $3::jsonb, person = coalesce($4, person), pass = $5, stage = $6, stage_count = $7,
         record_count = record_count + $8, change_count = change_count + $9
       WHERE workspace_id = $1 AND id = $2 AND status = 'running'`,
      [
        work.workspaceId,
        work.id,
        JSON.stringify(progress),
        person === work.person ? null : this.secrets.seal(JSON.stringify(kept)),
        progress.pass,
        progress.stage,
        this.eraser.stages.length,
        own,
        changed,
      ],
    );
  }

  /** In the transaction that ends the job: nothing says any more who it was. */
  private async finish({ id, progress }: Work): Promise<void> {
    const row = await this.erasures.lockIfAny(id);
    if (row?.status !== 'running') return;
    await this.eraser.finish(currentWorkspaceId(), id);
    await this.database.query(`UPDATE erasures SET left_count = $3 WHERE workspace_id = $1 AND id = $2`, [
      currentWorkspaceId(),
      id,
      progress.changed,
    ]);
    const finished_at = await this.database.moment();
    const values = { status: 'completed', person: null, progress: null, finished_at } as const;
    await this.erasures.apply(row, { values, events: ['erasure.completed'] });
  }
}

/** The person, once more names of theirs are known; the same one otherwise. */
function withNames(person: Person, names: readonly string[]): Person {
  const { scrubber: _, ...kept } = person;
  const { calledThere } = kept.identifiers;
  const more = [...new Set([...calledThere, ...names])].slice(0, MAX_NAMES);
  if (more.length <= calledThere.length) return person;
  return personOf({ ...kept, identifiers: { ...kept.identifiers, calledThere: more } });
}
