import { Injectable } from '@nestjs/common';
import { compareInTextOrder } from '../../../platform/text/text-order';
import { isRecord } from '../../../platform/text/json';
import type { Content } from './protocol/content';
import { MAX_RESULTS } from './protocol/discovery';
import { refuse } from './protocol/fault';
import { type Filter, parseFilter } from './protocol/filter';
import { compareTexts } from './protocol/folding';
import { listAnswer } from './protocol/list-answer';
import { matches } from './protocol/matching';
import { type Target, target } from './protocol/path';
import { Projection } from './protocol/projection';
import { GROUPS, type ResourceType } from './protocol/schema';
import { narrowed } from './scim-keys';
import { ScimMembers, type Tie } from './scim-members';
import { shown } from './scim-shown';
import { filterSql, orderSql } from './scim-sql';
import { type Condition, ScimStore, type Stored } from './scim-store';

/** Resources that are looked at one by one for a filter or an order that SQL has no words for. */
const MAX_SCANNED = 20_000;
const AT_ONCE = 500;
const USUAL_RESULTS = 100;
/** Members, or groups, of one answer: beyond that it has fewer resources than were asked for, but for one. */
const MAX_TIES = 20_000;

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
    const sorted = question.sortBy === undefined || question.sortBy.trim() === '' ? null : sortOf(type, question);
    const asked = await this.asked(base, type, connectionId, filter, sorted);
    if (asked) {
      const total = await this.store.count(type, connectionId, asked);
      const page = count === 0 ? [] : await this.store.page(type, connectionId, asked, count, from - 1);
      return listAnswer(await this.shownInBounds(base, type, page, projection), total, from);
    }
    const found = await this.search(base, type, connectionId, filter);
    if (sorted) found.sort(orderOf(sorted));
    const page = found.slice(from - 1, from - 1 + count).map(({ stored }) => stored);
    return listAnswer(await this.shownInBounds(base, type, page, projection), found.length, from);
  }

  /** As many of them as have not too many members, or groups, together: clients come for the rest. */
  private async shownInBounds(
    base: string,
    type: ResourceType,
    page: readonly Stored[],
    projection: Projection,
  ): Promise<Content[]> {
    if (!projection.has(tiesName(type))) return this.show(base, type, page, projection);
    const counts = await this.members.counts(
      type === GROUPS,
      page.map(({ id }) => id),
    );
    let room = MAX_TIES;
    const few = page.filter(({ id }, place) => (room -= counts.get(id) ?? 0) >= 0 || place === 0);
    // What is left out is at the end, so that the next page begins there.
    const cut = page.findIndex((each, place) => few[place] !== each);
    return this.show(base, type, cut < 0 ? page : page.slice(0, cut), projection);
  }

  /** What is asked, as SQL; null where that cannot be said. */
  private async asked(
    base: string,
    type: ResourceType,
    connectionId: number,
    filter: Filter | null,
    sorted: Sorting | null,
  ): Promise<Condition | null> {
    const bound: unknown[] = [];
    const bind = (value: unknown): string => `$${bound.push(value) + 3}`;
    // By a key first: the index leads then.
    const key = filter && narrowed(type, filter, bind);
    const condition = filter && filterSql(base, type, filter, bind);
    const ofCondition = bound.length;
    const order = sorted && orderSql(base, type, sorted.by, sorted.isTurned, bind);
    if ((filter && condition === null) || (sorted && order === null)) return null;
    if (filter || sorted) await this.store.foldAll(type, connectionId);
    const all = [key, condition].flatMap((each) => (each === null ? [] : ` AND ${each}`));
    return { condition: all.join(''), order: order === null ? '' : `${order}, `, bound, ofCondition };
  }

  /** Resources as they are answered. */
  async show(base: string, type: ResourceType, stored: readonly Stored[], projection: Projection): Promise<Content[]> {
    const ties = projection.has(tiesName(type)) ? await this.tiesOf(type, stored) : null;
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

const tiesName = ({ kind }: ResourceType): 'members' | 'groups' => (kind === 'group' ? 'members' : 'groups');

function conditionOf(type: ResourceType, filter: Filter | null): Condition {
  const bound: unknown[] = [];
  const condition = filter && narrowed(type, filter, (value) => `$${bound.push(value) + 3}`);
  return { condition: condition === null ? '' : ` AND ${condition}`, order: '', bound, ofCondition: bound.length };
}

/** Whether members, or groups of people, decide. */
function asksForTies(type: ResourceType, filter: Filter): boolean {
  if (filter.op === 'not') return asksForTies(type, filter.of);
  if (!('path' in filter)) return filter.of.some((each) => asksForTies(type, each));
  const { name } = target(type, filter.path, 'invalidFilter').attribute;
  return name === 'members' || name === 'groups';
}

/** What a list is sorted by. */
interface Sorting {
  by: Target;
  isTurned: boolean;
}

const sortOf = (type: ResourceType, { sortBy = '', sortOrder = 'ascending' }: ListQuestion): Sorting => ({
  by: target(type, sortBy, 'invalidPath'),
  isTurned: sortOrder.toLowerCase() === 'descending',
});

/** Those without a value come last, first when the order is turned around (RFC 7644, section 3.4.2.3). */
function orderOf({
  by: { extension, attribute, sub },
  isTurned,
}: Sorting): (one: { resource: Content }, other: { resource: Content }) => number {
  const turn = isTurned ? -1 : 1;
  const compare = (sub ?? attribute).exact ? compareTexts : compareInTextOrder;
  const keyOf = (resource: Content): string | null => {
    const holder = extension === null ? resource : resource[extension];
    const found: unknown = isRecord(holder) ? holder[attribute.name] : undefined;
    const values: unknown[] = Array.isArray(found) ? found : [found];
    const first = values.find((each) => isRecord(each) && each.primary === true) ?? values[0];
    const value = isRecord(first) ? first[sub?.name ?? 'value'] : first;
    if (typeof value !== 'string' && typeof value !== 'boolean') return null;
    return String(value);
  };
  return (one, other) => {
    const [left, right] = [keyOf(one.resource), keyOf(other.resource)];
    if (left === right) return 0;
    if (left === null || right === null) return turn * (left === null ? 1 : -1);
    return turn * compare(left, right);
  };
}

function whole(name: string, text: string | undefined, usual: number): number {
  if (text === undefined || text === '') return usual;
  return /^-?\d{1,9}$/.test(text) ? Number(text) : refuse('invalidValue', `"${name}" is a whole number.`);
}
