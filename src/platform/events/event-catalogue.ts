import type { EventDomainSpec } from './event-domain';

/** One type of event. */
export interface EventKind {
  type: string;
  description: string;
  /** Singular name of the record it is about: the part before the dot, unless the domain says otherwise. */
  object: string;
  /** Other names under which it may be subscribed to. */
  aliases: readonly string[];
  /** What `data` holds beside the record: examples by member. */
  beside: Readonly<Record<string, unknown>>;
  /** Sent on request only: no subscription includes it unless it names it. */
  onRequest: boolean;
}

export interface EventDomain {
  domain: string;
  label: string;
  events: readonly EventKind[];
}

interface Catalogue {
  domains: Map<string, { label: string; events: EventKind[] }>;
  kinds: Map<string, EventKind>;
  /** Types, by themselves and by their aliases. */
  canonical: Map<string, string>;
}

const emptyCatalogue = (): Catalogue => ({ domains: new Map(), kinds: new Map(), canonical: new Map() });

let { domains, kinds, canonical } = emptyCatalogue();

/**
 * Makes the catalogue of these events: they can then be written, subscribed to and polled for. Where it throws, the catalogue stays as it is.
 *
 * @throws Error when a type has another form than `object.what_happened`, or is there twice; when a member beside a record has a name of
 * the record's own, or belongs to no type
 */
export function installEvents(specs: readonly EventDomainSpec[]): void {
  const made = emptyCatalogue();
  for (const spec of specs) addDomain(made, spec);
  ({ domains, kinds, canonical } = made);
}

function addDomain(
  { domains, kinds, canonical }: Catalogue,
  { domain, label, object, events, aliases = {}, onRequest = [], beside = {} }: EventDomainSpec,
): void {
  const known = domains.get(domain) ?? { label, events: [] };
  domains.set(domain, known);
  for (const [type, description] of Object.entries(events)) {
    if (kinds.has(type)) throw new Error(`The event "${type}" is declared twice.`);
    if (!/^[a-z_]+\.[a-z_]+$/.test(type)) throw new Error(`"${type}" is no event type: write object.what_happened.`);
    const names = Object.keys(aliases).filter((alias) => aliases[alias] === type);
    const kind: EventKind = {
      type,
      description,
      object: object ?? type.split('.')[0] ?? '',
      aliases: names,
      beside: beside[type] ?? {},
      onRequest: onRequest.includes(type),
    };
    const own = ['object', 'id', 'deleted_at', kind.object].find((name) => Object.hasOwn(kind.beside, name));
    if (own !== undefined) throw new Error(`"${own}" beside the record of "${type}" is a name of its own data.`);
    known.events.push(kind);
    kinds.set(type, kind);
    for (const name of [type, ...names]) canonical.set(name, type);
  }
  const stray = Object.keys(beside).find((type) => !Object.hasOwn(events, type));
  if (stray !== undefined) throw new Error(`"${stray}" has members beside its record, but is not declared with them.`);
}

/** Every event that can happen, by domain. */
export function eventCatalogue(): EventDomain[] {
  return [...domains].map(([domain, { label, events }]) => ({ domain, label, events }));
}

/** The event of that type or alias, or undefined. */
export function eventKind(name: string): EventKind | undefined {
  return kinds.get(canonical.get(name) ?? '');
}

/** @throws Error when the type was not declared: an undeclared event could not be subscribed to */
export function requireDeclared(type: string): void {
  if (!kinds.has(type))
    throw new Error(`The event "${type}" is not in the catalogue: an area declares it among its events.`);
}

/** Types and aliases: each names one event. */
export function eventNames(): string[] {
  return [...canonical.keys()];
}

/** Everything a subscription may name: types, aliases, `object.*` and `*`. */
export function subscribableNames(): string[] {
  const names = eventNames();
  return ['*', ...new Set(names.map((name) => `${name.split('.')[0] ?? ''}.*`)), ...names];
}

/** Whether a subscription may name this: a type, an alias, `object.*` of an existing object, or `*`. */
export function isSubscribable(name: string): boolean {
  if (name === '*' || canonical.has(name)) return true;
  const object = /^([a-z_]+)\.\*$/.exec(name)?.[1];
  return object !== undefined && [...canonical.keys()].some((known) => known.startsWith(`${object}.`));
}

/** Whether any of the names subscribed to includes the event. Wildcards never include what is sent on request. */
export function matchesEvent(subscribed: readonly string[], type: string): boolean {
  return subscribedName(subscribed, type) !== null;
}

/** The name by which a subscription has the event: its type where that is included, else the first alias that is; null where neither is. */
export function subscribedName(subscribed: readonly string[], type: string): string | null {
  const { aliases = [], onRequest = false } = kinds.get(type) ?? {};
  const isIncluded = (name: string): boolean =>
    subscribed.some((wanted) => wanted === name || (!onRequest && isBelow(wanted, name)));
  return [type, ...aliases].find(isIncluded) ?? null;
}

function isBelow(wildcard: string, name: string): boolean {
  return wildcard === '*' || (wildcard.endsWith('.*') && name.startsWith(wildcard.slice(0, -1)));
}
