import { at, shortText, textAt } from './telling';

/** What somebody shares in place of words: a line that people can read, and the same for programs. */
export interface Shared {
  text: string;
  metadata: Readonly<Record<string, unknown>>;
}

/** A point on the map as networks tell it. */
export interface Place {
  latitude: unknown;
  longitude: unknown;
  name: string | null;
  address: string | null;
}

/** A place: `(location) Town hall, 1 Main Street, 52.52, 13.405`. Degrees that are none are left out. */
export function sharedPlace({ latitude, longitude, ...said }: Place): Shared {
  const [name, address] = [shortText(said.name), shortText(said.address)];
  const isPlace = isDegree(latitude, 90) && isDegree(longitude, 180);
  const words = [name, address, isPlace ? `${latitude}, ${longitude}` : null].filter((each) => each !== null);
  return {
    text: ['(location)', words.join(', ')].join(' ').trim(),
    metadata: {
      ...(isPlace ? { latitude, longitude } : {}),
      ...(name === null ? {} : { name }),
      ...(address === null ? {} : { address }),
    },
  };
}

/** Somebody whose card is shared: `(contact) Ada Lovelace, +12025550142`. */
export function sharedCard(said: { name: string | null; phone: string | null }): Shared {
  const [name, phone] = [shortText(said.name), shortText(said.phone, 64)];
  const words = [name, phone].filter((each) => each !== null);
  return {
    text: ['(contact)', words.join(', ')].join(' ').trim(),
    metadata: { ...(name === null ? {} : { contact_name: name }), ...(phone === null ? {} : { contact_phone: phone }) },
  };
}

/** The place at a member of a message: `{latitude, longitude, name, address}`. */
export function placeAt(message: unknown, member: string): Place {
  return {
    latitude: at(message, member, 'latitude'),
    longitude: at(message, member, 'longitude'),
    name: textAt(message, member, 'name'),
    address: textAt(message, member, 'address'),
  };
}

function isDegree(value: unknown, most: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= most;
}
