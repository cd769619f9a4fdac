import type { Applied, AppliedContact, Group, LinkStatus, Person, SyncStatus } from './objects';

export const ACTIONS = ['create', 'update', 'disable', 'enable', 'delete', 'link', 'unlink', 'none'] as const;
export type Action = (typeof ACTIONS)[number];
export const RESULTS = ['planned', 'success', 'skipped', 'warning', 'failure'] as const;
export type Result = (typeof RESULTS)[number];

/** The order of what a run does; within a stage that of the plan. What is missing comes last, and only after a run without failures. */
export const STAGES = { groups: 0, addresses: 1, people: 2, managers: 3, leaving: 4, missing: 5 } as const;
export type Stage = (typeof STAGES)[keyof typeof STAGES];

/** What is written to the mirror of a person beside what the directory says. */
export interface Standing {
  link_status?: LinkStatus;
  sync_status?: SyncStatus;
  mapped_role?: string | null;
  missing_runs?: number;
}

/** What is written to a user. */
export interface UserValues {
  name?: string;
  email?: string;
  title?: string | null;
  phone?: string | null;
  role?: string;
  role_id?: number | null;
  status?: string;
  /** Teams that the mappings give and take; others stay. */
  teams?: { add: readonly number[]; remove: readonly number[] };
  /** Guid of the manager. */
  manager?: string | null;
}

/** What is written to a contact. */
export interface ContactValues {
  name?: string;
  email?: string;
  phone?: string | null;
  mobile?: string | null;
  job_title?: string | null;
  status?: 'active' | 'blocked';
}

/** Why something is not done, or not yet. */
export interface Reason {
  code: string;
  message: string;
}

/** What a run is to do about one object. */
export interface PlannedChange {
  stage: Stage;
  object: 'user' | 'contact' | 'group';
  guid: string;
  name: string;
  action: Action;
  /** `planned`, unless it is settled that nothing happens. */
  result: Result;
  error: Reason | null;
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
  /** Somebody loses access by it. */
  deactivates: boolean;
  /** What the directory says, where that is new. */
  person?: Person;
  group?: Group;
  /** Of a group: guids that are new among its members, and that are no more; what of the new ones names nobody who is known. */
  members?: { add: readonly string[]; remove: readonly string[]; unknown?: readonly string[] };
  standing?: Standing;
  /** The user that is linked by it. */
  link?: number;
  user?: UserValues;
  applied?: Applied;
  /** The contact that is linked by it. */
  contact_link?: number;
  contact?: ContactValues;
  contact_applied?: AppliedContact;
}

export interface Plan {
  changes: PlannedChange[];
  /** Objects that were looked at. */
  scanned: number;
  /** People who lose access. */
  deactivations: number;
  /** People with access before. */
  population: number;
  /** Why somebody has to approve it; null when nobody has. */
  approval: Reason | null;
}

/** What differs between two versions of an object, as `before` and `after` tell it; null when nothing does. */
export function difference<T extends object>(
  before: T | null,
  after: T,
  names: readonly (keyof T & string)[],
): { before: Record<string, unknown> | null; after: Record<string, unknown> } | null {
  const differs = names.filter(
    (name) => JSON.stringify(before?.[name] ?? null) !== JSON.stringify(after[name] ?? null),
  );
  if (differs.length === 0) return null;
  const of = (record: T): Record<string, unknown> =>
    Object.fromEntries(differs.map((name) => [name, record[name] ?? null]));
  return { before: before && of(before), after: of(after) };
}
