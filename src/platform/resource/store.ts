// Raw rows: writes answer the JSON text that PostgreSQL made, as it came.
import { currentWorkspaceId } from '../context/current';
import type { Statement } from '../postgres/statement-batch';
import type { EventDraft, Related } from '../events/event-rows';
import { fail } from '../errors/api-error';
import { SingleResult } from '../http/results';
import { answerWithMeta, type Change, type Creation, draftOf, withMeta, type Written } from './change';
import { type ScopeOf, scopeConditions } from './read/where';
import { constraintError } from '../database/constraint-errors';
import { Parameters } from '../database/parameters';
import { etagOf, type ExpectedVersions, requireVersion } from './etag';
import { takeForetold } from './foretold';
import type { HookChain } from './hooks';
import { unlink } from './many-changes';
import { Reader } from './reader';
import type { Verb } from './resource';
import type { ResourceEntity } from './resource-entity';
import type { Row, Values } from './rows';
import type { Told } from './takeover';
import { currentSelection } from './read/selection';
import { andSeen, filled } from './read/sight';
import { changesOf, differing, newValues, orNone, requireReferences } from './stored-values';
import { holdTopic } from '../database/workspace-lock';
import { ownJson } from '../text/json';
import { insertUntold } from './untold-writes';
import { type Beside, deleteStatement, eventOnlyStatement, insertStatement, updateStatement } from './write-plan';

/** Completes the values of a new record from its body; may add events and rows. Inside the transaction. */
export type Prepare<E extends ResourceEntity, B> = (
  values: Values<E>,
  body: B,
) => Promise<Creation | undefined> | Creation | undefined;

/** Says what becomes of a locked record, given the values that the body names. Inside the transaction. */
export type Decide<E extends ResourceEntity> = (before: Row<E>, values: Values<E>) => Promise<Change<E>> | Change<E>;

/**
 * The records of one resource. Every write is one transaction with the record's new version and its events; a service
 * holds the rules and hands them in.
 */
export class Store<E extends ResourceEntity> extends Reader<E> {
  /**
   * Creates a record from a validated body and answers it as the request asked to see it.
   *
   * @param prepare the rules of the area; without it the body and the defaults of the columns make the record
   */
  async create<B extends object>(body: B, prepare?: Prepare<E, B>): Promise<SingleResult> {
    return (await this.createKnown(body, prepare)).result;
  }

  /** The same, with the id, which the answer need not show. */
  createKnown<B extends object>(body: B, prepare?: Prepare<E, B>): Promise<{ id: number; result: SingleResult }> {
    return this.database.transaction(async () => {
      const written = await this.insert(body, prepare, this.answersAsWritten());
      return { id: written.id, result: await this.answer(written, 201) };
    });
  }

  /** Creates a record inside the current unit of work. @param last the unit of work ends here */
  async insert<B extends object>(body: B, prepare?: Prepare<E, B>, last = false): Promise<Written> {
    const given = await this.kernel.settled(this.resource, null, newValues(this.resource, body), body);
    const { events = [], related, rows: alongside, meta }: Creation = (await prepare?.(given, body)) ?? {};
    const drafts = [...this.drafts('created'), ...events.map((told) => draftOf(told, null))];
    const ends = last && !this.hooks;
    const foretold = ends && !meta ? takeForetold(this.resource, drafts) : null;
    const written = await this.write(await this.insertion(given, drafts, { related, alongside }), ends, body);
    if (foretold) foretold.json = written.json;
    if (this.hooks) await this.hooks.afterCreate(() => this.held(written.id));
    return withMeta(written, meta);
  }

  /**
   * Inserts a record unless a unique index has one like it: its id, or null. For records that come about with others;
   * tells `<singular>.created`.
   */
  async insertUnlessThere(values: Values<E>): Promise<number | null> {
    const statement = this.insertion(values, this.drafts('created'), { onConflict: 'ON CONFLICT DO NOTHING' });
    const [{ id } = { id: null }] = await this.writeAll([await statement], false, {});
    if (id !== null) await this.hooks?.afterCreate(() => this.held(id));
    return id;
  }

