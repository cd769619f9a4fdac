import { NOT_FOUND } from './plan-groups';
import type { KnownPerson, LocalUser, Rules } from './objects';
import { type PlannedChange, type Stage, STAGES, type Standing } from './plan';
import { mayWork } from './plan-people';
import type { Situation } from './situation';
import { OFF } from './user-values';

const LAST_OWNER = { code: 'last_owner', message: 'The last active owner of the workspace stays.' };
const AS_SET = { code: 'kept', message: 'The connection takes nobody access away.' };

/** Who loses access: who is disabled, who is nobody's business any more, and who is gone. */
export function planLeaving(situation: Situation): PlannedChange[] {
  const { cases, local, absent, rules } = situation;
  const users = new Map(local.users.map((user) => [user.id, user]));
  const owners = { left: local.users.filter(({ role, status }) => role === 'owner' && status === 'active').length };
  const changes: PlannedChange[] = [];
  for (const each of cases) {
    const { user, known, person } = each;
    if (!user || known?.link_status === 'ignored' || OFF.includes(user.status) || mayWork(each, situation)) continue;
    const change = leave(person.guid, person.display_name, user, rules, owners);
    // What is not done is told where there is something new to tell.
    if (change.action === 'disable' || known?.enabled !== person.enabled)
      changes.push({ ...change, stage: STAGES.leaving });
  }
  for (const known of local.people) {
    const { guid, display_name: name, sync_status, user_id } = known;
    if (sync_status === 'deleted_in_source') continue;
    const runs = absent.people.missing.get(guid);
    if (runs !== undefined) changes.push(missed(known, runs));
    if (!absent.people.gone.has(guid)) continue;
    const user = user_id === null ? undefined : users.get(user_id);
    // What the directory says itself is no conclusion from what was not found.
    const stage = absent.people.told.has(guid) ? STAGES.leaving : STAGES.missing;
    const standing = { sync_status: 'deleted_in_source' } as const;
    const isOff = !user || known.link_status === 'ignored' || OFF.includes(user.status);
    changes.push(
      isOff
        ? { ...nothing(guid, name, stage, standing), action: 'delete' }
        : { ...leave(guid, name, user, rules, owners), stage, standing },
    );
  }
  return changes;
}

function leave(
  guid: string,
  name: string,
  user: LocalUser,
  { deprovision }: Rules,
  owners: { left: number },
): PlannedChange {
  const isOwner = user.role === 'owner' && user.status === 'active';
  const error = deprovision === 'none' ? AS_SET : isOwner && owners.left <= 1 ? LAST_OWNER : null;
  const plain = nothing(guid, name, STAGES.leaving);
  if (error) return { ...plain, error };
  if (isOwner) owners.left--;
  const status = deprovision === 'suspend' ? 'suspended' : 'deactivated';
  return {
    ...plain,
    ...{ action: 'disable', deactivates: true, user: { status }, applied: { status } },
    ...{ before: { user: { status: user.status } }, after: { user: { status } } },
  };
}

function missed({ guid, display_name }: KnownPerson, missing_runs: number): PlannedChange {
  const standing = { sync_status: 'missing', missing_runs } as const;
  return { ...nothing(guid, display_name, STAGES.missing, standing), error: { code: 'missing', message: NOT_FOUND } };
}

function nothing(guid: string, name: string, stage: Stage, standing?: Standing): PlannedChange {
  return {
    ...{ stage, object: 'user', guid, name, action: 'none', result: 'planned', error: null, before: null, after: null },
    ...{ deactivates: false, ...(standing ? { standing } : {}) },
  };
}
