import { isCustomer } from './contact-values';
import { type Claim, settleAddresses, type Settlement } from './addresses';
import type { KnownPerson, LinkStatus, LocalUser, SyncStatus } from './objects';
import {
  type Action,
  difference,
  type PlannedChange,
  type Reason,
  STAGES,
  type Standing,
  type UserValues,
} from './plan';
import type { Case, Situation } from './situation';
import { hasManualRole, OFF, roleOf, wantedOf } from './user-values';

/** What of a person is news; when the directory wrote it is not. */
export const NEWS = [
  ...(['distinguished_name', 'username', 'user_principal_name', 'email', 'display_name', 'given_name'] as const),
  ...(['surname', 'title', 'department', 'office', 'phone', 'mobile', 'manager', 'enabled', 'locked'] as const),
];

export const REASONS: Readonly<Record<string, Reason>> = {
  unmapped: { code: 'unmapped', message: 'No mapping makes a user of them.' },
  disabled: { code: 'disabled', message: 'Disabled in the directory, and no user yet.' },
  no_email: { code: 'no_email', message: 'A user needs an e-mail address, and the directory has none.' },
  ignored: { code: 'ignored', message: 'Somebody said to ignore them.' },
  taken: {
    code: 'taken',
    message: 'Their e-mail address belongs to somebody else here; link them, or change one of the addresses.',
  },
  claimed_twice: { code: 'claimed_twice', message: 'Two objects of the directory have this e-mail address.' },
};

/** Whether somebody is to have access. */
export function mayWork({ person, known, user, mapped }: Case, { rules }: Situation): boolean {
  if (!person.enabled) return false;
  if (roleOf(mapped, rules) !== null) return true;
  return user !== null && hasManualRole(user, known?.applied ?? null, rules);
}

/** What becomes of the people that the directory has, but for managers and for those who lose access; and who then has a user. */
export function planPeople(situation: Situation): { changes: PlannedChange[]; withUser: Set<string> } {
  const { links, claims } = addressed(situation);
  const settled = settleAddresses(claims, new Set(situation.local.users.map(({ email }) => email.toLowerCase())));
  const place = new Map(settled.order.map((guid, index) => [guid, index]));
  const changes = situation.cases.flatMap((each) => decided(each, situation, links, settled) ?? []);
  changes.sort((one, other) => (place.get(one.guid) ?? -1) - (place.get(other.guid) ?? -1));
  const withUser = new Set(situation.cases.filter(({ user }) => user !== null).map(({ person }) => person.guid));
  for (const { action, guid } of changes) if (action === 'create' || action === 'link') withUser.add(guid);
  const aside = situation.cases.filter(({ person }) => settled.interim.includes(person.guid));
  return { changes: [...aside.map(stepAside), ...changes], withUser };
}

/** Who is linked to which user because of the address, and who is to have another address. */
function addressed({ cases, local, rules }: Situation): { links: Map<string, LocalUser>; claims: Claim[] } {
  const holders = new Map(local.users.map((user) => [user.email.toLowerCase(), user]));
  // Whoever was gone and is back has their user still.
  const here = new Set(cases.map(({ person }) => person.guid));
  const isGone = ({ guid, sync_status }: KnownPerson): boolean =>
    sync_status === 'deleted_in_source' && !here.has(guid);
  const gone = new Set(local.people.filter(isGone).map(({ id }) => id));
  const links = new Map<string, LocalUser>();
  const linked = new Set<number>();
  const claims: Claim[] = [];
  for (const { person, known, user, mapped } of cases) {
    const { guid, enabled } = person;
    const to = person.email?.toLowerCase() ?? null;
    if (to === null || known?.link_status === 'ignored') continue;
    if (user) {
      if (known?.applied?.email !== to && user.email.toLowerCase() !== to)
        claims.push({ guid, from: user.email.toLowerCase(), to });
      continue;
    }
    if (!enabled || roleOf(mapped, rules) === null) continue;
    const holder = holders.get(to);
    const isFree = holder && (holder.directory_user_id === null || gone.has(holder.directory_user_id));
    if (holder && isFree && !linked.has(holder.id)) {
      linked.add(holder.id);
      links.set(guid, holder);
    } else claims.push({ guid, from: null, to });
  }
  return { links, claims };
}

