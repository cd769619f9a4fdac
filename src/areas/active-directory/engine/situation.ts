import type { Mapped, Membership } from './membership';
import type { KnownPerson, Local, LocalUser, Person, Rules } from './objects';

/** What is missing or gone, by guid, and what that makes of it. */
export interface Absences {
  /** Known and not found, for so many full runs. */
  missing: Map<string, number>;
  gone: Set<string>;
  /** Of those, what the directory itself said is gone. */
  told: ReadonlySet<string>;
}

/** One person, with all that a decision needs. */
export interface Case {
  person: Person;
  known: KnownPerson | null;
  user: LocalUser | null;
  mapped: Mapped | undefined;
}

/** What every part of the plan looks at. */
export interface Situation {
  local: Local;
  rules: Rules;
  membership: Membership;
  /** People that the directory has. */
  cases: readonly Case[];
  absent: { people: Absences; groups: Absences };
}
