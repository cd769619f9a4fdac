import { LRUCache } from 'lru-cache';
import { invalid } from '../../errors/api-error';
import { CUSTOM_FIELDS, fieldPath } from '../../fields/field-definition';
import type { Resource } from '../resource';
import { current } from '../../context/current';
import { currentSight } from '../../context/demand';
import type { Sight } from '../../context/principal';

/** What of a record the client asked for. */
export interface Selection {
  /** Column names, in the resource's order. */
  fields: readonly string[];
  /** Keys of `custom_fields` that are asked for, where `custom_fields` as such is not; null = all that it has. */
  keys: readonly string[] | null;
  /** Relation names. */
  expand: readonly string[];
  /** True when every column is selected. */
  whole: boolean;
  /** Limits like those of whoever asked; null = none. */
  sight: Sight | null;
}

const whole = new WeakMap<Resource, Selection>();

/** Selections by what was asked, so that the statements made for one serve every request that asks the same. */
const parsed = new WeakMap<Resource, LRUCache<string, Selection>>();
const MAX_PARSED = 200;

/** All columns, no relation, without limits. */
export function wholeSelection(resource: Resource): Selection {
  let selection = whole.get(resource);
  if (!selection) {
    const fields = resource.columns.map((column) => column.name);
    selection = { fields, keys: null, expand: [], whole: true, sight: null };
    whole.set(resource, selection);
  }
  return selection;
}

/**
 * Parses `fields`, `expand` and its alias `include`; unknown names are a 422 listing the allowed ones.
 *
 * @param resource as the workspace has it (`ResourceKernel.selected`) where `fields` names custom fields
 */
export function parseSelection(resource: Resource, query: Readonly<Record<string, string | undefined>>): Selection {
  const { fields, expand, include } = query;
  const sight = currentSight();
  if (!sight && fields === undefined && expand === undefined && include === undefined) return wholeSelection(resource);
  if (expand !== undefined && include !== undefined) {
    invalid('include', 'conflict', '"include" is an alias of "expand"; use only one of them.');
  }
  const cache = parsed.get(resource) ?? new LRUCache<string, Selection>({ max: MAX_PARSED });
  parsed.set(resource, cache);
  const key = JSON.stringify([fields, expand ?? include, sight?.key]);
  const known = cache.get(key);
  if (known) return known;
  const asked = readSelection(resource, fields, expand === undefined ? 'include' : 'expand', expand ?? include);
  const selection = { ...asked, sight };
  cache.set(key, selection);
  return selection;
}

function readSelection(
  resource: Resource,
  fields: string | undefined,
  relationParameter: string,
  relationNames: string | undefined,
): Omit<Selection, 'sight'> {
  const everything = wholeSelection(resource);
  const relations = Object.keys(resource.expand);
  const asked = namesIn(relationParameter, relationNames, relations);
  if (fields === undefined) return { fields: everything.fields, keys: null, expand: asked, whole: true };
  const defined = resource.defined.map(fieldPath);
  const names = new Set(namesIn('fields', fields, [...everything.fields, ...relations, ...defined]));
  const bare = relations.find((name) => names.has(name) && !asked.includes(name));
  if (bare !== undefined) {
    const message = `"fields" names "${bare}", which records have only with "expand=${bare}".`;
    invalid('fields', 'unknown_field', message, { allowed: [...everything.fields, ...asked, ...defined] });
  }
  const keys = resource.defined.filter((field) => names.has(fieldPath(field))).map(({ key }) => key);
  const isPart = keys.length > 0 && !names.has(CUSTOM_FIELDS);
  if (isPart) names.add(CUSTOM_FIELDS);
  return {
    fields: everything.fields.filter((name) => names.has(name)),
    keys: isPart ? keys : null,
    expand: asked,
    whole: false,
  };
}

function namesIn(parameter: string, raw: string | undefined, allowed: readonly string[]): string[] {
  if (raw === undefined) return [];
  const names = raw.split(',', allowed.length * 2 + 2).map((name) => name.trim());
  const unknown = names.find((name) => !allowed.includes(name));
  if (unknown !== undefined) {
    const shown = unknown.slice(0, 80);
    invalid(
      parameter,
      `unknown_${parameter === 'fields' ? 'field' : 'relation'}`,
      `"${parameter}" names "${shown}", which does not exist.`,
      { allowed },
    );
  }
  return [...new Set(names)];
}

const selections = new WeakMap<object, Map<Resource, Selection>>();

/** Keeps the selection of the request, for every answer that shows a record of `resource`. */
export function rememberSelection(context: object, resource: Resource, selection: Selection): void {
  const kept = selections.get(context) ?? new Map<Resource, Selection>();
  selections.set(context, kept.set(resource, selection));
}

/** What the current request asked to see of `resource`: all of it unless the request said otherwise. */
export function currentSelection(resource: Resource): Selection {
  return selections.get(current())?.get(resource) ?? parseSelection(resource, {});
}

/** Lets answers show of `other`, too, no more than what was asked for of `resource`, as far as it has that. */
export function selectLikewise(resource: Resource, other: Resource): void {
  const { whole: isWhole, fields: names, keys } = currentSelection(resource);
  if (isWhole) return;
  const everything = parseSelection(other, {});
  const fields = everything.fields.filter((name) => names.includes(name));
  rememberSelection(current(), other, { ...everything, fields, keys, whole: false });
}
