import { collected } from '../../platform/area/collected';
import type { IndexedGroup, SearchGroup } from '../../platform/area/search-group';

/** What is searched, in the order of the answer. */
export const searchGroups = collected(({ search }) => search);

/** Whether the group is searched by its index here, rather than by a statement of its area. */
export function isIndexed(group: SearchGroup): group is IndexedGroup {
  return 'view' in group;
}
