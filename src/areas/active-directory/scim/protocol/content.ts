import { isRecord } from '../../../../platform/text/json';
import { refuse } from './fault';
import { type Attribute, attributeOf, COMMON, type ResourceType } from './schema';
import { isLonger } from '../../../../platform/text/normalise';

/** What clients say of a resource, under the names of the schema; the URN of an extension holds what belongs to it. */
export type Content = Record<string, unknown>;

const USUAL_MAX = 255;
/** Values of one list; members of groups are counted apart. */
const MAX_VALUES = 100;

/** Attributes of a resource that clients write. */
export function writable(type: ResourceType): readonly Attribute[] {
  return [...COMMON, ...type.schema.attributes].filter(({ readOnly }) => readOnly !== true);
}

/**
 * What a body says, under the names of the schema: unknown members and those that clients do not write are left out, null and empty
 * lists say nothing. Refuses (400) what is of another kind. Pure.
 */
export function contentOf(type: ResourceType, body: Readonly<Record<string, unknown>>): Content {
  const content: Content = {};
  for (const [name, value] of Object.entries(body)) {
    if (type.extension?.id.toLowerCase() === name.toLowerCase()) {
      const inner = isRecord(value) ? taken(type.extension.attributes, value) : {};
      if (Object.keys(inner).length > 0) content[type.extension.id] = inner;
      continue;
    }
    assign(content, attributeOf(writable(type), name), value);
  }
  if (content[type.naming] === undefined) refuse('invalidValue', `"${type.naming}" is required.`);
  return type.kind === 'user' ? { active: true, ...content } : content;
}

/** One value of an attribute as it is kept; undefined = none. Refuses (400) what is of another kind. */
export function valueOf(attribute: Attribute, value: unknown, isOneOfList = false): unknown {
  if (value === null || value === undefined) return undefined;
  if (attribute.multi && !isOneOfList) return listOf(attribute, value);
  switch (attribute.type) {
    case 'boolean':
      return flag(attribute, value);
    case 'complex': {
      // `"manager": "…"`, as some clients write it.
      const whole = isRecord(value) ? value : attributeOf(attribute.sub ?? [], 'value') ? { value } : unfit(attribute);
      const members = taken(attribute.sub ?? [], whole);
      const lacking = attribute.sub?.find(({ required, name }) => required === true && members[name] === undefined);
      if (lacking) refuse('invalidValue', `One of "${attribute.name}" has no "${lacking.name}".`);
      return Object.keys(members).length > 0 ? members : undefined;
    }
    default:
      return words(attribute, value);
  }
}

/** The values of a list: one of them at most is the primary one, and none is there twice. */
export function listOf(attribute: Attribute, value: unknown): unknown[] | undefined {
  const given: unknown[] = Array.isArray(value) ? value : [value];
  const values = given.flatMap((each) => valueOf(attribute, each, true) ?? []);
  return values.length === 0 ? undefined : tidied(attribute, values);
}

/** @param latest how many of the last values are new: of several primary ones the newest stays */
export function tidied(attribute: Attribute, values: readonly unknown[], latest = 0): unknown[] {
  const texts = new Map(values.map((each) => [JSON.stringify(each), each]));
  const kept = [...texts.values()];
  if (attribute.name !== 'members' && kept.length > MAX_VALUES)
    refuse('invalidValue', `"${attribute.name}" has at most ${MAX_VALUES} values.`);
  const isPrimary = (value: unknown): value is Content => isRecord(value) && value.primary === true;
  const first = kept.findIndex((value, index) => isPrimary(value) && index >= kept.length - latest);
  const primary = first >= 0 ? first : kept.findIndex(isPrimary);
  return kept.map((value, index) => (isPrimary(value) && index !== primary ? { ...value, primary: false } : value));
}

function taken(attributes: readonly Attribute[], given: Readonly<Record<string, unknown>>): Content {
  const content: Content = {};
  for (const [name, value] of Object.entries(given)) {
    const attribute = attributeOf(attributes, name);
    assign(content, attribute?.readOnly === true ? null : attribute, value);
  }
  return content;
}

function assign(content: Content, attribute: Attribute | null, value: unknown): void {
  const kept = attribute && valueOf(attribute, value);
  if (attribute && kept !== undefined && kept !== null) content[attribute.name] = kept;
}

function flag(attribute: Attribute, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  // Entra ID writes them as texts unless it is told not to.
  const said = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return said === 'true' || said === 'false' ? said === 'true' : unfit(attribute);
}

function words(attribute: Attribute, value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return unfit(attribute);
  const max = attribute.max ?? USUAL_MAX;
  const said = String(value).trim();
  if (isLonger(said, max)) refuse('invalidValue', `"${attribute.name}" has at most ${max} characters.`);
  return said === '' ? undefined : said;
}

function unfit({ name, type, multi }: Attribute): never {
  refuse('invalidValue', `"${name}" is ${multi ? 'a list of values that are' : 'a'} ${type}.`);
}
