import { isRecord } from '../../../../platform/text/json';
import type { Content } from './content';
import { refuse } from './fault';
import { resolve } from './path';
import type { ResourceType } from './schema';

const MAX_NAMES = 100;

/** Which attributes an answer has (RFC 7644, section 3.9). Names that mean nothing mean nothing. */
export class Projection {
  private readonly only: readonly string[] | null;
  private readonly none: readonly string[];

  constructor(
    private readonly type: ResourceType,
    attributes: string | undefined,
    excluded: string | undefined,
  ) {
    this.only = attributes === undefined || attributes.trim() === '' ? null : this.names(attributes);
    this.none = this.only === null && excluded !== undefined ? this.names(excluded) : [];
  }

  /** Whether anything was asked for. */
  get isAsked(): boolean {
    return this.only !== null || this.none.length > 0;
  }

  /** Whether an attribute is answered, in part at least. */
  has(name: string): boolean {
    return this.only === null
      ? !this.none.includes(name)
      : this.only.some((each) => each === name || each.startsWith(`${name}.`));
  }

  /** The resource with what was asked for; `schemas` and `id` are always there. */
  of(resource: Content): Content {
    if (!this.isAsked) return resource;
    return this.picked(resource, '');
  }

  private picked(content: Content, prefix: string): Content {
    const kept: Content = {};
    for (const [name, value] of Object.entries(content)) {
      const path = prefix + name;
      if (prefix === '' && (name === 'schemas' || name === 'id')) kept[name] = value;
      else if (this.only === null ? this.none.includes(path) : !this.has(path) && !this.isWithin(path)) continue;
      else kept[name] = this.isWithin(path) && this.only !== null ? value : this.inner(value, path);
    }
    return kept;
  }

  /** Members of what is asked for in part. */
  private inner(value: unknown, path: string): unknown {
    if (Array.isArray(value)) return value.map((each: unknown) => this.inner(each, path));
    return isRecord(value) ? this.picked(value, `${path}.`) : value;
  }

  /** Whether all of it is asked for, by its own name or by that of what it belongs to. */
  private isWithin(path: string): boolean {
    return (this.only ?? []).some((each) => path === each || path.startsWith(`${each}.`));
  }

  private names(list: string): string[] {
    const asked = list.split(',').map((each) => each.trim());
    if (asked.length > MAX_NAMES) refuse('invalidValue', `At most ${MAX_NAMES} attributes can be named.`);
    return asked.flatMap((path) => {
      const { extension } = this.type;
      if (extension?.id.toLowerCase() === path.toLowerCase()) return [extension.id];
      const found = resolve(this.type, path);
      if (!found) return [];
      const { attribute, sub } = found;
      return [
        [...(found.extension === null ? [] : [found.extension]), attribute.name, ...(sub ? [sub.name] : [])].join('.'),
      ];
    });
  }
}
