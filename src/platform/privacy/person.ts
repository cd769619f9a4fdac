import type { Identifiers } from './identifiers';
import { Scrubber } from './scrubber';

/** Somebody who is being erased: whom, and by what they are known. */
export interface Person {
  workspaceId: number;
  erasureId: number;
  contactId: number;
  /** Lower-case; those of users of the workspace among them, which are not looked for in what belongs to nobody in particular. */
  addresses: readonly string[];
  identifiers: Identifiers;
  scrubber: Scrubber;
  /** Records of later (ISO 8601) that do not name the contact are of whoever uses the address by then. */
  before: string;
  /** Nobody in particular: records that were noted before it began are made anonymous. */
  isAnonymous?: boolean;
  /** The same for copies, which may be made later of what was there before. */
  copiesBefore: string;
}

/** What an erasure keeps of a person from one turn to the next. */
export type KeptPerson = Omit<Person, 'scrubber'>;

export function personOf(kept: KeptPerson): Person {
  return { ...kept, scrubber: new Scrubber(kept.identifiers) };
}
