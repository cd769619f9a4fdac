import { bodiesOfAnswers, type Document, operationsOf, ref, type Schema } from './document';
import { canonical } from '../text/json';
import { freeName, pascal } from './naming';
import { eachInside, localOf, withInside, withoutLocal } from './walk';

/** Bytes that a reference takes, about; what saves less than this on the whole stays where it is. */
const REFERENCE = 44;
const WORTHWHILE = 60;

/** Words for values with a pattern, by its beginning. */
const PATTERNS: Readonly<Record<string, string>> = {
  '^((gt|': 'Comparison',
  '^(([01]': 'TimeOfDay',
  '^\\$': 'BatchRef',
};

interface Found {
  uses: number;
  schema: Schema;
  /** Names of the members that it is the schema of, and the record and member where it is met first. */
  members: Set<string>;
  wish: string;
}

type Count = (schema: Schema, owner: string, member: string) => void;

/** A schema outside of the components. */
interface Inline {
  schema?: Schema;
  name?: string;
}

/** What of a schema is one value with others: all of it, its words included, or what it takes. */
type Same = (schema: Schema) => Schema;

/**
 * Values that occur in many places become schemas of their own, first those that mean the same (`ExternalId`), then those
 * that take the same: `IdOrNull`, `Text255`, `AssetHostname`. Named after what they are, else after the record and member
 * where they are first met.
 */
export function hoistValues(document: Document): void {
  for (const same of [asSaid, withoutLocal, withoutLocal, withoutLocal]) if (!hoist(document, same)) return;
}

/** The whole of a schema that has words; such a one is shared by members of one name alone. */
const asSaid: Same = (schema) => (schema.description === undefined || 'default' in schema ? {} : schema);

function hoist(document: Document, same: Same): boolean {
  const { schemas, parameters } = document.components;
  const given = [
    ...Object.values(parameters),
    ...operationsOf(document).flatMap((each) => each.operation.parameters ?? []),
  ];
  const answers = bodiesOfAnswers(document);
  // The list of a parameter stays in its place: generators look there for how it is written. Answers are shared as a whole.
  const stays = ({ type }: Schema, place: object): boolean => type === 'array' || answers.includes(place);
  const found = new Map<string, Found>();
  const count: Count = (schema, owner, member) => {
    const text = canonical(same(schema));
    const known = found.get(text);
    if (known) {
      known.uses += 1;
      known.members.add(member);
    } else if (isValue(schema))
      found.set(text, { uses: 1, schema: same(schema), members: new Set([member]), wish: owner + pascal(member) });
  };
  for (const [name, schema] of Object.entries(schemas))
    walk(schema, name.replace(/^(Create|Update|New)(?=[A-Z])/, ''), '', count, true);
  const inline: Inline[] = [...given, ...answers];
  for (const each of inline)
    if (each.schema) walk(each.schema, 'Given', each.name ?? '', count, stays(each.schema, each));
  const names = new Map<string, string>();
  // Most frequent first: it gets the plain name. What is inside of what is exchanged is counted again in the next round.
  const ordered = [...found].sort(([a, one], [b, other]) => other.uses - one.uses || (a < b ? -1 : 1));
  for (const [text, { uses, schema, members, wish }] of ordered) {
    if (uses < 2 || (uses - 1) * (text.length - REFERENCE) - REFERENCE < WORTHWHILE) continue;
    if (same === asSaid && members.size > 1) continue;
    const own = members.size === 1 ? pascal([...members][0] ?? '') : wish;
    const name = freeName((schema.description === undefined ? valueName(schema) : undefined) ?? own, schemas);
    schemas[name] = schema;
    names.set(text, name);
  }
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = exchanged(schema, names, same, true);
  for (const part of inline)
    if (part.schema) part.schema = exchanged(part.schema, names, same, stays(part.schema, part));
  return names.size > 0 || same === asSaid;
}

/** Neither a reference nor an object with members, which are types of their own already. */
function isValue(schema: Schema): boolean {
  return schema.$ref === undefined && schema.properties === undefined && schema.const === undefined;
}

function walk(schema: Schema, owner: string, member: string, count: Count, top: boolean): void {
  if (!top) count(schema, owner, member);
  eachInside(schema, (inner, place, name) => {
    walk(inner, owner, place === 'member' ? name : `${member}_${place === 'item' ? 'item' : 'value'}`, count, false);
  });
}

function exchanged(schema: Schema, names: ReadonlyMap<string, string>, same: Same, top: boolean): Schema {
  const name = top || !isValue(schema) ? undefined : names.get(canonical(same(schema)));
  if (name === undefined) return withInside(schema, (inner) => exchanged(inner, names, same, false));
  return same === asSaid ? ref('schemas', name) : { ...ref('schemas', name), ...localOf(schema) };
}

/** What a value is, in a word: `IdOrNull`, `Text255`, `IdList`; undefined when it has no such word. */
function valueName(schema: Schema): string | undefined {
  const { $ref, type, items, anyOf, format, pattern, maxLength, enum: values } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1);
  const types = [type].flat();
  if (types.filter((each) => each !== 'null').length > 1) return undefined;
  const named = (name: string): string => (types.includes('null') ? `${name}OrNull` : name);
  if (anyOf) {
    const names = anyOf.map(valueName);
    return names.includes(undefined) ? undefined : names.join('Or');
  }
  if (types.includes('array')) {
    const item = items && valueName(items);
    return item === undefined ? undefined : named(`${item}List`);
  }
  if (values) return values.length < 3 ? values.map((each) => pascal(String(each))).join('Or') : undefined;
  if (types.includes('integer') && format === 'int64' && schema.minimum === 1)
    return named(schema.maximum === undefined ? 'Id' : 'GivenId');
  if (types.includes('string') && format) return named(pascal(format));
  if (types.includes('string') && typeof pattern === 'string' && pattern !== '\\S')
    return Object.entries(PATTERNS).find(([start]) => pattern.startsWith(start))?.[1];
  if (types.includes('string'))
    return named(`${pattern === undefined ? '' : 'NonBlank'}Text${typeof maxLength === 'number' ? maxLength : ''}`);
  if (types.includes('object') && schema.additionalProperties === true) return named('AnyObject');
  if (type === 'integer' && Object.keys(schema).length === 1) return 'Integer';
  return type === 'null' ? 'Null' : undefined;
}
