import { workspacePredicate } from '../../database/database';
import { Parameters } from '../../database/parameters';
import type { Statement } from '../../postgres/statement-batch';
import { type ListBits, listParts, pageParts } from '../../search/bits/list-sql';
import { EVERY } from '../../search/bits/value-keys';
import { CHUNK, exactKeys, type WordBits } from '../../search/bits/word-bits';
import type { Resource } from '../resource';
import type { ListPlan } from './list-query';
import { alongIndex, keyExpression, keyName, orderBy, sortKeys } from './page-order';
import { facetOf, hasRanks, rangeOf, seenFacets } from './ranked-filters';
import { JSON_TEXT, pageTemplate, recordJoin, render } from './read-plan';
import { isSought } from './search-plan';
import { filled } from './sight';
import { rowConditions, rowOf, type Scope } from './where';

/**
 * The columns of `listStatement`, of a page that is found by the bits of values: its total is null where they cannot answer after all. Null where
 * a filter asks for a value that has none, or a sort has no ranks.
 *
 * @param known keys that have bits
 * @param few as of `ListPage`
 */
export function rankedStatement(
  resource: Resource,
  plan: ListPlan,
  workspaceId: number,
  scope: Scope,
  known: ReadonlySet<string>,
  few?: number,
): Statement | null {
  const parameters = new Parameters(workspaceId);
  const asked = askedOf(resource, plan, scope, known, parameters);
  if (!asked || plan.position) return null;
  const { bits, wanted } = asked;
  const keys = sortKeys(plan);
  if (!keys.every(({ spec }) => !spec.expression && hasRanks(spec.column, bits.ranks, known))) return null;
  const last = keys.at(-1) ?? plan.sort;
  const own = keys.map(({ spec, descending }) => ({ column: spec.column, descending }));
  const sorts = keys.some(({ spec }) => spec.column === 'id')
    ? own
    : [...own, { column: 'id', descending: last.descending }];
  const page = {
    sorts,
    limit: plan.limit,
    offset: plan.offset,
    ...(few === undefined ? {} : { few }),
    columns: ['s.workspace_id', 's.id', ...keys.map((key, index) => `${keyExpression(key)} AS ${keyName(index)}`)].join(
      ', ',
    ),
    order: orderBy(plan, false, (key) => keyExpression(key), 's.id'),
  };
  const { bind } = parameters;
  const parts = [...listParts(bits, wanted, sorts, bind), ...pageParts(bits, page, bind)];
  const names = keys.map((_, index) => `i.${keyName(index)}`).join(', ');
  const rows = `SELECT i.id, ${names}, ${JSON_TEXT} FROM listed i CROSS JOIN LATERAL ${rowOf(resource, 'i', plan.seen === null ? [] : [plan.seen])} t ${recordJoin('t')}`;
  const template = `WITH RECURSIVE ${parts.join(', ')} ${pageTemplate(plan, rows, '(SELECT n FROM told)')}`;
  return { ...render(resource, plan.selection, template, parameters), unnamed: true };
}

/**
 * Rows in the order of a list among which its first pages are looked for: the last row, so many times as far as it is where what is found is evenly
 * spread, must be among them. A search looks at more of them, as dividing what it finds takes longer.
 */
const LOOKED = 2_000;
const LOOKED_FOR_WORDS = 6_000;
const SPREAD = 2;

/**
 * The same of a page at the beginning (`isNear`) of what much is left of: its total by bits, its rows from the first ones of all in the order of the list.
 * It may have fewer rows than there are: then it is to be found by ranks.
 */
export function nearStatement(
  resource: Resource,
  plan: ListPlan,
  workspaceId: number,
  scope: Scope,
  known: ReadonlySet<string>,
): Statement | null {
  const parameters = new Parameters(workspaceId);
  const asked = askedOf(resource, plan, scope, known, parameters);
  if (!asked || plan.sort.spec.expression) return null;
  const { bits, wanted } = asked;
  const { sort, limit, offset } = plan;
  const { order, conditions } = alongIndex(plan);
  const looked = plan.search ? LOOKED_FOR_WORDS : LOOKED;
  const isDense = `(SELECT n FROM counted) * ${looked} > (SELECT chunks FROM state)::bigint * ${(offset + limit) * SPREAD * CHUNK}`;
  const where = [workspacePredicate.of('s.workspace_id', '$1'), isDense, ...conditions];
  const first = `SELECT s.* FROM ${resource.table} s WHERE ${where.join(' AND ')} ORDER BY ${order} LIMIT ${looked}`;
  const all = ['true', ...wanted.conditions].join(' AND ');
  const near = `near AS MATERIALIZED (SELECT s.workspace_id, s.id, ${keyExpression(sort)} AS k FROM (${first}) s WHERE ${all} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset})`;
  const rows = `SELECT i.id, i.k, ${JSON_TEXT} FROM near i CROSS JOIN LATERAL ${rowOf(resource, 'i')} t ${recordJoin('t')}`;
  const parts = [...listParts(bits, wanted, [], parameters.bind), near];
  const template = `WITH ${parts.join(', ')} ${pageTemplate(plan, rows, '(SELECT n FROM counted)')}`;
  return { ...render(resource, plan.selection, template, parameters), unnamed: true };
}

/** How many records a list has: column `total`, null where bits cannot answer after all. Null as above. */
export function rankedTotal(
  resource: Resource,
  plan: ListPlan,
  workspaceId: number,
  scope: Scope,
  known: ReadonlySet<string>,
): Statement | null {
  const parameters = new Parameters(workspaceId);
  const text = totalByBits(resource, plan, scope, known, parameters);
  return text === null ? null : filled({ text, values: parameters.values, unnamed: true });
}

/** The same as the text of a statement that may be part of another; nothing is bound where it is null. */
export function totalByBits(
  resource: Resource,
  plan: ListPlan,
  scope: Scope,
  known: ReadonlySet<string>,
  parameters: Parameters,
): string | null {
  const asked = askedOf(resource, plan, scope, known, parameters);
  return asked && `WITH ${listParts(asked.bits, asked.wanted, [], parameters.bind).join(', ')} SELECT n FROM counted`;
}

/** The bits that are asked for a list, and for what. */
interface Asked {
  bits: WordBits;
  wanted: ListBits;
}

/** What bits are asked for a list; null where they do not know all that its filters ask for. */
function askedOf(
  resource: Resource,
  plan: ListPlan,
  scope: Scope,
  known: ReadonlySet<string>,
  parameters: Parameters,
): Asked | null {
  const bits = resource.search?.texts?.bits;
  const words = exactKeys(plan.search?.terms ?? [], known);
  if (!bits || !known.has(EVERY) || Object.keys(scope).length > 0 || !words) return null;
  const seen = seenFacets(resource, plan.seen, bits, known);
  if (!seen) return null;
  const facets = plan.filters.flatMap((filter) => facetOf(filter, bits, known) ?? []);
  const bounded = plan.filters.flatMap((filter) => {
    const range = rangeOf(filter, bits, known);
    return range ? [{ filter, range }] : [];
  });
  if (facets.length + bounded.length < plan.filters.length) return null;
  const wanted = {
    facets: [...facets, ...[...seen, ...words.map((any) => ({ any }))].map((each) => ({ ...each, not: false }))],
    ranges: bounded.map(({ range }) => range),
    ofRanges: bounded.map(({ filter }) => filter.spec.sql('s', filter.value, parameters.bind)),
    conditions: [
      ...rowConditions(plan, scope, parameters),
      ...(words.length > 0 ? [isSought(resource, plan, parameters)] : []),
    ],
  };
  return { bits, wanted };
}
