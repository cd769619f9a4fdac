import { invalid } from '../../platform/errors/api-error';
import type { Attendee, Guest } from './attendee';

/**
 * What is stored of validated attendees: addresses lower-cased; what an attendee does not say stays as it was.
 *
 * @param before the attendees until now
 * @throws ApiError 422 `duplicate` when an address occurs twice
 */
export function storedGuests(asked: readonly Pick<Attendee, keyof Attendee>[], before: readonly Guest[] = []): Guest[] {
  const known = new Map(before.map((guest) => [guest.email, guest]));
  const seen = new Set<string>();
  return asked.map((attendee, index) => {
    const email = attendee.email.trim().toLowerCase();
    if (seen.has(email))
      invalid(`attendees.${index}.email`, 'duplicate', `"attendees" names ${email.slice(0, 254)} twice.`);
    seen.add(email);
    const old = known.get(email);
    return {
      email,
      name: attendee.name === undefined ? (old?.name ?? null) : attendee.name || null,
      timezone: attendee.timezone === undefined ? (old?.timezone ?? null) : attendee.timezone,
      response: attendee.response ?? old?.response ?? 'needs_action',
      no_show: attendee.no_show ?? old?.no_show ?? false,
    };
  });
}

/** At another time everybody is asked again (RFC 5546, 3.2.2.1). */
export function askedAgain(guests: readonly Guest[]): Guest[] {
  return guests.map((guest) => ({ ...guest, response: 'needs_action' as const }));
}

/** The guests with more of them; who is there already stays as they are. */
export function joined(guests: readonly Guest[], more: readonly Guest[]): Guest[] {
  const there = new Set(guests.map(({ email }) => email));
  return [...guests, ...more.filter(({ email }) => !there.has(email))];
}
