import { LRUCache } from 'lru-cache';
import { workspacePredicate } from '../../database/database';
import { type Statement, statementName } from '../../postgres/statement-batch';
import { listConditions, type Scope, scopeConditions, searchesTexts, sourceOf, termConditions } from './where';
import { relationColumns } from './expand';
import type { ListPlan } from './list-query';
import { keysetConditions, type PageOrder, pageOrder, scanOrder, slice, sortKey } from './page-order';
import { Parameters } from '../parameters';
import { type Resource, selectList } from '../resource';
import type { Selection } from './selection';
import { totalExpression } from './totals';

/** Newest texts looked through before the index is asked: a common word fills its page from them. */
const RECENT_TEXTS = 3_000;

/** Select list of a record as the client asked for it, over `alias`. */
function recordSelect(resource: Resource, selection: Selection, alias: string): string {
  const relations = selection.expand.map((name) => relationColumns(resource, name, alias));
  return [selectList(resource, selection.fields, alias), ...relations].filter((part) => part !== '').join(', ');
}

const RECORD_JOIN = /\{record ([a-z])\}/g;
const MAX_TEXTS = 300;
const texts = new WeakMap<Selection, LRUCache<string, NamedText>>();

interface NamedText {
  text: string;
  name: string;
}

/** Stands for the join that yields the record as `r` over `alias`; `render` puts it in. */
const recordJoin = (alias: string): string => `{record ${alias}}`;

/**
 * The complete text of a statement, and its name. What a template becomes depends on the selection alone, so the long
 * part (the select list) is put together once per template and selection, not once per request.
 */
function render(resource: Resource, selection: Selection, template: string): NamedText {
  const known = texts.get(selection) ?? new LRUCache<string, NamedText>({ max: MAX_TEXTS });
  texts.set(selection, known);
  let rendered = known.get(template);
  if (!rendered) {
    const text = template.replace(
      RECORD_JOIN,
      (_marker, alias: string) => `CROSS JOIN LATERAL (SELECT ${recordSelect(resource, selection, alias)}) r`,
    );
    rendered = { text, name: statementName(text) };
    known.set(template, rendered);
  }
  return rendered;
}

/** One record by id: columns `body`, `version`. */
export function readStatement(
  resource: Resource,
  selection: Selection,
  workspaceId: number,
  id: number,
  scope: Scope = {},
): Statement {
  const parameters = new Parameters(workspaceId);
  const conditions = [
    workspacePredicate.of('t.workspace_id', '$1'),
    `t.id = ${parameters.bind(id)}`,
    ...scopeConditions(scope, parameters, 't'),
  ];
  const template = `SELECT row_to_json(r)::text, t.version FROM ${resource.table} t ${recordJoin('t')} WHERE ${conditions.join(' AND ')}`;
  return { ...render(resource, selection, template), values: parameters.values };
}

/**
 * A page of a list in one statement: columns `json` (array text), `first_key`, `first_id`, `last_key`, `last_id`,
 * `rows`, `total`. Rows are found by an index in sort order (keyset position, or offset from the nearer end when the
 * total is known), then turned into JSON by PostgreSQL.
 *
 * @param knownTotal the total when it was read before; null to read it here
 * @param recentTexts look only through the newest texts; the page may then be short
 */
export function listStatement(
  resource: Resource,
  plan: ListPlan,
  workspaceId: number,
  scope: Scope,
  knownTotal: number | null,
  recentTexts = false,
): Statement {
  const parameters = new Parameters(workspaceId);
  const page = pageOrder(plan, knownTotal);
  const rows = recentTexts
    ? joined(resource, recentIds(resource, plan, page, parameters))
    : pageRows(resource, plan, page, parameters, scope);
  const total = knownTotal === null ? `(${totalExpression(resource, plan, parameters, scope)})` : String(knownTotal);
  const forward = plan.sort.descending ? 'DESC' : 'ASC';
  const order = `ORDER BY x.k ${forward}, x.id ${forward}`;
  const edge = (index: string): string =>
    `(array_agg(x.k::text ${order}))[${index}], (array_agg(x.id ${order}))[${index}]`;
  const template = `SELECT '[' || coalesce(string_agg(x.j, ',' ${order}), '') || ']', ${edge('1')}, ${edge('count(*)')}, count(*), ${total} FROM (${rows}) x`;
  const isCounted = plan.filters.every((filter) => resource.counters?.includes(filter.name));
  return {
    ...render(resource, plan.selection, template),
    values: parameters.values,
    unnamed: plan.terms.length > 0 || page.offset > 0 || !isCounted,
  };
}

/** Rows `id`, `k` (sort key), `j` (JSON text) of a page. */
function pageRows(resource: Resource, plan: ListPlan, page: PageOrder, parameters: Parameters, scope: Scope): string {
  const texts = searchesTexts(resource, plan, scope);
  const source = texts ? (resource.search?.texts ?? resource.table) : sourceOf(resource, plan, parameters);
  const where = [
    ...listConditions(resource, plan, parameters, scope, 's'),
    ...keysetConditions(plan, page, parameters, 's'),
  ].join(' AND ');
  const tail = `WHERE ${where} ORDER BY ${scanOrder(plan, page, 's')} ${slice(page)}`;
  if (source === resource.table && page.offset === 0) {
    return `SELECT s.id, ${sortKey(plan, 's')} AS k, row_to_json(r)::text AS j FROM ${source} s ${recordJoin('s')} ${tail}`;
  }
  return joined(resource, `SELECT s.id, ${sortKey(plan, 's')} AS k FROM ${source} s ${tail}`);
}

/** Ids of a search's page among the newest texts: what a common word needs. */
function recentIds(resource: Resource, plan: ListPlan, page: PageOrder, parameters: Parameters): string {
  const where = [workspacePredicate.of('s.workspace_id', '$1'), ...keysetConditions(plan, page, parameters, 's')].join(
    ' AND ',
  );
  const texts = resource.search?.texts ?? resource.table;
  const newest = `SELECT s.id, s.created_at, s.search_text FROM ${texts} s WHERE ${where} ORDER BY ${scanOrder(plan, page, 's')} LIMIT ${RECENT_TEXTS}`;
  const found = termConditions(plan.terms, parameters, 's').join(' AND ');
  return `SELECT s.id, s.created_at AS k FROM (${newest}) s WHERE ${found} ORDER BY ${scanOrder(plan, page, 's')} ${slice(page)}`;
}

/** The records behind ids, read from the table under row-level security. */
function joined(resource: Resource, ids: string): string {
  return `SELECT i.id, i.k, row_to_json(r)::text AS j FROM (${ids}) i JOIN ${resource.table} t ON t.id = i.id AND ${workspacePredicate.of('t.workspace_id', '$1')} ${recordJoin('t')}`;
}
