import { refuse, type ScimType } from './fault';
import { type Filter, parseInner, Reader } from './filter';
import { type Attribute, attributeOf, COMMON, type ResourceType } from './schema';

/** An attribute, and the member of it that is meant. */
export interface Target {
  /** The URN of the extension that it belongs to; null = of the resource itself. */
  extension: string | null;
  attribute: Attribute;
  sub: Attribute | null;
}

/** A target of which only some values are meant. */
export interface PatchTarget extends Target {
  filter: Filter | null;
}

/**
 * What a path names: `title`, `name.givenName`, `urn:…:User:department`; null when it is nothing that the resource has.
 * Case makes no difference.
 */
export function resolve(type: ResourceType, path: string): Target | null {
  const { extension, rest } = withoutUrn(type, path);
  const [name = '', member, ...more] = rest.split('.');
  if (more.length > 0) return null;
  const attributes = extension === null ? [...COMMON, ...type.schema.attributes] : (type.extension?.attributes ?? []);
  const attribute = attributeOf(attributes, name);
  if (!attribute) return null;
  if (member === undefined) return { extension, attribute, sub: null };
  const sub = attributeOf(attribute.sub ?? [], member);
  return sub && { extension, attribute, sub };
}

/** The same; refused where it names nothing. */
export function target(type: ResourceType, path: string, fault: ScimType): Target {
  return resolve(type, path) ?? refuse(fault, `${type.name} has no attribute ${JSON.stringify(path.slice(0, 200))}.`);
}

/** The path of an operation of PATCH (RFC 7644, figure 7): as above, with a filter of values, too. */
export function parsePath(type: ResourceType, path: string): PatchTarget {
  const reader = new Reader(path, 'invalidPath');
  const name = reader.name();
  if (!reader.isNext('[')) {
    reader.end();
    return { ...target(type, name, 'invalidPath'), filter: null };
  }
  const found = target(type, name, 'invalidPath');
  if (!found.attribute.multi || found.sub) refuse('invalidPath', `${name} is no list of values.`);
  const filter = parseInner(reader);
  if (!reader.isNext('.')) {
    reader.end();
    return { ...found, filter };
  }
  reader.take('.');
  const member = reader.name();
  reader.end();
  const sub = attributeOf(found.attribute.sub ?? [], member);
  return sub
    ? { ...found, sub, filter }
    : refuse('invalidPath', `${name} has no member ${JSON.stringify(member.slice(0, 200))}.`);
}

function withoutUrn({ schema, extension }: ResourceType, path: string): { extension: string | null; rest: string } {
  const lower = path.toLowerCase();
  for (const each of [schema, ...(extension ? [extension] : [])]) {
    const urn = `${each.id.toLowerCase()}:`;
    if (lower.startsWith(urn)) return { extension: each === schema ? null : each.id, rest: path.slice(urn.length) };
  }
  return { extension: null, rest: path };
}
