import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { timestampText } from '../../platform/columns/column-spec';
import { current, currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { SingleResult } from '../../platform/http/results';
import { BEGINNING, Eraser } from '../../platform/privacy/eraser';
import { isTelling } from '../../platform/privacy/identifiers';
import type { KeptPerson } from '../../platform/privacy/person';
import type { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../platform/database/workspace-repository.module';
import { JobQueue } from '../../platform/queue/job-queue';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { SecretBox } from '../../platform/secrets/secret-box';
import { ContactErasure, type KnownBy } from '../contacts/contact-erasure';
import { knownToUsers } from '../users/user-lookup';
import { ERASURE_JOB } from './erasure-runner';
import { Erasure } from './erasure.entity';

/** Erases contacts: the record at once, everything else by a job. */
@Injectable()
export class ErasuresService {
  constructor(
    @InjectStore(Erasure) private readonly erasures: Store<Erasure>,
    @InjectWorkspaceRepository(Erasure) private readonly rows: WorkspaceRepository<Erasure>,
    private readonly contacts: ContactErasure,
    private readonly eraser: Eraser,
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly secrets: SecretBox,
  ) {}

  /** Once for each contact: whoever asks again is told how far it is. */
  erase(contactId: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.erasures.holding(async () => {
      const known = await this.contacts.take(contactId, expected);
      const id = known === null ? await this.again(contactId) : await this.begin(contactId, known);
      const { json, etag } = await this.erasures.read(id);
      return new SingleResult(json, etag, 202, undefined, { Location: `/v1/erasures/${id}` });
    });
  }

  private async begin(contactId: number, known: KnownBy): Promise<number> {
    const others = new Set(await this.contacts.shared(contactId, known));
    const shared = new Set([
      ...others,
      ...(await knownToUsers(this.database, [...known.emails, ...lower(known.names)])),
    ]);
    // The clock of a sandbox may be behind what was written by it before.
    const now = Math.max(Date.now(), Date.parse(await this.database.moment()));
    const { actor, workspaceId } = current();
    const { id } = await this.erasures.insert({}, (values) => {
      Object.assign(values, {
        contact_id: contactId,
        status: 'queued',
        actor,
        kept_count: shared.size,
        started_at: null,
      });
      return undefined;
    });
    const person: KeptPerson = {
      workspaceId: workspaceId ?? 0,
      erasureId: id,
      contactId,
      addresses: known.emails.filter((email) => !others.has(email)),
      identifiers: {
        emails: known.emails.filter((email) => !shared.has(email)),
        names: known.names.filter((name) => isTelling(name) && !shared.has(name.toLowerCase())),
        phones: known.phones.filter((phone) => !shared.has(phone.toLowerCase())),
        calledThere: known.names,
      },
      // To the millisecond, up or down.
      before: new Date(now + 1).toISOString(),
      copiesBefore: new Date(now + 1).toISOString(),
    };
    const row = await this.erasures.lock(id);
    const values = { person: this.secrets.seal(JSON.stringify(person)), progress: { ...BEGINNING, underWay: null } };
    await this.erasures.apply(row, { values, events: [] });
    await this.eraser.remember(person.workspaceId, id, 'contact', known.absorbed);
    await this.contacts.tell(contactId, id);
    await this.queue.add([{ kind: ERASURE_JOB, subject_id: id, group_id: id }]);
    return id;
  }

  /**
   * The erasure of no person that is still to begin, or a new one: records that are noted for it lose who and what in all copies. One begins
   * a day at most, because everything is looked through for it. Inside a unit of work.
   */
  async ofRecords(): Promise<number> {
    const waiting = await this.rows.findOne({
      select: { id: true },
      where: { contact_id: IsNull(), status: 'queued' },
      order: { id: 'DESC' },
    });
    // It begins under the same lock.
    if (waiting && (await this.erasures.lock(waiting.id)).status === 'queued') return waiting.id;
    const { actor } = current();
    const { id } = await this.erasures.insert({}, (values) => {
      Object.assign(values, { contact_id: null, status: 'queued', actor, kept_count: 0, started_at: null });
      return undefined;
    });
    const person: KeptPerson = {
      workspaceId: currentWorkspaceId(),
      erasureId: id,
      contactId: 0,
      addresses: [],
      identifiers: { emails: [], names: [], phones: [], calledThere: [] },
      before: 'infinity',
      copiesBefore: 'infinity',
      isAnonymous: true,
    };
    const row = await this.erasures.lock(id);
    const values = { person: this.secrets.seal(JSON.stringify(person)), progress: { ...BEGINNING, underWay: null } };
    await this.erasures.apply(row, { values, events: [] });
    const [due] = await this.database.query<{ at: string }>(BEGINS, [currentWorkspaceId()]);
    await this.queue.add([{ kind: ERASURE_JOB, subject_id: id, group_id: id, ...(due ? { due_at: due.at } : {}) }]);
    return id;
  }

  /** Notes records for such an erasure. Inside a unit of work. */
  async note(id: number, object: string, ids: readonly number[]): Promise<void> {
    if (ids.length > 0) await this.eraser.remember(currentWorkspaceId(), id, object, ids);
  }

  /** The erasure that there is; one whose job was given up goes on. */
  private async again(contactId: number): Promise<number> {
    const erasure = await this.rows.findOne({
      select: { id: true, status: true },
      where: { contact_id: contactId },
      order: { id: 'DESC' },
    });
    if (!erasure) throw new Error(`Contact ${contactId} was erased, and nothing tells when.`);
    if (erasure.status !== 'completed')
      await this.queue.add([{ kind: ERASURE_JOB, subject_id: erasure.id, group_id: erasure.id }]);
    return erasure.id;
  }
}

const lower = (texts: readonly string[]): string[] => texts.map((text) => text.toLowerCase());

/** A day after the last one. */
const BEGINS = `
  SELECT ${timestampText(`max(started_at) + interval '20 hours'`)} AS at FROM erasures
  WHERE workspace_id = $1 AND contact_id IS NULL AND started_at > now() - interval '20 hours' HAVING max(started_at) IS NOT NULL`;
