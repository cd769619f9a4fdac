import { Injectable } from '@nestjs/common';
import { clockMs } from '../../../platform/context/clock';
import { invalid } from '../../../platform/errors/api-error';
import type { Times } from '../meeting-times';
import { bookingWindow, slotRules, span } from './booking-rules';
import { type Host, HostBook, type TypeRules } from './host-book';
import { type Offer, requireHostsOf, SlotFinder } from './slot-finder';

const MINUTE_MS = 60_000;

/** Who has a meeting, and whether somebody insisted on it. */
export interface Place {
  host: Host;
  hostIds: number[];
  forced: boolean;
}

/** A meeting that is to be moved, or given to another host. */
export interface Moving {
  id: number;
  type_id: number | null;
  host_ids: readonly number[];
  duration_minutes: number;
  buffer_before_minutes: number;
  buffer_after_minutes: number;
}

/** What becomes of it. */
export interface Move {
  /** Who is to have it. */
  hosts: readonly Host[];
  times: Times;
  /** It gets another start. */
  starts: boolean;
  /** It goes to another host. */
  rehosts: boolean;
}

/** Whoever agreed on a start is not asked again how far ahead it is. */
const AGREED = { earliest: -Infinity, latest: Infinity };

/**
 * Finds who takes a meeting. The hosts in question are held until the end of the transaction, so of bookings at one
 * moment each sees what the one before it did. Locks are taken in this order: type (shared meetings), meeting, hosts.
 */
@Injectable()
export class BookingService {
  constructor(
    private readonly book: HostBook,
    private readonly finder: SlotFinder,
  ) {}

  /** What is on offer; 422 when the type is not bookable or nobody could come. */
  async offer(typeId: number | null, hostId: number | null, force: boolean): Promise<Offer> {
    const offer = await this.finder.offer(typeId, hostId === null ? null : [hostId], undefined);
    if (offer.type?.is_active === false && !force)
      invalid('type_id', 'inactive', '"type_id" names a type of meeting that is not active.');
    if (offer.hosts.length === 0) invalid('host_id', 'required', 'There is no active user: name one in "host_id".');
    return offer;
  }

  /** The hosts of a new meeting, who stay active until the end of the transaction. */
  async place(offer: Offer, hostId: number | null, times: Times, force: boolean): Promise<Place> {
    const place = await this.choose(offer, hostId, times, force);
    await this.book.keep(place.hostIds);
    return place;
  }

  /**
   * Whether a meeting can be where it is to go, and be as long: by the rules of its type, those of notice when its start
   * changes; without one by what its hosts have at the time. Answers whether somebody insisted.
   */
  async move(moving: Moving, { hosts, times, starts, rehosts }: Move, force: boolean): Promise<boolean> {
    const type = await this.typeOf(moving);
    const ids = hosts.map(({ id }) => id);
    if (rehosts) requireHostsOf(type, ids);
    if (times.duration_minutes !== moving.duration_minutes && !force) requireDuration(type, times);
    await this.book.hold(ids);
    const offer = offerOf(moving, type, hosts, times, starts ? bookingWindow(type, clockMs()) : AGREED);
    const free = await this.free(offer, times, moving.id);
    if (ids.every((id) => free.includes(id))) return false;
    if (!force) refuse(offer, times);
    return true;
  }

  /** Who takes over a meeting whose host has left, by the order of its type; null when nobody is free. */
  async successorOf(moving: Moving, times: Times): Promise<number | null> {
    const type = await this.typeOf(moving);
    const { hosts } = await this.finder.offer(moving.type_id, null, undefined);
    if (hosts.length === 0) return null;
    const free = await this.free(offerOf(moving, type, hosts, times, AGREED), times, moving.id);
    return (await this.inOrder(type, free))[0] ?? null;
  }

