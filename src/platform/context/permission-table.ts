/** What is done to what: `tickets.read`, `tickets.delete`, `quotes.answer`. All that ends in `.read` changes nothing. */
export type Permission = `${string}.${string}`;

/** The built-in roles, from the one that may most to the one that may least: each may all that those behind it may. */
export const BUILT_IN_ROLES = ['owner', 'admin', 'supervisor', 'agent', 'light_agent'] as const;
export type BuiltInRole = (typeof BUILT_IN_ROLES)[number];

/** Whose permission it is besides that of roles that name it: the least of the built-in roles, or all there are. */
export type Holder = BuiltInRole | 'everyone';

/** What somebody may be allowed to do: one row of the table of an area. */
export interface PermissionSpec {
  name: Permission;
  /** One sentence: `See tickets.` */
  description: string;
  /** `everyone`: custom roles have it, whatever they say. */
  from: Holder;
}

/** What a role allows, whatever the scopes of the token that it is used with. */
export interface Rights {
  has(permission: Permission): boolean;
  /** Everything that areas declare can be read with them. */
  readonly readsAll: boolean;
  /** The same rights have the same key. */
  readonly key: string;
}

/** The first part of the path of a route that nobody declared: whoever has a token may be told that it is not there. */
export const ANYBODYS = 'me';

const ACTIONS = ['read', 'create', 'update', 'delete'] as const;
const WORDS = { read: 'See', create: 'Add', update: 'Change', delete: 'Delete' } as const;

/**
 * The four rows that most areas have.
 *
 * @param area first part of the path of its routes
 * @param things what they are about, e.g. `companies`
 * @param from the least of the built-in roles that may each
 */
export function usualPermissions(
  area: string,
  things: string,
  from: Readonly<Record<(typeof ACTIONS)[number], Holder>>,
): PermissionSpec[] {
  return ACTIONS.map((action) => ({
    name: `${area}.${action}`,
    description: `${WORDS[action]} ${things}.`,
    from: from[action],
  }));
}

/**
 * The permission that a route takes unless it says another (`@Needs`): a POST to a list creates, anything below a record
 * changes that record.
 *
 * @param path with the prefix, and with `:id` or `{id}` for what varies
 */
export function usualPermission(method: string, path: string): Permission {
  const [, area = '', ...more] = path.split('/').filter((part) => part !== '');
  const about = area === '' || area.startsWith('*') ? ANYBODYS : area;
  if (method === 'GET' || method === 'HEAD') return `${about}.read`;
  const named = more.filter((part) => /^[:{]/.test(part)).length;
  if (method === 'POST' && named === 0) return `${about}.create`;
  return method === 'DELETE' && named === 1 && /^[:{]/.test(more.at(-1) ?? '') ? `${about}.delete` : `${about}.update`;
}

let declared: readonly PermissionSpec[] = [];
let known = new Map<string, Rights>();
/** By the list of a role as it was read. */
let custom = new WeakMap<readonly string[], Rights>();

/** Makes these permissions known, and no others. @throws Error when two have one name, or one is no name */
export function installPermissions(specs: readonly PermissionSpec[]): void {
  const names = new Set<string>();
  for (const { name } of specs) {
    if (!/^[a-z]+(-[a-z]+)*\.[a-z]+(_[a-z]+)*$/.test(name))
      throw new Error(`"${name}" is no permission: write area.action.`);
    if (names.has(name)) throw new Error(`The permission "${name}" is declared twice.`);
    names.add(name);
  }
  declared = specs;
  known = new Map();
  custom = new WeakMap();
}

/** Every permission there is, in the order of the areas. */
export function declaredPermissions(): readonly PermissionSpec[] {
  return declared;
}

/** What a built-in role allows. Owners and admins may also do what an area forgot to declare. */
export function rightsOfRole(role: BuiltInRole): Rights {
  const rights = known.get(role) ?? builtIn(role);
  known.set(role, rights);
  return rights;
}

/** What a custom role allows: what it names, and what everybody may. */
export function rightsOfPermissions(permissions: readonly string[]): Rights {
  let rights = custom.get(permissions);
  if (!rights) custom.set(permissions, (rights = customRights(permissions)));
  return rights;
}

function customRights(permissions: readonly string[]): Rights {
  const all = new Set<string>([...permissions, ...namesFrom((from) => from === 'everyone')]);
  return { has: (permission) => isAnybodys(permission) || all.has(permission), readsAll: false, key: keyOf(all) };
}

function builtIn(role: BuiltInRole): Rights {
  const rank = BUILT_IN_ROLES.indexOf(role);
  const allowed = (from: Holder): boolean => from === 'everyone' || BUILT_IN_ROLES.indexOf(from) >= rank;
  const key = `role:${role}`;
  if (rank <= BUILT_IN_ROLES.indexOf('admin')) {
    const refused = new Set<string>(namesFrom((from) => !allowed(from)));
    return { has: (permission) => !refused.has(permission), readsAll: true, key };
  }
  const all = new Set<string>(namesFrom(allowed));
  return { has: (permission) => isAnybodys(permission) || all.has(permission), readsAll: false, key };
}

function namesFrom(test: (from: Holder) => boolean): Permission[] {
  return declared.filter(({ from }) => test(from)).map(({ name }) => name);
}

function isAnybodys(permission: Permission): boolean {
  return permission.startsWith(`${ANYBODYS}.`);
}

function keyOf(names: ReadonlySet<string>): string {
  return [...names].sort().join(' ');
}
