import type { Type } from '@nestjs/common';
import { columnsOf, type ColumnSpec, selectExpression } from '../columns/column-spec';
import type { Permission } from '../context/permission-table';
import type { Sight } from '../context/principal';
import type { FieldDefinition } from '../fields/field-definition';
import { commonFilters } from '../query/common-filters';
import { type AnyFilter, type Bind, columnFilter, type FilterSpec } from '../query/filters';
import type { KeyType } from '../query/nulls-last';
import type { WordBits } from '../search/bits/word-bits';
import type { Term } from '../search/terms';
import type { Beside } from './beside';
import type { RelationSpec } from './relation-spec';
import type { SightSpec } from './sight-spec';

/** What happens to a record. */
export type Verb = 'created' | 'updated' | 'deleted';

/** Names of what an entity has: columns, private ones among them, and computed properties. */
type Shown<E> = keyof E & string;

export interface ResourceSpec<E extends object> {
  /** Plural, as in the path and in `references`. */
  name: string;
  /** Singular: the `object` of events, and the prefix of their types. */
  singular: string;
  /** Its records in words, where its names are none: `{ one: 'SLA policy', many: 'SLA policies' }`. */
  called?: Called;
  table: string;
  /** View with the columns of the table, where lists show less than may be read by id; the table itself where that is a view. */
  listed?: string;
  /** Sortable names; a string stands for itself, a pair maps to another (ranked, private) column. */
  sort: Record<string, SortSpec & { column: Shown<E> | `${Shown<E>}_rank` }>;
  /** `-created_at` unless given. */
  defaultSort?: string;
  /** Columns that filter by equality (comma = OR, `none` = null, `me` for users). */
  filter: readonly Shown<E>[];
  /** Filters beyond equality. */
  where?: Record<string, FilterSpec<unknown, Shown<E>>>;
  /** Searchable with `q`: the view that exposes `search_text` outside row-level security (see migrations/support/v1). */
  search?: SearchSpec;
  expand?: Record<string, Exclude<RelationSpec, { one: string }> | { one: string; by: Shown<E> }>;
  /**
   * Events of its changes, where they are not `<singular>.created`, `.updated` and `.deleted`; null where there are none of
   * its own, because the record that it belongs to tells of them.
   */
  told?: Readonly<Record<Verb, string>> | null;
  /** True for append-only logs: no external id, no updates, so none of their filters and sorts. */
  log?: boolean;
  /** Columns (at most 3, all filters) whose combinations are counted beforehand; enables flat totals. */
  counters?: readonly Shown<E>[];
  /** Columns with an index of the records without a value, newest first. */
  lacking?: readonly Shown<E>[];
  /** Which of its records callers see; to every list, read and change the rest is not there. */
  sight?: SightSpec<Shown<E>>;
  /** Rows of other tables, of what its records undergo because of another record (`changeMany`): SQL over `t`, as they are written. */
  beside?: Beside;
  /** What messages to people say of its records; without it they name them by kind and id and lead nowhere. */
  notice?: NoticeSpec<Shown<E>>;
  /** View of `id`, `custom_fields` and indexed `terms` (`fieldsIndex` of the migrations), by which custom fields filter; without it every record is looked at. */
  fields?: string;
}

/** What one and several records are called. */
export type Called = Readonly<Record<'one' | 'many', string>>;

/** How messages to people (mail, chat) name a record, and where it is. */
export interface NoticeSpec<Column extends string = string> {
  /** Path of the records below the prefix, e.g. `/crm/deals`. */
  path: string;
  /** Columns whose texts make up the title, in this order. */
  title?: readonly Column[];
}

/** A relation made of SQL. */
export type SqlRelation = Extract<RelationSpec, { sql: unknown }>;

/** How a resource is searched: every term is among the words of `search_text`, unless the area knows better. */
export interface SearchSpec {
  /** All columns, `search_text` (a line of words) and `lexemes`, usable by the index of words (`searchableByWords`). */
  view: string;
  /** What the text is made of, for the documentation. */
  over: readonly string[];
  /**
   * Where the words stand apart from the rows: a view of `workspace_id`, `id`, `search_text`, `lexemes` and one column that lists
   * are sorted by. Its own condition on the workspace must be of no use to an index (`workspace_id + 0 = …`). `bits`: what common
   * words of large workspaces are found by.
   */
  texts?: { view: string; sortedBy: string; bits?: WordBits };
  /** The area finds by itself: FROM item with all columns of exactly what is found; `$1` is the workspace. */
  found?: (search: Search, bind: Bind) => string;
  /**
   * Set where `found` has the `relevance` of what is found (integer, the higher the better): searches can be sorted by
   * it, and are unless `sort` says otherwise. One sentence or two for the documentation of `q`.
   */
  ranked?: string;
}