  private async choose(offer: Offer, hostId: number | null, times: Times, force: boolean): Promise<Place> {
    const { type, hosts } = offer;
    if (!force) requireDuration(type, times);
    // Whoever comes too late need not wait for the others: only what looks free is held and looked at again.
    if (!force && (await this.free(offer, times, null)).length === 0) refuse(offer, times);
    await this.book.hold(hosts.map(({ id }) => id));
    const free = await this.free(offer, times, null);
    const forced = free.length === 0;
    if (forced && !force) refuse(offer, times);
    const among = forced ? hosts.map(({ id }) => id) : free;
    if (type?.scheduling === 'collective') {
      const all = hosts.map(({ id }) => id);
      return { host: hostOf(hosts, hostId ?? all[0]), hostIds: all, forced };
    }
    const host = hostOf(hosts, (await this.inOrder(type, among))[0]);
    return { host, hostIds: [host.id], forced };
  }

  private inOrder(type: TypeRules | null, ids: readonly number[]): Promise<readonly number[]> {
    return type?.scheduling === 'single' ? Promise.resolve(ids) : this.book.byTurn(ids, type?.id ?? null);
  }

  private async typeOf({ type_id: id }: Moving): Promise<TypeRules | null> {
    return id === null ? null : ((await this.book.type(id)) ?? null);
  }

  /** Which of the hosts can have the meeting: in a slot of the type, or without one whenever they have nothing else. */
  private async free(offer: Offer, times: Times, except: number | null): Promise<readonly number[]> {
    const start = Date.parse(times.starts_at);
    if (offer.type) {
      const slots = await this.finder.fresh(offer, start, start + 1, except);
      return slots[0]?.hosts ?? [];
    }
    const { rules, hosts } = offer;
    const [from, to] = [start - rules.before, Date.parse(times.ends_at) + rules.after];
    const ids = hosts.map(({ id }) => id);
    const engagements = await this.book.engagements(ids, ...span(from, to, rules), null, except);
    return ids.filter((id) => !(engagements.get(id)?.busy ?? []).some(([begin, end]) => begin < to && end > from));
  }
}

/** A meeting keeps its buffers, and is as long as it is to be. */
function offerOf(
  moving: Moving,
  type: TypeRules | null,
  hosts: readonly Host[],
  times: Times,
  window: Offer['window'],
): Offer {
  const rules = {
    ...slotRules(type),
    duration: times.duration_minutes * MINUTE_MS,
    before: moving.buffer_before_minutes * MINUTE_MS,
    after: moving.buffer_after_minutes * MINUTE_MS,
  };
  return { type, hosts: [...hosts], rules, window };
}

/** Meetings of a type are as long as it says. */
function requireDuration(type: TypeRules | null, { duration_minutes: minutes }: Times): void {
  if (!type || minutes === type.duration_minutes) return;
  invalid('duration_minutes', 'duration_of_type', `Meetings of this type take ${type.duration_minutes} minutes.`, {
    allowed: [type.duration_minutes],
  });
}

function hostOf(hosts: readonly Host[], id: number | undefined): Host {
  const host = hosts.find((each) => each.id === id);
  if (!host) throw new Error('A place without a host.');
  return host;
}

function refuse({ type, window }: Offer, { starts_at }: Times): never {
  const start = Date.parse(starts_at);
  const reason = type ? whyNot(type, window, start) : 'the time is already taken';
  invalid('starts_at', 'slot_unavailable', `The meeting cannot start at ${starts_at}: ${reason}.`);
}

function whyNot(type: TypeRules, { earliest, latest }: Offer['window'], start: number): string {
  if (start < earliest) return `this type wants ${type.minimum_notice_minutes} minutes of notice`;
  if (start > latest) return `this type can be booked at most ${type.booking_window_days} days ahead`;
  return 'it is no free slot, see GET /meetings/availability';
}

/** Booked without a slot being checked: which rules of the type a meeting keeps for itself. */
export function buffersOf(type: TypeRules | null): Record<'buffer_before_minutes' | 'buffer_after_minutes', number> {
  return {
    buffer_before_minutes: type?.buffer_before_minutes ?? 0,
    buffer_after_minutes: type?.buffer_after_minutes ?? 0,
  };
}
