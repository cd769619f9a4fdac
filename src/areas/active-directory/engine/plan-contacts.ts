import { type Claim, settleAddresses, type Settlement } from './addresses';
import { contactOf, isCustomer, toBeContact } from './contact-values';
import type { AppliedContact, KnownPerson, LinkStatus, LocalContact, SyncStatus } from './objects';
import { difference, type PlannedChange, STAGES } from './plan';
import { NEWS, REASONS } from './plan-people';
import type { Case, Situation } from './situation';
import { roleOf } from './user-values';

const FIELDS = ['name', 'email', 'phone', 'mobile', 'job_title', 'status'] as const;
const AS_SET = { code: 'kept', message: 'The connection takes nobody access away.' };
const ERASED = { code: 'erased', message: 'Their contact was erased, and stays so.' };

/** What every change has before it is known what it does. */
type Base = Omit<PlannedChange, 'person' | 'standing'>;

/** What is known of contacts and addresses before anything is decided. */
interface Addressed {
  /** Contacts that become somebody of the directory, because of the address. */
  links: ReadonlyMap<string, LocalContact>;
  settled: Settlement;
  byId: ReadonlyMap<number, LocalContact>;
}

/**
 * What becomes of the people whom no mapping makes a user, where the connection makes contacts of them, and of the contacts that it has
 * made: the rules of users, but that a contact has no rights. Who is a contact and becomes a user stays one, as they have tickets.
 */
export function planContacts(situation: Situation): PlannedChange[] {
  const about = addressed(situation);
  const place = new Map(about.settled.order.map((guid, index) => [guid, index]));
  const changes = situation.cases.flatMap((each) => decided(each, situation, about) ?? []);
  changes.sort((one, other) => (place.get(one.guid) ?? -1) - (place.get(other.guid) ?? -1));
  const aside = situation.cases.filter(({ person }) => about.settled.interim.includes(person.guid));
  return [...aside.map(stepAside), ...changes, ...gone(situation, about)];
}

/** Whose contact is whose because of the address, and who is to have another address. */
function addressed(situation: Situation): Addressed {
  const { cases, local } = situation;
  const contacts = local.contacts ?? [];
  const byId = new Map(contacts.map((contact) => [contact.id, contact]));
  const holders = new Map(contacts.map((contact) => [contact.email.toLowerCase(), contact]));
  const links = new Map<string, LocalContact>();
  // Whoever was gone and is back has their contact still.
  const linked = new Set(cases.flatMap(({ known }) => known?.contact_id ?? []));
  const claims: Claim[] = [];
  for (const each of cases) {
    const { person, known } = each;
    const to = person.email?.toLowerCase() ?? null;
    if (to === null || !toBeContact(each, situation)) continue;
    const contact = byId.get(known?.contact_id ?? 0);
    if (contact) {
      const from = contact.email.toLowerCase();
      if (known?.contact_applied?.email !== to && from !== to) claims.push({ guid: person.guid, from, to });
      continue;
    }
    const holder = holders.get(to);
    if (holder && !holder.is_held && !linked.has(holder.id)) {
      linked.add(holder.id);
      links.set(person.guid, holder);
    } else claims.push({ guid: person.guid, from: null, to });
  }
  return { links, settled: settleAddresses(claims, new Set(holders.keys())), byId };
}

/** What is done about one person; null when nothing is, or nothing by this. */
function decided(each: Case, situation: Situation, { links, settled, byId }: Addressed): PlannedChange | null {
  const { person, known } = each;
  const wants = toBeContact(each, situation);
  const own = byId.get(known?.contact_id ?? 0) ?? null;
  if (known?.link_status === 'ignored' || (!wants && own === null)) return null;
  // Of somebody who is a user what is new is told with that.
  const tells = isCustomer(each, situation);
  const mapped_role = roleOf(each.mapped, situation.rules)?.role ?? null;
  const news = tells ? difference(known, person, NEWS) : null;
  const told = (sync_status: SyncStatus, link_status: LinkStatus): Partial<PlannedChange> =>
    tells ? { person, standing: { link_status, sync_status, mapped_role, missing_runs: 0 } } : {};
  const contact = own ?? links.get(person.guid) ?? null;
  const base: Base = {
    ...{ stage: STAGES.people, object: 'contact', guid: person.guid, name: person.display_name, action: 'none' },
    ...{ result: 'planned', error: null, deactivates: false, before: news?.before ?? null, after: news?.after ?? null },
  };
  const refusal = settled.refused.get(person.guid);
  if (refusal !== undefined)
    return { ...base, error: REASONS[refusal] ?? null, ...told('error', own ? 'linked' : 'conflict') };
  const isNews = tells && (news !== null || !isStanding(known, mapped_role, contact !== null));
  if (contact?.is_erased) return isNews ? { ...base, error: ERASED, ...told('synced', 'linked') } : null;
  if (!person.enabled) {
    if (own === null) return null;
    if (own.status !== 'active') return isNews ? { ...base, ...told('synced', 'linked') } : null;
    const leaves = leave(base, own, situation, tells);
    return leaves.action === 'disable' || isNews ? { ...leaves, ...told('synced', 'linked') } : null;
  }
  if (contact === null && person.email === null)
    return isNews ? { ...base, error: REASONS.no_email ?? null, ...told('synced', 'unlinked') } : null;
  return written(
    base,
    each,
    contact,
    { wants, isLink: own === null && contact !== null, isNews },
    told('synced', 'linked'),
  );
}

