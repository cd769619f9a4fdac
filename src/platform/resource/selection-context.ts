import { current } from '../context/current';
import type { Resource } from './resource';
import { type Selection, wholeSelection } from './selection';

const selections = new WeakMap<object, { resource: Resource; selection: Selection }>();

/** Keeps the selection of the request, for every answer that shows a record of `resource`. */
export function rememberSelection(context: object, resource: Resource, selection: Selection): void {
  selections.set(context, { resource, selection });
}

/** What the current request asked to see of `resource`: all of it unless the request said otherwise. */
export function currentSelection(resource: Resource): Selection {
  const remembered = selections.get(current());
  return remembered?.resource === resource ? remembered.selection : wholeSelection(resource);
}
