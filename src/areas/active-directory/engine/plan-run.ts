import { absencesOf, planGroups } from './plan-groups';
import type { Case, Situation } from './situation';
import { planContacts } from './plan-contacts';
import { planManagers } from './plan-managers';
import { planPeople } from './plan-people';
import { planLeaving } from './plan-leaving';
import { mappedBy, membershipOf } from './membership';
import type { KnownPerson, Local, Mapping, Rules, Snapshot } from './objects';
import { type Plan, type PlannedChange, type Reason, STAGES } from './plan';
import { OFF } from './user-values';

/**
 * What a run is to do, worked out from what was read, what is known and what the workspace has. Pure: the same input, the same plan;
 * nothing is done. A plan that was carried out leaves nothing to plan.
 */
export function planRun(snapshot: Snapshot, local: Local, rules: Rules): Plan {
  const situation = situationOf(snapshot, local, rules);
  const people = planPeople(situation);
  const changes = [
    ...unreadable(snapshot),
    ...planGroups(snapshot, local, situation.absent.groups, situation.membership),
    ...people.changes,
    ...planContacts(situation),
    ...planManagers(situation, people.withUser),
    ...planLeaving(situation),
  ];
  const ordered = changes.map((change, place) => ({ change, place }));
  ordered.sort((one, other) => one.change.stage - other.change.stage || one.place - other.place);
  const deactivations = changes.filter(({ deactivates }) => deactivates).length;
  const population = populationOf(local);
  return {
    changes: ordered.map(({ change }) => change),
    scanned: snapshot.people.length + snapshot.groups.length + snapshot.removed.length,
    deactivations,
    population,
    approval: approvalOf(deactivations, population, local.just_left, rules),
  };
}

function situationOf(snapshot: Snapshot, local: Local, rules: Rules): Situation {
  const skipped = new Set(snapshot.unreadable.flatMap(({ guid }) => guid ?? []));
  const read = new Map(snapshot.people.filter(({ guid }) => !skipped.has(guid)).map((each) => [each.guid, each]));
  const foundGroups = new Set([...snapshot.groups.map(({ guid }) => guid), ...skipped]);
  const groups = absencesOf(snapshot, local.groups, foundGroups);
  const people = absencesOf(snapshot, local.people, new Set([...read.keys(), ...skipped]));
  const membership = membershipOf(snapshot, local, groups.gone);
  const mapped = mappedBy(membership, [...rules.mappings, ...ownMappings(local)]);
  const users = new Map(local.users.map((user) => [user.id, user]));
  const known = new Map(local.people.map((each) => [each.guid, each]));
  // Whoever is missing is not talked about until they are back, or gone.
  const stays = ({ guid, sync_status }: KnownPerson): boolean =>
    sync_status !== 'missing' &&
    !skipped.has(guid) &&
    !read.has(guid) &&
    !people.gone.has(guid) &&
    !people.missing.has(guid);
  const all = [...read.values(), ...local.people.filter(stays)];
  const cases = all.map((each): Case => {
    const before = known.get(each.guid) ?? null;
    const manager = each.manager === null ? null : (membership.index.find(each.manager) ?? null);
    const user = before?.user_id ? (users.get(before.user_id) ?? null) : null;
    return { person: { ...each, manager }, known: before, user, mapped: mapped.get(each.guid) };
  });
  return { local, rules, membership, cases, absent: { people, groups } };
}

/** What groups say themselves, after the mappings of the connection. */
function ownMappings({ groups }: Local): Mapping[] {
  return groups
    .filter(({ mapped_role, mapped_team_ids }) => mapped_role !== null || mapped_team_ids.length > 0)
    .map(({ guid, mapped_role: role, mapped_team_ids: team_ids }) => ({
      ...{ group: guid, role, role_id: null, team_ids },
      ...{ include_nested: true, priority: 0 },
    }));
}

/** People of the connection who have access, or ask as contacts. */
function populationOf({ people, users, population }: Local): number {
  if (population !== undefined) return population;
  const active = new Set(users.filter(({ status }) => !OFF.includes(status)).map(({ id }) => id));
  const isAsking = ({ contact_id, contact_applied }: KnownPerson): boolean =>
    contact_id !== null && contact_applied?.status !== 'blocked';
  return people.filter((each) => (each.user_id === null ? isAsking(each) : active.has(each.user_id))).length;
}

function approvalOf(now: number, population: number, before: number, { safety }: Rules): Reason | null {
  const { max_deactivations_pct: pct, max_deactivations_abs: most } = safety;
  const [deactivations, of] = [now + before, population + before];
  const isShare = deactivations > 1 && deactivations * 100 > pct * of;
  if (now === 0 || (deactivations <= most && !isShare)) return null;
  const limits = `at most ${most}, and ${pct} % where it is more than one`;
  const within = before > 0 ? ' within an hour' : '';
  const message = `${deactivations} of ${of} people would lose access${within}; without approval it may be ${limits}.`;
  return { code: 'safety', message };
}

function unreadable({ unreadable: objects }: Snapshot): PlannedChange[] {
  return objects.map(({ guid, name, message }) => ({
    ...{ stage: STAGES.people, object: 'user', guid: guid ?? '', name, action: 'none', result: 'failure' },
    ...{ error: { code: 'unreadable', message }, before: null, after: null, deactivates: false },
  }));
}
