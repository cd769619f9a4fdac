import type { Sight } from '../../../platform/context/principal';
import { invalid } from '../../../platform/errors/api-error';
import type { FilterSpec } from '../../../platform/query/filters';
import { idOr } from '../../../platform/query/values';
import { isOneOf } from '../../../platform/text/json';
import { VISIBILITIES, type Visibility } from './article-values';

/** What an audience may see: a customer what the public sees, and an agent everything. */
function visibleFor(audience: Visibility): readonly Visibility[] {
  return VISIBILITIES.slice(0, VISIBILITIES.indexOf(audience) + 1);
}

/**
 * SQL condition: the article is for this audience, and so is every category above it. What is for some companies is not for the public,
 * of whom nobody knows where they belong; of customers `for_company` tells it. Nothing about being published.
 *
 * @param article alias of `kb_articles`
 */
function visibleTo(article: string, audience: Visibility): string {
  if (audience === 'internal') return 'TRUE';
  const forAll = audience === 'public' ? ` AND ${article}.company_ids = '{}'` : '';
  return `${article}.visibility IN (${listFor(audience)})${forAll} AND ${inCategoryFor(audience, article, 'category_id')}`;
}

/** SQL condition: the category that a column names, if any, is for this audience, and so is every one above it. */
function inCategoryFor(audience: Visibility, row: string, column: 'category_id' | 'id'): string {
  const list = listFor(audience);
  const above = (child: string, parent: string): string =>
    `LEFT JOIN kb_categories ${parent} ON ${parent}.workspace_id = ${child}.workspace_id AND ${parent}.id = ${child}.parent_id`;
  return (
    `NOT EXISTS (SELECT FROM kb_categories c1 ${above('c1', 'c2')} ${above('c2', 'c3')} ` +
    `WHERE c1.workspace_id = ${row}.workspace_id AND c1.id = ${row}.${column} ` +
    `AND (c1.visibility NOT IN (${list}) OR c2.visibility NOT IN (${list}) OR c3.visibility NOT IN (${list})))`
  );
}

function listFor(audience: Visibility): string {
  return visibleFor(audience)
    .map((each) => `'${each}'`)
    .join(', ');
}

/** Articles that a caller with limits sees: published ones without `kb.drafts`, no internal ones without `kb.internal`. */
export function seenArticles(sight: Sight, article: string): string | null {
  const conditions = [
    ...(sight.allows('kb.drafts') ? [] : [`${article}.status = 'published'`]),
    ...(sight.allows('kb.internal') ? [] : [visibleTo(article, 'customers')]),
  ];
  return conditions.length === 0 ? null : `(${conditions.join(' AND ')})`;
}

/** Categories likewise. */
export function seenCategories(sight: Sight, category: string): string | null {
  return sight.allows('kb.internal') ? null : inCategoryFor('customers', category, 'id');
}

/** What an article was while it was a draft or internal is for those who would have seen it then. */
export function seesAllArticles(sight: Sight): boolean {
  return sight.allows('kb.drafts') && sight.allows('kb.internal');
}

/** Categories likewise. */
export function seesAllCategories(sight: Sight): boolean {
  return sight.allows('kb.internal');
}

/** `visible_to=customers` */
export const visibleToFilter: FilterSpec<Visibility> = {
  schema: { type: 'string', enum: [...VISIBILITIES], example: 'customers' },
  description:
    'What this audience may see, by the visibility of the article and of the categories above it: `customers` see what the `public` sees and more, `internal` is everything. The `public` sees nothing that is for some companies (`company_ids`). Combine with `is_live=true` for a help centre, for customers with `for_company`, too.',
  parse: (raw, name) => {
    const allowed = VISIBILITIES;
    if (!isOneOf(allowed, raw)) invalid(name, 'enum', `"${name}" must be one of ${allowed.join(', ')}.`, { allowed });
    return raw;
  },
  sql: (alias, value) => `(${visibleTo(alias, value)})`,
};

/** `for_company=7` */
export const forCompanyFilter: FilterSpec = {
  schema: idOr([]),
  description: 'What people of this company may see: articles for everybody, and those for this company.',
  parse: (raw, name) => {
    const id = /^[1-9]\d{0,15}$/.test(raw) ? Number(raw) : NaN;
    return Number.isSafeInteger(id) ? id : invalid(name, 'type', `"${name}" must be the id of a company.`);
  },
  sql: (alias, value, bind) => `(${alias}.company_ids = '{}' OR ${alias}.company_ids @> ARRAY[${bind(value)}::bigint])`,
};
