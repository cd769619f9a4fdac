import { current, currentWorkspaceId } from '../context/current';
import type { Database } from '../database/database';
import type { Statement } from '../database/statement-batch';
import { fail, invalid } from '../http/errors';
import { ListResult, type Meta, SingleResult } from '../http/results';
import { echoedFields } from '../http/validation-pipe';
import type { Changes, EventDraft, Related } from '../events/event-rows';
import type { Change, Creation, Row, Written } from './change';
import { sameValue, storedValue } from './column-spec';
import { constraintError } from './constraint-errors';
import { etagOf, type ExpectedVersions, requireVersion } from './etag';
import { parseListQuery, type RawQuery } from './list-query';
import { findPage } from './page';
import { pageLinks } from './page-links';
import type { Scope } from './conditions';
import { unlink } from './many-changes';
import { readStatement } from './read-plan';
import { type Resource, resourceIfAny } from './resource';
import type { ResourceKernel } from './resource-kernel';
import { currentSelection } from './selection-context';
import { deleteStatement, eventOnlyStatement, insertStatement, updateStatement, type Values } from './write-plan';

/** Where a list was asked for, so that its links can lead back. */
export interface ListParams {
  path: string;
  query: RawQuery;
}

export type { Change, Creation, Row, Written };

/** List, read, create, update and remove for one resource. Areas extend it and override the `prepare…` hooks. */
export abstract class ResourceService {
  constructor(
    readonly resource: Resource,
    protected readonly kernel: ResourceKernel,
  ) {}

  protected get database(): Database {
    return this.kernel.database;
  }

  /** One page, with links and the exact total. */
  async list({ path, query }: ListParams, scope: Scope = {}): Promise<ListResult> {
    const plan = parseListQuery(this.resource, query, currentSelection(this.resource));
    const page = await findPage(this.database, this.resource, plan, scope);
    const links = pageLinks(path, query, plan, page.total, page);
    return new ListResult(page.json, page.total, plan.limit, plan.offset, links);
  }

  /** One record as the request asked to see it; 404 when there is none. */
  async read(id: number, scope: Scope = {}): Promise<SingleResult> {
    const selection = currentSelection(this.resource);
    const rows = await this.database.read(readStatement(this.resource, selection, currentWorkspaceId(), id, scope));
    const [json, version] = rows[0] ?? this.missing(id);
    this.shows(id);
    return new SingleResult(json ?? '', etagOf(this.resource, selection, Number(version), json ?? ''));
  }

  /** Creates a record from a validated body. */
  async create(body: object): Promise<SingleResult> {
    return (await this.createKnown(body)).result;
  }

  /** The same, with the id, which the answer need not show. */
  async createKnown(body: object): Promise<{ id: number; result: SingleResult }> {
    return this.database.transaction(async () => {
      const written = await this.insert(body, null, this.answersAsWritten());
      return { id: written.id, result: await this.answer(written, 201) };
    });
  }

  /** Changes what the validated body names. */
  async update(id: number, body: object, expected: ExpectedVersions = null, scope: Scope = {}): Promise<SingleResult> {
    return this.mutate(id, expected, async (before) => this.prepareUpdate(before, this.patchFrom(body, before)), scope);
  }

