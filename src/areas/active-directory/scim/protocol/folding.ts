import { isRecord } from '../../../../platform/text/json';
import type { Content } from './content';
import { type Attribute, COMMON, type ResourceType } from './schema';

/** Content as it is compared: the same, texts whose case makes no difference in lower case, texts of any other kind left out. Pure. */
export function folded(type: ResourceType, content: Content): Content {
  const { extension } = type;
  const own = foldedMembers([...COMMON, ...type.schema.attributes], content);
  const inner = extension === null ? null : content[extension.id];
  return extension && isRecord(inner) ? { ...own, [extension.id]: foldedMembers(extension.attributes, inner) } : own;
}

function foldedMembers(attributes: readonly Attribute[], content: Content): Content {
  const kept: Content = {};
  for (const attribute of attributes) {
    const value = content[attribute.name];
    if (value === undefined || value === null) continue;
    kept[attribute.name] = attribute.multi
      ? [value].flat().map((each: unknown) => foldedValue(attribute, each))
      : foldedValue(attribute, value);
  }
  return kept;
}

function foldedValue(attribute: Attribute, value: unknown): unknown {
  if (isRecord(value)) return foldedMembers(attribute.sub ?? [], value);
  return typeof value === 'string' && !attribute.exact ? value.toLowerCase() : value;
}

/** Which of two texts comes first: by code points, as PostgreSQL has it with the collation "C". */
export function compareTexts(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
