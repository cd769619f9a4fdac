import { ListResult } from '../../http/results';
import { parsePaging } from './list-query';
import { pageLinks } from './page-links';
import type { ListParams } from '../reader';

/** One page of a list that is known by heart, e.g. a catalogue, in the envelope of all lists. */
export function plainList({ path, query }: ListParams, items: readonly object[]): ListResult {
  const paging = parsePaging(query);
  const { limit, offset } = paging;
  const links = pageLinks(path, query, paging, items.length);
  return new ListResult(JSON.stringify(items.slice(offset, offset + limit)), items.length, limit, offset, links);
}