  /**
   * Takes over records that another system has checked and dated: `created_at`, `updated_at` and authors are stored as
   * given, the rules of the area are the caller's to keep; what points to nothing is refused (422). Some hundred at a time.
   *
   * @param told `none`: no event, nobody reacts; `marked`: `<singular>.created` of now, with `related.imported` true, where the resource tells of its creations
   * @param rows what is written beside each; @returns the ids, in the order of the records
   */
  async insertMany(records: readonly Values<E>[], told: Told, rows: Beside['alongside'][] = []): Promise<number[]> {
    const drafts = told === 'marked' ? this.drafts('created') : [];
    const beside = told === 'marked' ? { related: { imported: true } } : {};
    const complete = records.map((record): Values<E> => ({ ...record, ...newValues(this.resource, record) }));
    if (told === 'none' && !this.hooks && rows.length === 0) return insertUntold(this.kernel, this.resource, complete);
    const sent: Statement[] = [];
    for (const [n, each] of complete.entries())
      sent.push(await this.insertion(each, drafts, { ...beside, alongside: rows[n] }));
    const written = await this.writeAll(sent);
    for (const { id } of written) await this.hooks?.afterCreate(() => this.held(id));
    return written.map(({ id }) => id);
  }

  /** Changes what the validated body names, by the rules of `decide`; 404 or 412. */
  async update(
    id: number,
    body: object,
    expected: ExpectedVersions = null,
    decide: Decide<E> = (_before, values) => ({ values }),
    scope: ScopeOf<E> = {},
  ): Promise<SingleResult> {
    const decided = async (before: Row<E>): Promise<Change<E>> =>
      decide(before, await this.kernel.given(this.resource, before, body, () => this.whole(id)));
    return this.mutate(id, expected, decided, scope, body);
  }

