import type { PageLinks } from '../../http/results';
import { type ListPlan, type Paging, type RawQuery, sortText, withoutPage } from './list-query';
import type { PageEdges } from './page-row';
import { encodePosition } from './position';

const NO_EDGES: PageEdges = { first: null, last: null };

/**
 * Links of a page, relative to the host, keeping every other parameter. `next` and `prev` carry a position besides the
 * offset, so that following them costs the same at any depth.
 */
export function pageLinks(
  path: string,
  query: RawQuery,
  plan: Paging & Partial<Pick<ListPlan, 'sort' | 'further'>>,
  total: number,
  edges: PageEdges = NO_EDGES,
): PageLinks {
  const { limit, offset } = plan;
  const base = keptParameters(path, query);
  const at = (start: number, position?: string): string => {
    const place =
      plan.dialect === 'page'
        ? `page=${Math.floor(start / limit) + 1}&per_page=${limit}`
        : `offset=${start}&limit=${limit}`;
    return position === undefined ? `${base}${place}` : `${base}${place}&position=${position}`;
  };
  const beside = (direction: 'after' | 'before', edge: PageEdges['first']): string | undefined =>
    edge && plan.sort
      ? encodePosition({ ...edge, direction, sort: sortText({ sort: plan.sort, further: plan.further ?? [] }) })
      : undefined;
  const lastStart = total === 0 ? 0 : Math.floor((total - 1) / limit) * limit;
  const previous = Math.max(0, offset - limit);
  const hasNext = offset + limit < total;
  return {
    first: at(0),
    next: hasNext ? at(offset + limit, beside('after', edges.last)) : null,
    prev:
      offset === 0
        ? null
        : previous === 0 || offset > total
          ? at(Math.min(previous, lastStart))
          : at(previous, beside('before', edges.first)),
    last: at(lastStart),
  };
}

/** Path and every parameter that is not about the page, ready for more. */
function keptParameters(path: string, query: RawQuery): string {
  const kept = withoutPage(query);
  return kept.length === 0 ? `${path}?` : `${path}?${new URLSearchParams(kept).toString()}&`;
}