/** What is searched for. */
export interface Search {
  /** As it was typed. */
  text: string;
  terms: readonly Term[];
}

/** Sort key of a column. `nulls` are always last. */
export interface SortSpec {
  column: string;
  /** SQL over a row in place of the column, for which there is no index: lists are sorted by it up to `most` records. */
  expression?: (row: string) => string;
  most?: number;
  /** SQL type of the key, for keyset positions. */
  type: KeyType;
  nullable?: boolean;
  /** No two records of a workspace have the same: nothing breaks ties, so an index of the column alone has the order. */
  unique?: boolean;
  /**
   * Of a nullable moment or day: `one` index of the column as it is, for both directions; those without a value are read behind those
   * with one. Otherwise two, of what stands for no value in each direction (`nullableSortIndexes`), and one scan.
   */
  indexes?: 'one';
}

export interface Resource<E extends object = object> {
  name: string;
  /** The permission that its records are read with; known once the areas are installed. */
  reading: Permission;
  sight: SightSpec;
  singular: string;
  called: Called;
  table: string;
  listed: string | undefined;
  sort: Readonly<Record<string, SortSpec>>;
  defaultSort: string;
  /** Types of the events of its changes, null where nothing is told. */
  told: Readonly<Record<Verb, string | null>>;
  entity: Type<E>;
  columns: readonly ColumnSpec[];
  column: ReadonlyMap<string, ColumnSpec>;
  filters: ReadonlyMap<string, AnyFilter>;
  search: SearchSpec | undefined;
  expand: Readonly<Record<string, RelationSpec>>;
  counters: readonly string[] | null;
  lacking: readonly string[];
  beside: Beside | undefined;
  notice: NoticeSpec | null;
  /** See `ResourceSpec.fields`. */
  fields: string | undefined;
  /** Custom fields that lists know by name: those of a workspace (`withFields`); none as it is declared. */
  defined: readonly FieldDefinition[];
  /** True when some column is computed, so that the row's version alone does not identify the representation. */
  hasComputed: boolean;
}

const registry = new Map<string, Resource>();

/** Declares a resource, which an area then names: from this follow list, filter, sort, fields, expand, ETag, OpenAPI and the contract tests. */
export function defineResource<E extends object>(entity: Type<E>, spec: ResourceSpec<E>): Resource<E> {
  const columns = columnsOf(entity);
  const column = new Map(columns.map((item) => [item.name, item]));
  const filters = new Map<string, AnyFilter>(
    commonFilters.filter(([name]) => !spec.log || !/^(external_id|updated_)/.test(name)),
  );
  for (const name of spec.filter) {
    const item = column.get(name);
    if (!item) throw new Error(`${spec.name}: filter "${name}" is not a column.`);
    filters.set(name, columnFilter(item));
  }
  for (const [name, filter] of Object.entries(spec.where ?? {})) filters.set(name, filter);
  const told = (verb: Verb): string | null =>
    spec.told === null ? null : (spec.told?.[verb] ?? `${spec.singular}.${verb}`);
  const resource: Resource<E> = {
    name: spec.name,
    reading: `${spec.name}.read`,
    sight: spec.sight ?? {},
    singular: spec.singular,
    called: spec.called ?? { one: spec.singular.replaceAll('_', ' '), many: spec.name.replaceAll('_', ' ') },
    table: spec.table,
    listed: spec.listed,
    sort: { ...(spec.log ? logSort : commonSort), ...spec.sort },
    defaultSort: spec.defaultSort ?? '-created_at',
    told: { created: told('created'), updated: told('updated'), deleted: told('deleted') },
    entity,
    columns,
    column,
    filters,
    search: spec.search,
    expand: spec.expand ?? {},
    counters: spec.counters ?? null,
    lacking: spec.lacking ?? [],
    beside: spec.beside,
    notice: spec.notice ?? null,
    fields: spec.fields,
    defined: [],
    hasComputed: columns.some((item) => item.kind === 'computed'),
  };
  return resource;
}