  /** Locks the record, lets `decide` say what changes, writes it with its events, answers the record. */
  async mutate(
    id: number,
    expected: ExpectedVersions,
    decide: (before: Row<E>) => Promise<Change<E>> | Change<E>,
    scope: ScopeOf<E> = {},
    asked?: object,
  ): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const before = await this.lock(id, expected, scope);
      const change = await decide(before);
      const written = await this.apply(before, change, this.answersAsWritten(), asked);
      return written ? this.answer(written) : answerWithMeta(await this.read(id), change.meta);
    });
  }

  /** Deletes the record and answers its last state (decision 7). `prepare` refuses, or clears the way. */
  async remove(
    id: number,
    expected: ExpectedVersions = null,
    prepare?: (before: Row<E>) => Promise<void>,
    scope: ScopeOf<E> = {},
  ): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const before = await this.lock(id, expected, scope);
      const shown = await this.read(id, scope);
      await prepare?.(before);
      await this.hooks?.beforeRemove(before);
      await unlink(this.database, this.resource, id);
      await this.write(deleteStatement(this.resource, currentWorkspaceId(), id, this.drafts('deleted')));
      await this.hooks?.afterRemove(before);
      return shown;
    });
  }

  /** The record, locked until the end of the transaction; 412, or 404 unless the caller sees one. */
  async lock(id: number, expected: ExpectedVersions = null, scope: ScopeOf<E> = {}): Promise<Row<E>> {
    const before = (await this.lockIfAny(id, scope)) ?? this.missing(id);
    requireVersion(expected, before.version);
    return before;
  }

  /** The same where there may be none; null then. */
  lockIfAny(id: number, scope: ScopeOf<E> = {}): Promise<Row<E> | null> {
    return this.row(id, scope, 'FOR UPDATE');
  }

  /** A record of this unit of work, whoever sees it. */
  private async held(id: number): Promise<Row<E>> {
    return (await this.row(id, {}, 'FOR UPDATE', '')) ?? this.missing(id);
  }

  /** The record as it is stored, not locked; null when there is none that the caller sees. */
  find(id: number): Promise<Row<E> | null> {
    return this.row(id, {}, '');
  }

  /**
   * Stores a decided change of a locked record and writes its events; null when nothing differs.
   *
   * @param last the unit of work ends here
   * @param asked the body, where there is one
   */
  async apply(before: Row<E>, change: Change<E>, last = false, asked?: object): Promise<Written | null> {
    let stored = differing(this.resource, before, change.values);
    if (this.hooks && Object.keys(stored).length > 0)
      stored = differing(this.resource, before, await this.hooks.beforeUpdate(before, stored));
    const settled = await this.kernel.settled(this.resource, before, stored);
    if (settled !== stored) stored = differing(this.resource, before, settled);
    if (Object.keys(stored).length === 0 && !change.always) return null;
    await requireReferences(this.database, this.resource, stored);
    const changes = orNone(changesOf(this.resource, before, stored));
    const { updated } = this.resource.told;
    const drafts = (change.events ?? (updated === null ? [] : [updated])).map((each) => draftOf(each, changes));
    const beside = { alongside: change.rows, quiet: change.quiet };
    const statement = updateStatement(this.resource, currentWorkspaceId(), before.id, stored, drafts, beside);
    const written = await this.write(statement, last && !this.hooks, asked);
    await this.hooks?.afterUpdate(before, () => this.held(before.id));
    return withMeta(written, change.meta);
  }

  /** Writes the events of something that happened to a record without changing it; 404 when there is none. @param quiet in the log alone */
  async announce(id: number, types: readonly string[], related: Related | null = null, quiet = false): Promise<void> {
    await this.write(this.announcement(id, types, related, quiet));
  }

  /** The same for several records that are there, in one round trip. */
  async announceEach(ids: readonly number[], types: readonly string[]): Promise<void> {
    await this.database.run(ids.map((id) => this.announcement(id, types)));
  }

  /**
   * A unit of work that no other of the workspace on the same topic runs beside: for rules over several records (a tree
   * without cycles, the last owner), which row locks cannot keep. The topic is taken before any row, and kept to the end of the
   * whole unit of work.
   *
   * @param topic the records of the resource, unless given; or what belongs to one of them
   */
  holding<T>(work: () => Promise<T>, topic = this.resource.name): Promise<T> {
    return this.database.transaction(async () => {
      await holdTopic(this.database, topic);
      return work();
    });
  }

  /** The same beside others that keep the topic, while nobody holds it: for what the rules of the records are only read for. */
  keeping<T>(work: () => Promise<T>, topic = this.resource.name): Promise<T> {
    return this.database.transaction(async () => {
      await holdTopic(this.database, topic, true);
      return work();
    });
  }

  /** The answer for a written record, re-read when the request asked for other fields or relations. */
  async answer(written: Written, status?: number): Promise<SingleResult> {
    this.shows(written.id);
    if (this.answersAsWritten()) {
      const selection = currentSelection(this.resource);
      const etag = etagOf(this.resource, selection, written.version, written.json);
      return new SingleResult(written.json, etag, status, written.meta);
    }
    const shown = await this.show(written.id);
    return new SingleResult(shown.json, shown.etag, status, written.meta);
  }

  /** What extensions do around the writes; undefined without any. */
  private get hooks(): HookChain<E> | undefined {
    return this.kernel.hooks.of(this.resource);
  }

  /** Whether the answer is the written record as it is, so that the write is the end of its unit of work. */
  answersAsWritten(): boolean {
    const { whole, expand, sight } = currentSelection(this.resource);
    return whole && expand.length === 0 && (sight === null || this.resource.sight.columns === undefined);
  }

  /** The statement of `announce`, for those who send it with others; it answers no row when there is no such record. */
  announcement(id: number, types: readonly string[], related: Related | null = null, quiet = false): Statement {
    const drafts = types.map((type) => ({ type, changes: null }));
    return eventOnlyStatement(this.resource, currentWorkspaceId(), id, drafts, { related, quiet });
  }

  private async insertion(given: Values<E>, drafts: readonly EventDraft[], beside: Beside): Promise<Statement> {
    const values = await this.kernel.settled(this.resource, null, (await this.hooks?.beforeCreate(given)) ?? given);
    await requireReferences(this.database, this.resource, values);
    return insertStatement(this.resource, currentWorkspaceId(), values, drafts, beside);
  }

  private async row(
    id: number,
    scope: ScopeOf<E>,
    lock: 'FOR UPDATE' | '',
    seen = andSeen(this.resource.name, 't'),
  ): Promise<Row<E> | null> {
    const parameters = new Parameters(currentWorkspaceId());
    const conditions = [`t.id = ${parameters.bind(id)}`, ...scopeConditions(scope, parameters, 't')];
    const text = `SELECT row_to_json(r)::text FROM (SELECT ${this.kernel.storedColumns(this.resource)} FROM ${this.resource.table} t WHERE t.workspace_id = $1 AND ${conditions.join(' AND ')}${seen} ${lock}) r`;
    const statement = filled({ text, values: parameters.values, quick: lock === '' });
    const rows = lock === '' ? await this.database.rawRead(statement) : (await this.database.rawBatch([statement]))[0];
    return ownJson(rows?.[0]?.[0] ?? 'null');
  }

  private drafts(verb: Verb): EventDraft[] {
    const type = this.resource.told[verb];
    return type === null ? [] : [{ type, changes: null }];
  }

  private async write(statement: Statement, last = false, asked?: object): Promise<Written> {
    const [written] = await this.writeAll([statement], last, asked);
    return written ?? fail('not_found', `No such ${this.resource.singular}.`);
  }

  /** What each statement wrote; those that found no record are left out. */
  private async writeAll(statements: readonly Statement[], last = false, asked?: object): Promise<Written[]> {
    try {
      const answers = await this.database.rawBatch(statements, last);
      return answers.flatMap(([row]) =>
        row ? [{ json: row[0] ?? '', id: Number(row[1]), version: Number(row[2]) }] : [],
      );
    } catch (error) {
      throw constraintError(error, this.resource, asked);
    }
  }
}
