import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentSight } from '../../platform/context/demand';
import { Database } from '../../platform/database/database';
import { ApiError, invalid, refuseProblems } from '../../platform/errors/api-error';
import type { SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { placeBehind } from '../../platform/resource/last-place';
import { parseListQuery, type RawQuery } from '../../platform/resource/read/list-query';
import { type Countable, countMany } from '../../platform/resource/read/many-counts';
import { findPage } from '../../platform/resource/read/page';
import { SavedLists } from '../../platform/resource/read/saved-lists';
import { parseSelection } from '../../platform/resource/read/selection';
import { isReadable } from '../../platform/resource/read/sight';
import type { Resource } from '../../platform/resource/resource';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import type { Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { ownJson } from '../../platform/text/json';
import { settleSharing } from '../users/sharing';
import { filterText, listOf, problemsOf, type Saved } from './view-check';
import {
  type CountsQuery,
  type CreateView,
  MAX_COUNTED,
  type UpdateView,
  type ViewCount,
  type ViewCounts,
} from './view.dto';
import { View } from './view.entity';
import { viewResource } from './view.resource';

/** Most milliseconds that all counts of an answer may take. */
const COUNTS_WITHIN_MS = 4_000;
const PARTS = ['resource', 'filters', 'sort', 'columns'] as const;

@Injectable()
export class ViewsService implements OnModuleInit {
  constructor(
    @InjectStore(View) private readonly views: Store<View>,
    private readonly database: Database,
    private readonly kernel: ResourceKernel,
    private readonly saved: SavedLists,
  ) {}

  onModuleInit(): void {
    this.saved.register((id, resource) => this.queryOf(id, resource));
  }

  create(body: CreateView): Promise<SingleResult> {
    return this.views.create(body, async (values) => {
      settleSharing(values, null);
      await this.settleList(values, partsOf(values));
      values.position ??= await placeBehind(this.database, 'views');
      return undefined;
    });
  }

  update(id: number, body: UpdateView, expected: ExpectedVersions): Promise<SingleResult> {
    return this.views.update(id, body, expected, async (before, values) => {
      settleSharing(values, before);
      // What fits no longer can still be renamed.
      if (PARTS.some((name) => values[name] !== undefined))
        await this.settleList(values, partsOf({ ...before, ...values }));
      return { values };
    });
  }

  /** How many records views have, in one statement. */
  async counts({ ids, resource }: CountsQuery): Promise<ViewCounts> {
    const views = await this.some(ids, resource);
    const counts: ViewCount[] = [];
    const asked: (Countable & { into: ViewCount })[] = [];
    for (const view of views) {
      const into: ViewCount = { id: view.id, count: null, problem: null };
      counts.push(into);
      try {
        asked.push({ into, ...countable(view, await this.kernel.named(view.resource)) });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        into.problem = error.message;
      }
    }
    const found = await countMany(this.database, asked, COUNTS_WITHIN_MS);
    for (const [index, { into }] of asked.entries()) {
      into.count = found[index] ?? null;
      if (into.count === null) into.problem = 'Counting takes too long.';
    }
    return { counts };
  }

  /** What a view asks of a list. 422 where there is no such view, or it does not fit. */
  private async queryOf(id: number, resource: Resource): Promise<RawQuery> {
    const [view] = isReadable(viewResource, currentSight()) ? await this.some([id]) : [];
    if (!view) invalid('view', 'not_found', '"view" names a view that does not exist.');
    if (view.resource !== resource.name)
      invalid('view', 'other_list', `View ${id} is one of ${view.resource}, not of ${resource.name}.`);
    const listed = await this.kernel.named(view.resource);
    const [problem] = problemsOf(view, listed);
    if (problem) invalid('view', 'outdated', `View ${id} fits the list no longer: ${problem.field} ${problem.message}`);
    return listOf(view, listed)?.query ?? {};
  }

  /** Views that the caller may see, as they are shown. */
  private async some(ids?: readonly number[], resource?: string): Promise<View[]> {
    const asked = {
      ...(ids ? { ids: ids.join(',') } : {}),
      ...(resource === undefined ? {} : { resource }),
      per_page: String(MAX_COUNTED),
    };
    const plan = parseListQuery(viewResource, asked, parseSelection(viewResource, {}));
    return ownJson<View[]>(String((await findPage(this.database, viewResource, plan, {})).text));
  }

  /** Filters are kept as texts. 422 for what the list would refuse. */
  private async settleList(values: Values<View>, saved: Saved): Promise<void> {
    refuseProblems(problemsOf(saved, await this.kernel.named(saved.resource)));
    if (values.filters === undefined) return;
    const texts = Object.entries(values.filters).map(([name, value]): [string, string] => [
      name,
      filterText(value) ?? '',
    ]);
    values.filters = Object.fromEntries(texts);
  }
}

function partsOf({ resource = 'tickets', filters = {}, sort = null, columns = [] }: Values<View>): Saved {
  return { resource, filters, sort, columns };
}

/** @throws ApiError when the view fits no list any more, or not this caller */
function countable(view: View, of: Resource | undefined): Countable {
  const [problem] = problemsOf(view, of);
  const list = listOf(view, of);
  if (problem || !list) invalid('view', 'outdated', `The view fits the list no longer: ${problem?.message ?? ''}`);
  const { resource, query } = list;
  if (!isReadable(resource, currentSight()))
    invalid('view', 'forbidden', `The list of ${resource.name} is not yours to read.`);
  return { resource, plan: parseListQuery(resource, query, parseSelection(resource, {})) };
}