  /** Deletes the record and answers its last state (decision 7). */
  async remove(
    id: number,
    expected: ExpectedVersions = null,
    options: RawQuery = {},
    scope: Scope = {},
  ): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const before = await this.lock(id, expected, scope);
      const shown = await this.read(id, scope);
      await this.prepareRemove(before, options);
      await unlink(this.database, this.resource, id);
      await this.write(deleteStatement(this.resource, currentWorkspaceId(), id, this.drafts('deleted', null)));
      return shown;
    });
  }

  /** Locks the record, lets `decide` say what changes, writes it with its events, answers the record. */
  async mutate(
    id: number,
    expected: ExpectedVersions,
    decide: (before: Row) => Promise<Change>,
    scope: Scope = {},
  ): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const before = await this.lock(id, expected, scope);
      const change = await decide(before);
      const written = await this.apply(before, change, this.answersAsWritten());
      return written ? this.answer(written) : withMeta(await this.read(id), change.meta);
    });
  }

  /**
   * Stores a decided change of a locked record and writes its events; null when nothing differs.
   *
   * @param last the unit of work ends here
   */
  protected async apply(before: Row, change: Change, last = false): Promise<Written | null> {
    const changes = this.changes(before, change.values);
    const stored = Object.fromEntries(
      Object.entries(change.values).filter(([name]) => !this.unchanged(name, before, change.values[name])),
    );
    if (Object.keys(stored).length === 0 && !change.always) return null;
    await this.checkReferences(stored);
    const announced = [...(change.events ?? []).map((type) => ({ type })), ...(change.more ?? [])];
    const drafts = announced.map((draft): EventDraft => ({ ...draft, changes }));
    const events = [...(change.silent ? [] : this.drafts('updated', changes)), ...drafts];
    const { related = null, alongside } = change;
    const written = await this.write(
      updateStatement(this.resource, currentWorkspaceId(), before.id, stored, events, related, alongside),
      last,
    );
    return change.meta ? { ...written, meta: change.meta } : written;
  }

  /**
   * Inserts a record from a validated body: defaults, then `prepareCreate`, then the row and its event.
   *
   * @param last the unit of work ends here
   */
  protected async insert(body: object, related: Related | null = null, last = false): Promise<Written> {
    const given = body as Values;
    this.refuseEchoes(body);
    const values: Values = {};
    for (const column of this.resource.columns) {
      if (column.kind === 'computed') continue;
      const value = given[column.name];
      if (value !== undefined) values[column.name] = storedValue(column, value);
      else if (column.default !== undefined) values[column.name] = column.default;
    }
    const { events = [], alongside, meta, ...more } = (await this.prepareCreate(values, given)) ?? {};
    await this.checkReferences(values);
    const drafts = [...this.drafts('created', null), ...events.map((type) => ({ type, changes: null }))];
    const told = more.related ? { ...related, ...more.related } : related;
    const written = await this.write(
      insertStatement(this.resource, currentWorkspaceId(), values, drafts, told, '', alongside),
      last,
    );
    return meta ? { ...written, meta } : written;
  }

  /** Completes the values of a new record; may answer further events and rows. Runs inside the transaction. */
  protected prepareCreate(_values: Values, _body: Values): Promise<Creation | undefined> {
    return Promise.resolve(undefined);
  }

  /** Turns the asked-for values into a change, applying the rules of the area. Runs inside the transaction. */
  protected prepareUpdate(_before: Row, values: Values): Promise<Change> {
    return Promise.resolve({ values });
  }

  /** Refuses or prepares a removal. Runs inside the transaction, the record locked. */
  protected prepareRemove(_before: Row, _options: RawQuery): Promise<void> {
    return Promise.resolve();
  }

  /** The record, locked until the end of the transaction; 404 or 412. */
  protected async lock(id: number, expected: ExpectedVersions, scope: Scope = {}): Promise<Row> {
    const extra = Object.keys(scope).map((column, index) => ` AND t.${column} = $${index + 3}`);
    const text = `SELECT row_to_json(r)::text FROM (SELECT ${this.kernel.storedColumns(this.resource)} FROM ${this.resource.table} t WHERE t.workspace_id = $1 AND t.id = $2${extra.join('')} FOR UPDATE) r`;
    const [rows] = await this.database.batch([{ text, values: [currentWorkspaceId(), id, ...Object.values(scope)] }]);
    const before = JSON.parse(rows?.[0]?.[0] ?? this.missing(id)) as Row;
    requireVersion(expected, before.version);
    return before;
  }

  /** Writes the events of something that happened to a record without changing it. */
  protected async announce(id: number, types: readonly string[], related: Related | null): Promise<void> {
    const drafts = types.map((type) => ({ type, changes: null }));
    await this.write(eventOnlyStatement(this.resource, currentWorkspaceId(), id, drafts, related));
  }

  /** The answer for a written record, re-read when the request asked for other fields or relations. */
  protected async answer(written: Written, status?: number): Promise<SingleResult> {
    this.shows(written.id);
    if (this.answersAsWritten()) {
      const selection = currentSelection(this.resource);
      const etag = etagOf(this.resource, selection, written.version, written.json);
      return new SingleResult(written.json, etag, status, written.meta);
    }
    const shown = await this.read(written.id);
    return new SingleResult(shown.json, shown.etag, status, written.meta);
  }

  /** Whether the answer is the written record as it is, so that the write is the end of its unit of work. */
  private answersAsWritten(): boolean {
    const selection = currentSelection(this.resource);
    return selection.whole && selection.expand.length === 0;
  }

  /** Notes that the answer tells of the record, for those who keep answers. */
  private shows(id: number): void {
    current().transaction?.about.add(`${this.resource.table}:${id}`);
  }

  protected missing(id: number): never {
    fail('not_found', `No ${this.resource.singular.replaceAll('_', ' ')} ${id}.`);
  }

  /** The events of a create, update or delete; an area whose records belong to another record overrides it. */
  protected drafts(verb: 'created' | 'updated' | 'deleted', changes: Changes | null): EventDraft[] {
    return [{ type: `${this.resource.singular}.${verb}`, changes }];
  }

  private async write(statement: Statement, last = false): Promise<Written> {
    try {
      const [rows] = await this.database.batch([statement], last);
      const [json, id, version] = rows?.[0] ?? fail('not_found', `No such ${this.resource.singular}.`);
      return { json: json ?? '', id: Number(id), version: Number(version) };
    } catch (error) {
      throw constraintError(error, this.resource);
    }
  }

  private patchFrom(body: object, before: Row): Values {
    for (const [name, value] of Object.entries(echoedFields(body))) {
      const column = this.resource.column.get(name);
      if (column && column.kind !== 'computed' && !sameValue(column, value, before[name])) this.refuse(name);
    }
    const given = body as Values;
    const values: Values = {};
    for (const column of this.resource.columns) {
      const value = given[column.name];
      if (value !== undefined) values[column.name] = storedValue(column, value);
    }
    return values;
  }

  private refuseEchoes(body: object): void {
    const [name] = Object.keys(echoedFields(body));
    if (name !== undefined) this.refuse(name);
  }

  private refuse(name: string): never {
    invalid(name, 'immutable', `"${name}" is set by the service and cannot be changed.`);
  }

  private unchanged(name: string, before: Row, value: unknown): boolean {
    const column = this.resource.column.get(name);
    return column
      ? sameValue(column, before[name], value)
      : JSON.stringify(before[name] ?? null) === JSON.stringify(value ?? null);
  }

  private changes(before: Row, values: Values): Changes {
    const changes: Changes = {};
    for (const [name, value] of Object.entries(values)) {
      const column = this.resource.column.get(name);
      if (!column || this.unchanged(name, before, value)) continue;
      const shown = (stored: unknown): unknown =>
        column.kind === 'timestamp' && typeof stored === 'string' ? new Date(stored).toISOString() : (stored ?? null);
      changes[name] = { from: shown(before[name]), to: shown(value) };
    }
    return changes;
  }

  private async checkReferences(values: Values): Promise<void> {
    for (const column of this.resource.columns) {
      const ids = values[column.name];
      if (column.kind !== 'references' || !Array.isArray(ids) || ids.length === 0) continue;
      const target = resourceIfAny(column.references ?? '');
      const known = target
        ? await this.database.query<{ id: number }>(
            // Held like the target of a foreign key: a record that is named here cannot be deleted meanwhile.
            `SELECT id FROM ${target.table} WHERE workspace_id = $1 AND id = ANY($2::bigint[]) ORDER BY id FOR KEY SHARE`,
            [currentWorkspaceId(), ids],
          )
        : [];
      const unknown = ids.find((id) => !known.some((row) => row.id === id)) as number | undefined;
      if (unknown !== undefined)
        invalid(column.name, 'not_found', `"${column.name}" names ${unknown}, which does not exist.`);
    }
  }

  /** Who is acting, for rules that depend on it. */
  protected actingUserId(): number | null {
    return current().access?.token.user_id ?? null;
  }
}

function withMeta(shown: SingleResult, meta: Meta | undefined): SingleResult {
  return meta ? new SingleResult(shown.json, shown.etag, shown.status, { ...shown.meta, ...meta }) : shown;
}