/** Makes these resources known by their names, and no others. @throws Error when two have one name */
export function installResources(resources: readonly Resource[]): void {
  registry.clear();
  for (const resource of resources) {
    if (registry.has(resource.name)) throw new Error(`There are two resources called "${resource.name}".`);
    registry.set(resource.name, resource);
  }
}

type AddedFilter = readonly [name: string, filter: AnyFilter];
const watchers = new Map<Resource, ((added: AddedFilter) => void)[]>();

/** Tells of every filter that a resource is given later (`extendResource`). */
export function watchFilters(resource: Resource, watcher: (added: AddedFilter) => void): void {
  watchers.set(resource, [...(watchers.get(resource) ?? []), watcher]);
}

/** Takes in columns that the entity of a resource was given since, and what lists can do with them. */
export function extendResource(
  resource: Resource,
  filters: readonly AddedFilter[],
  sort: Readonly<Record<string, SortSpec>>,
): void {
  const columns = columnsOf(resource.entity);
  const widened = resource as { -readonly [Name in keyof Resource]: Resource[Name] };
  widened.columns = columns;
  widened.column = new Map(columns.map((item) => [item.name, item]));
  widened.hasComputed = columns.some((item) => item.kind === 'computed');
  widened.sort = { ...resource.sort, ...sort };
  widened.filters = new Map([...resource.filters, ...filters]);
  for (const added of filters) for (const watcher of watchers.get(resource) ?? []) watcher(added);
}

const logSort: Record<string, SortSpec> = {
  id: { column: 'id', type: 'bigint' },
  created_at: { column: 'created_at', type: 'timestamptz' },
};

const commonSort: Record<string, SortSpec> = {
  ...logSort,
  updated_at: { column: 'updated_at', type: 'timestamptz' },
};

/** The resource of that name, or undefined when its area is not installed. */
export function resourceIfAny(name: string): Resource | undefined {
  return registry.get(name);
}

/** The resource whose records are called so in events and conditions, or undefined. */
export function resourceOfObject(singular: string): Resource | undefined {
  return allResources().find((resource) => resource.singular === singular);
}

/** Every resource, in the order of the areas. */
export function allResources(): Resource[] {
  return [...registry.values()];
}

/** Boot check: every name used by a resource exists. Throws one error listing all that do not. */
export function checkResources(): void {
  const problems: string[] = [];
  for (const resource of registry.values()) {
    for (const [name, relation] of Object.entries(resource.expand)) {
      const target = 'one' in relation ? relation.one : 'many' in relation ? relation.many : null;
      if (target !== null && !registry.has(target)) problems.push(`${resource.name}.expand.${name} -> ${target}`);
      if ('many' in relation && registry.get(relation.many)?.column.has(relation.by) === false)
        problems.push(`${resource.name}.expand.${name} by ${relation.by}`);
      if ('many' in relation && relation.counted !== undefined && !isStored(resource, relation.counted))
        problems.push(`${resource.name}.expand.${name} counted ${relation.counted}`);
    }
    for (const name of resource.counters ?? []) {
      if (!resource.filters.has(name)) problems.push(`${resource.name}.counters.${name} is not a filter`);
    }
  }
  if (problems.length) throw new Error(`Unknown names in resource declarations: ${problems.join('; ')}`);
}

/** Whether a column of that name is in the table, not computed. */
function isStored(resource: Resource, name: string): boolean {
  const column = resource.column.get(name);
  return column !== undefined && column.sql === undefined;
}

/** Comma-separated select list of the named columns, as somebody with limits sees them (`sight`), or as they are. */
export function selectList(
  resource: Resource,
  names: readonly string[],
  alias: string,
  sight: Sight | null = null,
): string {
  return names.map((name) => `${shownExpression(resource, name, alias, sight)} AS ${name}`).join(', ');
}

/** What is shown of one column to whoever has that sight, as an expression. */
export function shownExpression(resource: Resource, name: string, alias: string, sight: Sight | null): string {
  const column = resource.column.get(name);
  if (!column) throw new Error(`${resource.name} has no column "${name}".`);
  const shown = sight && resource.sight.columns?.[name]?.(sight, alias);
  return shown ?? selectExpression(column, alias);
}
