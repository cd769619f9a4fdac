import { inTextOrder } from '../../../platform/text/text-order';
import type { Comparison, Filter, Literal } from './protocol/filter';
import { resolve, type Target } from './protocol/path';
import { type Attribute, attributeOf, COMMON, GROUPS, type ResourceType, TYPES } from './protocol/schema';
import type { Bind } from './scim-keys';
import { locationOf } from './scim-shown';

/** A value as SQL: of a kind, null where there is none. */
interface Operand {
  sql: string;
  attribute: Attribute;
}

/** What a filter asks that only the shown resource can answer; it is looked at in memory then. */
class Beyond extends Error {}

/**
 * A filter as a condition on a row of `scim_resources`, which is called `r`: true of the resources that `matches` finds, and of no
 * others; never null. Of filters that make sense. Null where the condition cannot be said: dates by their letters, texts that
 * PostgreSQL does not take.
 */
export function filterSql(base: string, type: ResourceType, filter: Filter, bind: Bind): string | null {
  return said(() => new Writer(base, type, bind).condition(filter));
}

/** What a list is in the order of, for ORDER BY; null where only the shown resource knows. */
export function orderSql(base: string, type: ResourceType, found: Target, turned: boolean, bind: Bind): string | null {
  if (found.attribute.multi) return null;
  const order = said(() => new Writer(base, type, bind).ordered(found));
  return order && `${order} ${turned ? 'DESC NULLS FIRST' : 'ASC NULLS LAST'}`;
}

function said(make: () => string): string | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof Beyond) return null;
    throw error;
  }
}

class Writer {
  constructor(
    private readonly base: string,
    private readonly type: ResourceType,
    private readonly bind: Bind,
  ) {}

  condition(filter: Filter): string {
    switch (filter.op) {
      case 'and':
      case 'or':
        return `(${filter.of.map((each) => this.condition(each)).join(filter.op === 'and' ? ' AND ' : ' OR ')})`;
      case 'not':
        return `NOT ${this.condition(filter.of)}`;
      case 'some': {
        const { attribute, extension } = this.resolved(filter.path);
        return this.each(attribute, extension, (of) => this.inner(of, filter.of));
      }
      default:
        return this.compared(this.resolved(filter.path), filter);
    }
  }

  ordered(found: Target): string {
    const { attribute, sub } = found;
    const member = sub ?? attributeOf(attribute.sub ?? [], 'value');
    if (attribute.type === 'complex' && !member) throw new Beyond();
    const { sql, attribute: of } = this.operand(found, attribute.type === 'complex' ? member : null);
    if (of.type === 'dateTime') return sql;
    return of.exact ? `${sql} COLLATE "C"` : inTextOrder(sql);
  }

  /** A comparison of an attribute of the resource. */
  private compared(found: Target, question: Exclude<Filter, { of: unknown }>): string {
    const { attribute, sub, extension } = found;
    const value = attributeOf(attribute.sub ?? [], 'value');
    if (isOfAll(attribute) && question.op === 'pr' && !sub) return 'true';
    if (!attribute.multi) {
      if (attribute.type !== 'complex' || sub) return decided(this.operand(found, sub), question, this.bind);
      if (question.op === 'pr') return `(${this.holder(extension)} ? ${this.bind(attribute.name)}::text) IS TRUE`;
      return decided(this.operand(found, value), question, this.bind);
    }
    const member = sub ?? value;
    if (question.op === 'pr' && !sub) return this.each(attribute, extension, () => 'true');
    if (!member) throw new Beyond();
    // None of several values is one that is not there, or is not that.
    const positive = question.op === 'ne' ? ({ ...question, op: 'eq' } as const) : question;
    const isNothing = positive.op === 'eq' && positive.value === null;
    const asked = isNothing ? ({ op: 'pr', path: question.path } as const) : positive;
    const exists = this.each(attribute, extension, (of) => decided(of(member), asked, this.bind));
    return (question.op === 'ne') !== isNothing ? `NOT ${exists}` : exists;
  }

  /** Between brackets: a condition on one value. */
  private inner(of: (member: Attribute) => Operand, filter: Filter): string {
    switch (filter.op) {
      case 'and':
      case 'or':
        return `(${filter.of.map((each) => this.inner(of, each)).join(filter.op === 'and' ? ' AND ' : ' OR ')})`;
      case 'not':
        return `NOT ${this.inner(of, filter.of)}`;
      case 'some':
        throw new Beyond();
      default: {
        const member = attributeOf(this.subs, filter.path);
        if (!member) throw new Beyond();
        return decided(of(member), filter, this.bind);
      }
    }
  }

  private subs: readonly Attribute[] = [];

  /** That some value of a list is so. */
  private each(
    attribute: Attribute,
    extension: string | null,
    condition: (of: (member: Attribute) => Operand) => string,
  ): string {
    this.subs = attribute.sub ?? [];
    if (attribute.name === 'members' || attribute.name === 'groups') return this.tied(condition);
    if (isOfAll(attribute)) throw new Beyond();
    if (!attribute.multi) {
      const holder = `(${this.holder(extension)}->${this.bind(attribute.name)}::text)`;
      const inside = condition((member) => ({
        sql: `(${holder}->>${this.bind(member.name)}::text)`,
        attribute: member,
      }));
      return `((jsonb_typeof(${holder}) = 'object') IS TRUE AND ${inside})`;
    }
    const list = `(${this.holder(extension)}->${this.bind(attribute.name)}::text)`;
    const inside = condition((member) => ({ sql: `(v->>${this.bind(member.name)}::text)`, attribute: member }));
    return `EXISTS (SELECT FROM jsonb_array_elements(CASE WHEN jsonb_typeof(${list}) = 'array' THEN ${list} ELSE '[]' END) AS v WHERE ${inside})`;
  }