/** What is done about one person; null when nothing is. */
function decided(
  each: Case,
  situation: Situation,
  links: ReadonlyMap<string, LocalUser>,
  settled: Settlement,
): PlannedChange | null {
  if (isCustomer(each, situation)) return null;
  const { person, known, mapped } = each;
  const refusal = settled.refused.get(person.guid);
  const news = difference(known, person, NEWS);
  const base = { stage: STAGES.people, object: 'user', guid: person.guid, name: person.display_name } as const;
  const makeUp = { ...base, result: 'planned', before: news?.before ?? null, deactivates: false, person } as const;
  const isIgnored = known?.link_status === 'ignored';
  const mapped_role = roleOf(mapped, situation.rules)?.role ?? null;
  const standing = (link_status: LinkStatus, sync_status: SyncStatus = 'synced'): Standing => ({
    ...{ link_status, sync_status, mapped_role, missing_runs: 0 },
  });
  if (refusal !== undefined) {
    const now = standing(known?.user_id ? 'linked' : 'conflict', 'error');
    const after = news?.after ?? null;
    return { ...makeUp, action: 'none', after, error: REASONS[refusal] ?? null, standing: now };
  }
  const user = each.user ?? links.get(person.guid) ?? null;
  const reason = isIgnored ? 'ignored' : user ? null : reasonOf(each, situation);
  if (reason !== null) {
    const now = standing(isIgnored ? 'ignored' : 'unlinked');
    if (!news && isSame(known, now)) return null;
    return { ...makeUp, action: 'none', after: news?.after ?? null, error: REASONS[reason] ?? null, standing: now };
  }
  const former = known ?? situation.local.people.find(({ id }) => id === user?.directory_user_id);
  const isBack = user !== null && OFF.includes(user.status) && former?.applied?.status === user.status;
  const isOn = mayWork(each, situation);
  const enables = isBack && isOn;
  const { values, applied } = wantedOf(
    person,
    user,
    known?.applied ?? null,
    mapped,
    situation.rules,
    person.email?.toLowerCase() ?? null,
  );
  if (enables) Object.assign(values, { status: 'active' });
  if (enables) applied.status = null;
  const now = standing('linked');
  const action: Action = !user ? 'create' : !each.user ? 'link' : enables ? 'enable' : 'update';
  const isNew = action === 'create' || action === 'link';
  const isNothing = Object.keys(values).length === 0 && !isNew;
  if (!news && isNothing && isSame(known, now) && JSON.stringify(applied) === JSON.stringify(known?.applied ?? {}))
    return null;
  const before = { ...news?.before, ...(isNothing || !user ? {} : { user: shownBefore(user, values) }) };
  const after = { ...news?.after, ...(isNothing ? {} : { user: values }) };
  return {
    ...makeUp,
    ...{ action, before: Object.keys(before).length > 0 ? before : null, after, error: null, standing: now, applied },
    ...(isNothing ? {} : { user: values }),
    ...(action === 'link' && user ? { link: user.id } : {}),
  };
}

/** Why somebody without a user gets none; null when they get one. */
function reasonOf({ person, mapped }: Case, { rules }: Situation): string | null {
  if (!person.enabled) return 'disabled';
  if (roleOf(mapped, rules) === null) return 'unmapped';
  return person.email === null ? 'no_email' : null;
}

function isSame(known: KnownPerson | null, now: Standing): boolean {
  const names = ['link_status', 'sync_status', 'mapped_role', 'missing_runs'] as const;
  return known !== null && names.every((name) => known[name] === now[name]);
}

/** What a user has of what is changed. */
function shownBefore(user: LocalUser, values: UserValues): Record<string, unknown> {
  const names = ['name', 'email', 'title', 'phone', 'role', 'role_id', 'status'] as const;
  const changed = names.filter((name) => values[name] !== undefined).map((name) => [name, user[name]] as const);
  return { ...Object.fromEntries(changed), ...(values.teams ? { team_ids: user.team_ids } : {}) };
}

/** An address that is given up so that others can have it, until its owner gets the next one. */
function stepAside({ person: { guid, display_name: name }, user }: Case): PlannedChange {
  const email = `${guid.replaceAll(/[^a-z0-9-]/gi, '').slice(0, 60)}@moving.invalid`;
  return {
    ...{ stage: STAGES.addresses, object: 'user', guid, name, action: 'update', result: 'planned' },
    ...{ error: null, deactivates: false, before: { user: { email: user?.email } }, after: { user: { email } } },
    ...{ user: { email }, applied: { email } },
  };
}
