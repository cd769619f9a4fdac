import { Injectable } from '@nestjs/common';
import { clockMs } from '../../../platform/context/clock';
import { invalid } from '../../../platform/errors/api-error';
import { current } from '../../../platform/context/current';
import { type BookingWindow, bookingWindow, hostTime, slotRules, span } from './booking-rules';
import { type Host, HostBook, type OpenSeats, type TypeRules } from './host-book';
import { localDays } from './local-days';
import { findSlots, type Slot, type SlotRules } from './slots';

/** Who could be booked for what. */
export interface Offer {
  type: TypeRules | null;
  hosts: Host[];
  rules: SlotRules;
  window: BookingWindow;
}

/** A slot, and with shared meetings how many can still come. */
export interface OfferedSlot extends Slot {
  seats?: number;
}

/** Slots for those who look and for those who book: what is shown can be booked, what is not shown cannot. */
@Injectable()
export class SlotFinder {
  constructor(private readonly book: HostBook) {}

  /**
   * Who could be booked: the hosts named, else those of the type, else the user of the token, else anybody active.
   *
   * @param minutes without a type
   * @throws ApiError 422 on `type_id` or `host_id`
   */
  async offer(typeId: number | null, hostIds: readonly number[] | null, minutes: number | undefined): Promise<Offer> {
    const type = typeId === null ? null : ((await this.book.type(typeId)) ?? noType());
    const hosts = await this.hosts(type, hostIds);
    return { type, hosts, rules: slotRules(type, minutes), window: bookingWindow(type, clockMs()) };
  }

  /** The slots that start in `[from, to)`, those among them where a shared meeting has room included. */
  async slots(offer: Offer, from: number, to: number): Promise<OfferedSlot[]> {
    if (offer.type?.is_active === false) return [];
    const found = await this.fresh(offer, from, to);
    const { type } = offer;
    return type && type.seats > 1 ? withSeats(found, await this.shared(offer, from, to), type.seats) : found;
  }

  /**
   * The slots for another meeting.
   *
   * @param except a meeting that is being moved: it is not in its own way
   */
  async fresh(offer: Offer, from: number, to: number, except: number | null = null): Promise<Slot[]> {
    const { type, hosts, rules } = offer;
    const [first, last] = within(offer, from, to);
    if (first >= last) return [];
    const ids = hosts.map(({ id }) => id);
    const engagements = await this.book.engagements(ids, ...span(first, last, rules), type?.id ?? null, except);
    const daysOf = remembered((zone) => localDays(zone, first, last));
    const times = hosts.map((host) =>
      hostTime(host, type, rules, engagements.get(host.id) ?? { busy: [], ofType: [] }, first, last, daysOf),
    );
    return findSlots(times, rules, first, last);
  }

  /** Meetings of the type, with these hosts, that can be joined. */
  async shared(offer: Offer, from: number, to: number): Promise<OpenSeats[]> {
    const { type, hosts } = offer;
    const [first, last] = within(offer, from, to);
    if (!type || type.seats === 1 || first >= last) return [];
    const ids = hosts.map(({ id }) => id);
    const shared = await this.book.openSeats(type, first, last);
    return shared.filter((seats) => seats.host_ids.every((id) => ids.includes(id)));
  }

  private async hosts(type: TypeRules | null, asked: readonly number[] | null): Promise<Host[]> {
    const own = type?.host_ids ?? [];
    if (asked) {
      const named = await this.book.named(asked);
      const unknown = asked.find((id) => !named.some((host) => host.id === id));
      if (unknown !== undefined) invalid('host_id', 'not_found', `"host_id" names ${unknown}, which does not exist.`);
      const idle = named.find(({ status }) => status !== 'active');
      if (idle) invalid('host_id', 'inactive', `"host_id" names a user that is ${idle.status}.`);
      requireHostsOf(type, asked);
      if (type?.scheduling !== 'collective') return named;
    }
    if (own.length > 0) return (await this.book.named(own)).filter(({ status }) => status === 'active');
    const user = current().principal?.userId ?? null;
    const self = user === null ? [] : await this.book.named([user]);
    return self.length > 0 ? self : this.book.anybody();
  }
}

/** 422 unless all are hosts of the type; one that names none takes anybody. */
export function requireHostsOf(type: TypeRules | null, asked: readonly number[]): void {
  const own = type?.host_ids ?? [];
  const stranger = own.length > 0 ? asked.find((id) => !own.includes(id)) : undefined;
  if (stranger !== undefined)
    invalid('host_id', 'not_a_host', `User ${stranger} is no host of this type of meeting.`, { allowed: own });
}

/** Hosts mostly share a few time zones. */
function remembered(find: (zone: string) => number[]): (zone: string) => number[] {
  const known = new Map<string, number[]>();
  return (zone) => {
    const days = known.get(zone) ?? find(zone);
    known.set(zone, days);
    return days;
  };
}

function within({ window }: Offer, from: number, to: number): [first: number, last: number] {
  return [Math.max(from, window.earliest), Math.min(to, window.latest + 1)];
}

/** Slots with the meetings among them that can be joined; where there is one, it is joined before another one is made. */
function withSeats(slots: readonly Slot[], shared: readonly OpenSeats[], all: number): OfferedSlot[] {
  const byStart = new Map<number, OfferedSlot>(slots.map((slot) => [slot.start, { ...slot, seats: all }]));
  const joinable = new Map<number, OfferedSlot>();
  for (const { start, host_ids: hosts, attendees } of shared) {
    const known = joinable.get(start);
    const seats = all - attendees;
    joinable.set(start, {
      start,
      hosts: [...new Set([...(known?.hosts ?? []), ...hosts])],
      seats: Math.max(known?.seats ?? 0, seats),
    });
  }
  for (const [start, slot] of joinable) {
    const fresh = byStart.get(start);
    const hosts = [...new Set([...slot.hosts, ...(fresh?.hosts ?? [])])];
    byStart.set(start, { start, hosts, seats: Math.max(slot.seats ?? 0, fresh?.seats ?? 0) });
  }
  return [...byStart.values()].sort((left, right) => left.start - right.start);
}

function noType(): never {
  invalid('type_id', 'not_found', '"type_id" names a type of meeting that does not exist.');
}