  /** Members of a group, groups of somebody. */
  private tied(condition: (of: (member: Attribute) => Operand) => string): string {
    const isGroup = this.type === GROUPS;
    const other = isGroup ? 'm.member_id' : 'm.group_id';
    const kinds = (): string =>
      TYPES.map(
        (type) => `WHEN '${type.kind}' THEN ${this.bind(locationOf(this.base, type, ''))}::text || ${other}`,
      ).join(' ');
    const parts: Readonly<Record<string, () => string>> = {
      value: () => other,
      display: () => 'o.name_key',
      $ref: () => `CASE o.kind ${kinds()} END`,
      type: () => (isGroup ? 'o.kind' : `'direct'`),
    };
    const inside = condition((member) => {
      const sql = parts[member.name]?.();
      if (sql === undefined) throw new Beyond();
      return { sql: `(${sql})`, attribute: member };
    });
    return (
      `EXISTS (SELECT FROM scim_members m ${isGroup ? 'LEFT ' : ''}JOIN scim_resources o ON o.workspace_id = m.workspace_id AND o.id = ${other}` +
      `${isGroup ? ' AND NOT o.is_deleted' : ''} WHERE m.workspace_id = $1 AND ${isGroup ? 'm.group_id' : 'm.member_id'} = r.id AND ${inside})`
    );
  }

  /** A single value. */
  private operand({ attribute, extension }: Target, sub: Attribute | null): Operand {
    const own = extension === null && COMMON.includes(attribute) ? this.common(attribute, sub) : null;
    if (own) return own;
    const holder = this.holder(extension);
    if (!sub) return { sql: `(${holder}->>${this.bind(attribute.name)}::text)`, attribute };
    return {
      sql: `(${holder}->${this.bind(attribute.name)}::text->>${this.bind(sub.name)}::text)`,
      attribute: sub,
    };
  }

  /** What the service says of every resource. */
  private common(attribute: Attribute, sub: Attribute | null): Operand | null {
    if (attribute.name === 'id') return { sql: 'r.id', attribute };
    if (attribute.name !== 'meta' || !sub) return null;
    const parts: Readonly<Record<string, () => string>> = {
      resourceType: () => `${this.bind(this.type.name)}::text`,
      created: () => 'r.created_at',
      lastModified: () => 'r.updated_at',
      location: () => `(${this.bind(locationOf(this.base, this.type, ''))}::text || r.id)`,
      version: () => `('W/"' || r.revision || '"')`,
    };
    const sql = parts[sub.name]?.();
    if (sql === undefined) throw new Beyond();
    return { sql, attribute: sub };
  }

  private holder(extension: string | null): string {
    return extension === null ? 'r.folded' : `(r.folded->${this.bind(extension)}::text)`;
  }

  private resolved(path: string): Target {
    const found = resolve(this.type, path);
    if (!found) throw new Beyond();
    return found;
  }
}

/** What the service says of every resource, wherever it is kept. */
const isOfAll = (attribute: Attribute): boolean => attribute.name === 'meta';

const SIGNS: Readonly<Partial<Record<Comparison, string>>> = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' };

type Question = { op: 'pr'; path: string } | { op: Comparison; path: string; value: Literal };

/** A comparison of one value; never null. */
function decided({ sql, attribute }: Operand, question: Question, bind: Bind): string {
  if (question.op === 'pr') return `(${sql} IS NOT NULL)`;
  const { op, value } = question;
  if (op === 'ne') return `NOT ${decided({ sql, attribute }, { ...question, op: 'eq' }, bind)}`;
  if (value === null) return `(${sql} IS NULL)`;
  if (attribute.type === 'dateTime') return dated(sql, op, value, bind);
  const text = attribute.exact ? String(value) : String(value).toLowerCase();
  // PostgreSQL keeps no NUL, and no half of a character.
  if (text.includes('\0') || !text.isWellFormed()) throw new Beyond();
  const wanted = `${bind(text)}::text`;
  if (op === 'co') return `(strpos(${sql}, ${wanted}) > 0) IS TRUE`;
  if (op === 'sw') return `starts_with(${sql}, ${wanted}) IS TRUE`;
  if (op === 'ew') return `(right(${sql}, char_length(${wanted})) = ${wanted}) IS TRUE`;
  return `(${sql} COLLATE "C" ${SIGNS[op] ?? '='} ${wanted} COLLATE "C") IS TRUE`;
}

function dated(sql: string, op: Comparison, value: Literal, bind: Bind): string {
  const at = Date.parse(String(value));
  const sign = SIGNS[op];
  // What PostgreSQL has no date for.
  if (sign === undefined || Number.isNaN(at) || Math.abs(at) > 8e13) throw new Beyond();
  return `(${sql} ${sign} ${bind(new Date(at).toISOString())}::timestamptz) IS TRUE`;
}