/** What the directory has to say of a contact, where that is anything new. */
function written(
  base: Base,
  { person, known }: Case,
  contact: LocalContact | null,
  { wants, isLink, isNews }: { wants: boolean; isLink: boolean; isNews: boolean },
  told: Partial<PlannedChange>,
): PlannedChange | null {
  // What was said of a contact that is gone is nothing that this one has.
  const before = contact === null || isLink ? null : (known?.contact_applied ?? null);
  const { values, applied } = wants ? contactOf(person, contact, before) : { values: {}, applied: { ...before } };
  const isBack = contact?.status === 'blocked' && before?.status === 'blocked';
  if (isBack) Object.assign(values, { status: 'active' });
  if (isBack) applied.status = null;
  const isNothing = Object.keys(values).length === 0 && contact !== null && !isLink;
  const isSame = JSON.stringify(applied) === JSON.stringify(before ?? {});
  if (isNothing && isSame && !isNews) return null;
  if (isNothing) return { ...base, ...told, contact_applied: applied };
  const action = contact === null ? 'create' : isLink ? 'link' : isBack ? 'enable' : 'update';
  const said = FIELDS.filter((name) => values[name] !== undefined);
  const was = contact && Object.fromEntries(said.map((name) => [name, contact[name]]));
  return {
    ...base,
    ...told,
    action,
    before: was ? { ...base.before, contact: { id: contact.id, ...was } } : base.before,
    after: { ...base.after, contact: { ...(contact ? { id: contact.id } : {}), ...values } },
    contact: values,
    contact_applied: applied,
    ...(isLink && contact ? { contact_link: contact.id } : {}),
  };
}

/** Who is gone from the directory, or disabled there, asks no more. */
function leave(base: Base, contact: LocalContact, { rules }: Situation, isAll: boolean): PlannedChange {
  if (rules.deprovision === 'none') return { ...base, error: AS_SET };
  const status = 'blocked';
  return {
    ...base,
    ...{ action: 'disable', deactivates: isAll, contact: { status }, contact_applied: { status } },
    before: { ...base.before, contact: { id: contact.id, status: contact.status } },
    after: { ...base.after, contact: { id: contact.id, status } },
  };
}

function gone(situation: Situation, { byId }: Addressed): PlannedChange[] {
  const { people } = situation.absent;
  return situation.local.people.flatMap(
    ({ guid, display_name: name, sync_status, link_status, contact_id, user_id }) => {
      const contact = byId.get(contact_id ?? 0);
      const isOver = sync_status === 'deleted_in_source' || link_status === 'ignored' || !people.gone.has(guid);
      if (isOver || contact?.status !== 'active' || contact.is_erased) return [];
      const stage = people.told.has(guid) ? STAGES.leaving : STAGES.missing;
      const base = {
        ...({ stage, object: 'contact', guid, name, action: 'none', result: 'planned' } as const),
        ...{ error: null, deactivates: false, before: null, after: null },
      };
      return [leave(base, contact, situation, user_id === null)];
    },
  );
}

function isStanding(known: KnownPerson | null, mapped_role: string | null, isLinked: boolean): boolean {
  return (
    known?.sync_status === 'synced' &&
    known.missing_runs === 0 &&
    known.mapped_role === mapped_role &&
    known.link_status === (isLinked ? 'linked' : 'unlinked')
  );
}

/** An address that is given up so that others can have it, until its owner gets the next one. */
function stepAside({ person: { guid, display_name: name } }: Case): PlannedChange {
  const email = `${guid.replaceAll(/[^a-z0-9-]/gi, '').slice(0, 60)}@moving.invalid`;
  const applied: AppliedContact = { email };
  return {
    ...{ stage: STAGES.addresses, object: 'contact', guid, name, action: 'update', result: 'planned' },
    ...{ error: null, deactivates: false, before: null, after: { contact: { email } } },
    ...{ contact: { email }, contact_applied: applied },
  };
}
