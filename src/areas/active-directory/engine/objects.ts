/** Somebody as a directory has them. Texts are trimmed, an empty one is null; moments are ISO 8601. */
export interface Person {
  /** Never changes, whatever becomes of name, place and address; lower case. */
  guid: string;
  distinguished_name: string | null;
  username: string | null;
  user_principal_name: string | null;
  email: string | null;
  display_name: string;
  given_name: string | null;
  surname: string | null;
  title: string | null;
  department: string | null;
  office: string | null;
  phone: string | null;
  mobile: string | null;
  /** Guid or distinguished name of the manager. */
  manager: string | null;
  enabled: boolean;
  locked: boolean;
  when_created: string | null;
  when_changed: string | null;
  /** Something that is another one whenever the entry is, photo included; absent where the directory has no such thing. */
  state?: string | null;
}

/** Where a group may be named: in its domain, in what trusts it, everywhere. Null where the directory does not tell. */
export const GROUP_SCOPES = ['domain_local', 'global', 'universal'] as const;
export type GroupScope = (typeof GROUP_SCOPES)[number];

/** What a group is for: rights, mail, or working together. Null where the directory does not tell. */
export const GROUP_TYPES = ['security', 'distribution', 'microsoft_365'] as const;
export type GroupType = (typeof GROUP_TYPES)[number];

/** A group as a directory has it. */
export interface Group {
  guid: string;
  distinguished_name: string | null;
  name: string;
  description: string | null;
  scope: GroupScope | null;
  type: GroupType | null;
  /** Guids or distinguished names of people and groups, in any order. */
  members: readonly string[];
}

/** An object that the directory has, and that could not be read. */
export interface Unreadable {
  /** Null where not even that is known. */
  guid: string | null;
  name: string;
  message: string;
}

/** What was read of a directory: everything (`full`), or what has changed. */
export interface Snapshot {
  mode: 'full' | 'delta';
  people: readonly Person[];
  groups: readonly Group[];
  /** Guids of people and groups that the directory says are gone. */
  removed: readonly string[];
  unreadable: readonly Unreadable[];
}

/** What was last written to a user because the directory said so; what differs from it since was done here, and stays. */
export interface Applied {
  name?: string;
  email?: string;
  title?: string | null;
  phone?: string | null;
  role?: string;
  role_id?: number | null;
  team_ids?: readonly number[];
  /** Set while the directory has taken the access away. */
  status?: 'deactivated' | 'suspended' | null;
  /** Guid. */
  manager?: string | null;
}

/** What was last written to a contact because a directory said so; what differs from it since was done here, and stays. */
export interface AppliedContact {
  name?: string;
  email?: string;
  phone?: string | null;
  mobile?: string | null;
  job_title?: string | null;
  /** Set while the directory has blocked them. */
  status?: 'blocked' | null;
}

/** How it stands between an object and a user, or a contact. */
export type LinkStatus = 'linked' | 'unlinked' | 'conflict' | 'ignored';
export type SyncStatus = 'synced' | 'pending' | 'error' | 'missing' | 'deleted_in_source';

/** Somebody as the directory was last known to have them. */
export interface KnownPerson extends Person {
  id: number;
  user_id: number | null;
  link_status: LinkStatus;
  sync_status: SyncStatus;
  mapped_role: string | null;
  missing_runs: number;
  applied: Applied | null;
  contact_id: number | null;
  contact_applied: AppliedContact | null;
}

/** A group as the directory was last known to have it. Members are guids. */
export interface KnownGroup extends Group {
  id: number;
  sync_status: 'synced' | 'missing' | 'deleted_in_source';
  missing_runs: number;
  mapped_role: MappedRole | null;
  mapped_team_ids: readonly number[];
}

/** A user of the workspace, as far as a directory has a say. */
export interface LocalUser {
  id: number;
  name: string;
  email: string;
  role: string;
  role_id: number | null;
  status: string;
  title: string | null;
  phone: string | null;
  team_ids: readonly number[];
  manager_id: number | null;
  directory_user_id: number | null;
}

/** A contact of the workspace, as far as a directory has a say. */
export interface LocalContact {
  id: number;
  email: string;
  name: string | null;
  phone: string | null;
  mobile: string | null;
  job_title: string | null;
  status: string;
  is_erased: boolean;
  /** They are somebody of a directory who is not gone from it. */
  is_held: boolean;
}

/** Roles that a directory may give: it makes no owners. */
export const MAPPED_ROLES = ['admin', 'supervisor', 'agent', 'light_agent'] as const;
export type MappedRole = (typeof MAPPED_ROLES)[number];

/** What the members of a group are here. */
export interface Mapping {
  /** Guid or distinguished name. */
  group: string;
  /** Null: the group gives teams to whoever has a role by another one, and brings nobody in. */
  role: MappedRole | null;
  role_id: number | null;
  team_ids: readonly number[];
  include_nested: boolean;
  /** The highest decides the role; of equal ones the first. */
  priority: number;
}

/** What of the settings of a connection decides what a run does. */
export interface Rules {
  mappings: readonly Mapping[];
  users_without_mapping: 'skip' | 'light_agent' | 'agent' | 'contact';
  deprovision: 'deactivate' | 'suspend' | 'none';
  preserve_manual_roles: boolean;
  safety: { max_deactivations_pct: number; max_deactivations_abs: number };
}

/** An object that others name, and that is not looked at itself. */
export interface Referenced {
  guid: string;
  distinguished_name: string | null;
  /** Of a group; null = somebody. */
  name: string | null;
}

/** Everything that is known here before a run, or all of it that the run touches. */
export interface Local {
  people: readonly KnownPerson[];
  groups: readonly KnownGroup[];
  users: readonly LocalUser[];
  /** Who of the people is a contact, and who has an address that one of them has. */
  contacts?: readonly LocalContact[];
  /** Where not everybody is among the people: who is named besides. */
  referenced?: readonly Referenced[];
  /** Where not everybody is among the people: how many of the connection have access. */
  population?: number;
  /** People who lost access within the last hour because the directory told them one by one, without anybody's approval. */
  just_left: number;
}
