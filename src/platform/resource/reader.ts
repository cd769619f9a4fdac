// Raw rows: reads by id, the hottest path: one row, whose JSON text goes out as it came.
import { current, currentWorkspaceId } from '../context/current';
import { currentSight } from '../context/demand';
import type { Database } from '../database/database';
import { Parameters } from '../database/parameters';
import { promised } from '../database/promised';
import { fail } from '../errors/api-error';
import { type ListResult, SingleResult } from '../http/results';
import type { ScopeOf } from './read/where';
import { etagOf, type ExpectedVersions, requireVersion } from './etag';
import { answerList, type ListParams } from './read/list-answer';
import { parseListQuery } from './read/list-query';
import { readRecord, readStatement } from './read/record-plan';
import type { Resource } from './resource';
import type { ResourceKernel } from './resource-kernel';
import { currentSelection, wholeSelection } from './read/selection';
import { andSeen, filled, requireReadable, seenRows } from './read/sight';
import { ownJson } from '../text/json';

export type { ListParams } from './read/list-answer';

/** Lists and reads the records of one resource as requests ask to see them; all that a log needs. */
export class Reader<E extends object> {
  constructor(
    readonly resource: Resource<E>,
    protected readonly kernel: ResourceKernel,
  ) {}

  /** One page, with links and the exact total, or a table of all. 422 for a query that the resource does not know. */
  async list(params: ListParams, scope: ScopeOf<E> = {}): Promise<ListResult> {
    requireReadable(this.resource);
    const resource = await this.kernel.listed(this.resource, params);
    const plan = parseListQuery(resource, params.query, currentSelection(this.resource));
    return answerList(this.database, resource, plan, params, scope);
  }

  /** One record as the request asked to see it; 404 when there is none that the caller sees. */
  read(id: number, scope: ScopeOf<E> = {}): Promise<SingleResult> {
    return this.show(id, scope, seenRows(this.resource, 't', currentSight()));
  }

  /** The same, whoever sees it, e.g. what somebody has just given away. */
  protected show(id: number, scope: ScopeOf<E> = {}, seen: string | null = null): Promise<SingleResult> {
    return promised(() => {
      const selection = currentSelection(this.resource);
      const named = { id, workspaceId: currentWorkspaceId(), seen, scope };
      const shown = readRecord(this.database, this.resource, selection, named, () => this.missing(id));
      return shown.then(({ text, version }) => {
        this.shows(id);
        return new SingleResult(text, etagOf(this.resource, selection, version, text));
      });
    });
  }

  /** The whole record as GET shows it, so without private columns, whatever the request wants to see; 404 unless the caller sees it. */
  async whole(id: number): Promise<Readonly<E>> {
    const seen = seenRows(this.resource, 't', currentSight());
    const statement = readStatement(this.resource, wholeSelection(this.resource), {
      id,
      workspaceId: currentWorkspaceId(),
      seen,
    });
    const [row] = await this.database.rawRead(statement);
    return ownJson<E>(row?.[0] ?? this.missing(id));
  }

  /** Refuses with a 404 unless the record is there, and the caller sees it; with a 412 unless it is as expected. */
  async require(id: number, expected: ExpectedVersions = null): Promise<void> {
    const parameters = new Parameters(currentWorkspaceId());
    const seen = andSeen(this.resource.name, 't');
    const text = `SELECT t.version FROM ${this.resource.table} t WHERE t.workspace_id = $1 AND t.id = ${parameters.bind(id)}${seen}`;
    const [row] = await this.database.rawRead(filled({ text, values: parameters.values }));
    requireVersion(expected, Number((row ?? this.missing(id))[0]));
  }

  /** The 404 of an unknown record. */
  missing(id: number): never {
    fail('not_found', `No ${this.resource.singular.replaceAll('_', ' ')} ${id}.`);
  }

  protected get database(): Database {
    return this.kernel.database;
  }

  /** Notes that the answer tells of the record, for those who keep answers. */
  protected shows(id: number): void {
    current().transaction?.about.add(`${this.resource.table}:${id}`);
  }
}
