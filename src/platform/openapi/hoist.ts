import { type Document, operationsOf, ref, type Schema } from './document';
import { canonical, freeName, pascal } from './naming';

/** Members that belong to the place rather than to the type. */
const LOCAL = ['description', 'example', 'default', 'readOnly'];

/** Bytes that a reference takes, about; what saves less than this on the whole stays where it is. */
const REFERENCE = 44;
const WORTHWHILE = 60;

/** Words for values with a pattern, by its beginning. */
const PATTERNS: Readonly<Record<string, string>> = { '^((': 'Comparison', '^\\$': 'BatchRef', '^\\d': 'TimeOfDay' };

interface Found {
  uses: number;
  schema: Schema;
  /** Names of the members that it is the schema of, and the record and member where it is met first. */
  members: Set<string>;
  wish: string;
}

type Count = (schema: Schema, owner: string, member: string) => void;

/**
 * Bounds of values that occur in many places become schemas of their own: `IdOrNull`, `Text255`, `AssetHostname`. Named after
 * what they are, else after the record and member where they are first met.
 */
export function hoistValues(document: Document): void {
  const { schemas, parameters } = document.components;
  const places = [
    ...Object.values(parameters),
    ...operationsOf(document).flatMap((each) => each.operation.parameters ?? []),
  ];
  for (let round = 0; round < 3; round += 1) {
    const found = new Map<string, Found>();
    const count: Count = (schema, owner, member) => {
      const text = canonical(bare(schema));
      const known = found.get(text);
      if (known) {
        known.uses += 1;
        known.members.add(member);
      } else if (isValue(schema))
        found.set(text, { uses: 1, schema: bare(schema), members: new Set([member]), wish: owner + pascal(member) });
    };
    for (const [name, schema] of Object.entries(schemas)) {
      walk(schema, name.replace(/^(Create|Update|New)(?=[A-Z])/, ''), '', count, true);
    }
    for (const { schema, name = '' } of places) if (schema) walk(schema, 'Given', name, count, isList(schema));
    const names = new Map<string, string>();
    // Longest first: what is inside of it is counted again in the next round.
    const ordered = [...found].sort(([a], [b]) => b.length - a.length || (a < b ? -1 : 1));
    for (const [text, { uses, schema, members, wish }] of ordered) {
      if (uses < 2 || (uses - 1) * (text.length - REFERENCE) - REFERENCE < WORTHWHILE) continue;
      const name = freeName(valueName(schema) ?? (members.size === 1 ? pascal([...members][0] ?? '') : wish), schemas);
      schemas[name] = schema;
      names.set(text, name);
    }
    if (names.size === 0) return;
    for (const [name, schema] of Object.entries(schemas)) schemas[name] = exchanged(schema, names, true);
    for (const place of places) if (place.schema) place.schema = exchanged(place.schema, names, isList(place.schema));
  }
}

/** The list of a parameter stays in its place: generators look there for how it is written. */
const isList = (schema: Schema): boolean => schema.type === 'array';

/** Neither a reference nor an object with members, which are types of their own already. */
function isValue(schema: Schema): boolean {
  return schema.$ref === undefined && schema.properties === undefined && schema.const === undefined;
}

function bare(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !LOCAL.includes(key)));
}

function walk(schema: Schema, owner: string, member: string, count: Count, top: boolean): void {
  if (!top) count(schema, owner, member);
  for (const [name, property] of Object.entries(schema.properties ?? {})) walk(property, owner, name, count, false);
  for (const keyword of ['items', 'additionalProperties'] as const) {
    const inner = schema[keyword];
    if (typeof inner === 'object') walk(inner, owner, `${member}_item`, count, false);
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const)
    for (const inner of schema[keyword] ?? []) walk(inner, owner, `${member}_value`, count, false);
}

function exchanged(schema: Schema, names: ReadonlyMap<string, string>, top: boolean): Schema {
  const name = top || !isValue(schema) ? undefined : names.get(canonical(bare(schema)));
  if (name !== undefined) {
    const local = LOCAL.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]] as const]));
    return { ...ref('schemas', name), ...Object.fromEntries(local) };
  }
  const deeper = (each: Schema): Schema => exchanged(each, names, false);
  const inner: Schema = { ...schema };
  if (schema.properties)
    inner.properties = Object.fromEntries(Object.entries(schema.properties).map(([key, each]) => [key, deeper(each)]));
  for (const keyword of ['items', 'additionalProperties'] as const) {
    const each = schema[keyword];
    if (typeof each === 'object') inner[keyword] = deeper(each);
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const)
    if (schema[keyword]) inner[keyword] = schema[keyword].map(deeper);
  return inner;
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
    return PATTERNS[pattern.slice(0, 3)];
  if (types.includes('string'))
    return named(`${pattern === undefined ? '' : 'NonBlank'}Text${typeof maxLength === 'number' ? maxLength : ''}`);
  if (types.includes('object') && schema.additionalProperties === true) return named('AnyObject');
  if (type === 'integer' && Object.keys(schema).length === 1) return 'Integer';
  return type === 'null' ? 'Null' : undefined;
}
