import { Injectable } from '@nestjs/common';
import { isRecord } from '../../../platform/text/json';
import type { Content } from './protocol/content';
import { MAX_RESULTS } from './protocol/discovery';
import { refuse } from './protocol/fault';
import { type Filter, parseFilter } from './protocol/filter';
import { listAnswer } from './protocol/list-answer';
import { matches } from './protocol/matching';
import { target } from './protocol/path';
import { Projection } from './protocol/projection';
import { GROUPS, type ResourceType } from './protocol/schema';
import { narrowed } from './scim-keys';
import { ScimMembers, type Tie } from './scim-members';
import { shown } from './scim-shown';
import { type Condition, ScimStore, type Stored } from './scim-store';

/** Resources that are looked at one by one for a filter that no key helps with, or for an order. */
const MAX_SCANNED = 20_000;
const AT_ONCE = 500;
const USUAL_RESULTS = 100;

/** What a list can be asked. Texts, as they came in the query. */
export interface ListQuestion {
  filter?: string;
  attributes?: string;
  excludedAttributes?: string;
  sortBy?: string;
  sortOrder?: string;
  startIndex?: string;
  count?: string;
}

/** Answers lists, and shows resources with what belongs to them. Inside a unit of work. */
@Injectable()
export class ScimLists {
  constructor(
    private readonly store: ScimStore,
    private readonly members: ScimMembers,
  ) {}

  async list(base: string, type: ResourceType, connectionId: number, question: ListQuestion): Promise<object> {
    const projection = new Projection(type, question.attributes, question.excludedAttributes);
    const from = Math.max(1, whole('startIndex', question.startIndex, 1));
    const count = Math.min(MAX_RESULTS, Math.max(0, whole('count', question.count, USUAL_RESULTS)));
    const filter = question.filter === undefined || question.filter.trim() === '' ? null : parseFilter(question.filter);
    // What makes no sense is refused where there is nothing to compare, too.
    if (filter) matches(type, filter, {});
    const order = question.sortBy === undefined || question.sortBy.trim() === '' ? null : orderOf(type, question);
    if (filter === null && order === null) {
      const everything = { condition: '', bound: [] };
      const total = await this.store.count(type, connectionId, everything);
      const page = count === 0 ? [] : await this.store.page(type, connectionId, everything, count, from - 1);
      return listAnswer(await this.show(base, type, page, projection), total, from);
    }
    const found = await this.search(base, type, connectionId, filter);
    if (order) found.sort(order);
    const page = found.slice(from - 1, from - 1 + count).map(({ stored }) => stored);
    return listAnswer(await this.show(base, type, page, projection), found.length, from);
  }

  /** Resources as they are answered. */
  async show(base: string, type: ResourceType, stored: readonly Stored[], projection: Projection): Promise<Content[]> {
    const wants = projection.has(type.kind === 'group' ? 'members' : 'groups');
    const ties = wants ? await this.tiesOf(type, stored) : null;
    return stored.map((each) => projection.of(shown(base, type, each, ties && (ties.get(each.id) ?? []))));
  }

  private async search(
    base: string,
    type: ResourceType,
    connectionId: number,
    filter: Filter | null,
  ): Promise<{ stored: Stored; resource: Content }[]> {
    const condition = conditionOf(type, filter);
    const candidates = await this.store.page(type, connectionId, condition, MAX_SCANNED + 1);
    if (candidates.length > MAX_SCANNED)
      refuse(
        'tooMany',
        `More than ${MAX_SCANNED} resources would have to be looked at; ask by userName, externalId, displayName or id.`,
      );
    const found: { stored: Stored; resource: Content }[] = [];
    for (let at = 0; at < candidates.length; at += AT_ONCE) {
      const some = candidates.slice(at, at + AT_ONCE);
      const ties = filter && asksForTies(type, filter) ? await this.tiesOf(type, some) : null;
      for (const stored of some) {
        const resource = shown(base, type, stored, ties && (ties.get(stored.id) ?? []));
        if (!filter || matches(type, filter, resource)) found.push({ stored, resource });
      }
      // Others have their turn.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return found;
  }

  private async tiesOf(type: ResourceType, stored: readonly Stored[]): Promise<Map<string, Tie[]>> {
    const found = new Map<string, Tie[]>();
    if (stored.length === 0) return found;
    const ids = stored.map(({ id }) => id);
    const ties = type === GROUPS ? await this.members.membersOf(ids) : await this.members.groupsOf(ids);
    for (const tie of ties) {
      const known = found.get(tie.of);
      if (known) known.push(tie);
      else found.set(tie.of, [tie]);
    }
    return found;
  }
}

function conditionOf(type: ResourceType, filter: Filter | null): Condition {
  const bound: string[] = [];
  const condition = filter && narrowed(type, filter, (value) => `$${bound.push(value) + 3}`);
  return condition === null ? { condition: '', bound: [] } : { condition: ` AND ${condition}`, bound };
}

/** Whether members, or groups of people, decide. */
function asksForTies(type: ResourceType, filter: Filter): boolean {
  if (filter.op === 'not') return asksForTies(type, filter.of);
  if (!('path' in filter)) return filter.of.some((each) => asksForTies(type, each));
  const { name } = target(type, filter.path, 'invalidFilter').attribute;
  return name === 'members' || name === 'groups';
}

/** Those without a value come last, first when the order is turned around (RFC 7644, section 3.4.2.3). */
function orderOf(
  type: ResourceType,
  { sortBy = '', sortOrder = 'ascending' }: ListQuestion,
): (one: { resource: Content }, other: { resource: Content }) => number {
  const { extension, attribute, sub } = target(type, sortBy, 'invalidPath');
  const turn = sortOrder.toLowerCase() === 'descending' ? -1 : 1;
  const keyOf = (resource: Content): string | null => {
    const holder = extension === null ? resource : resource[extension];
    const found: unknown = isRecord(holder) ? holder[attribute.name] : undefined;
    const values: unknown[] = Array.isArray(found) ? found : [found];
    const first = values.find((each) => isRecord(each) && each.primary === true) ?? values[0];
    const value = isRecord(first) ? first[sub?.name ?? 'value'] : first;
    if (typeof value !== 'string' && typeof value !== 'boolean') return null;
    return (sub ?? attribute).exact ? String(value) : String(value).toLowerCase();
  };
  return (one, other) => {
    const [left, right] = [keyOf(one.resource), keyOf(other.resource)];
    if (left === right) return 0;
    if (left === null || right === null) return turn * (left === null ? 1 : -1);
    return turn * (left < right ? -1 : 1);
  };
}

function whole(name: string, text: string | undefined, usual: number): number {
  if (text === undefined || text === '') return usual;
  return /^-?\d{1,9}$/.test(text) ? Number(text) : refuse('invalidValue', `"${name}" is a whole number.`);
}
