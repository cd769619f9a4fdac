import type { Local, Snapshot } from './objects';
import type { Membership } from './membership';
import type { Absences } from './situation';
import { difference, type PlannedChange, STAGES } from './plan';

/** Full runs, one after the other, that must not find an object before it counts as gone. */
const RUNS_BEFORE_GONE = 2;

/** What a snapshot does not have any more; nothing is missing where something could not be read. */
export function absencesOf(
  { mode, removed, unreadable }: Snapshot,
  known: readonly { guid: string; sync_status: string; missing_runs: number }[],
  found: ReadonlySet<string>,
): Absences {
  const absences: Absences = { missing: new Map(), gone: new Set(), told: new Set(removed) };
  const isComplete = mode === 'full' && unreadable.length === 0;
  for (const { guid, sync_status, missing_runs } of known) {
    if (found.has(guid)) continue;
    if (sync_status === 'deleted_in_source' || absences.told.has(guid)) absences.gone.add(guid);
    else if (isComplete) {
      const runs = missing_runs + 1;
      if (runs >= RUNS_BEFORE_GONE) absences.gone.add(guid);
      else absences.missing.set(guid, runs);
    }
  }
  return absences;
}

/** What changes of the groups that are known. */
export function planGroups(
  { groups: read }: Snapshot,
  { groups: known }: Local,
  { missing, gone, told }: Absences,
  membership: Membership,
): PlannedChange[] {
  const changes: PlannedChange[] = [];
  const before = new Map(known.map((group) => [group.guid, group]));
  const plain = { object: 'group', result: 'planned', error: null, deactivates: false } as const;
  for (const group of new Map(read.map((each) => [each.guid, each])).values()) {
    const was = before.get(group.guid) ?? null;
    const is = membership.groups.get(group.guid)?.members ?? new Set<string>();
    const had = new Set(was?.members);
    const add = [...is].filter((guid) => !had.has(guid));
    const remove = [...had].filter((guid) => !is.has(guid));
    const differs = difference(was, group, ['distinguished_name', 'name', 'description', 'scope', 'type']);
    const isBack = was !== null && was.sync_status !== 'synced';
    if (was && !differs && !isBack && add.length === 0 && remove.length === 0) continue;
    const counts = add.length + remove.length > 0 ? { members: is.size } : {};
    const unknown = add.filter((each) => membership.index.find(each) === undefined);
    changes.push({
      ...plain,
      stage: STAGES.groups,
      guid: group.guid,
      name: group.name,
      action: was ? 'update' : 'create',
      before: was && { ...differs?.before, ...(add.length + remove.length > 0 ? { members: had.size } : {}) },
      after: { ...differs?.after, ...counts },
      group,
      members: { add, remove, unknown },
      standing: { sync_status: 'synced', missing_runs: 0 },
    });
  }
  for (const { guid, name, sync_status } of known) {
    if (sync_status === 'deleted_in_source') continue;
    const runs = missing.get(guid);
    if (runs !== undefined) {
      const standing = { sync_status: 'missing', missing_runs: runs } as const;
      const error = { code: 'missing', message: NOT_FOUND };
      changes.push({ ...plain, ...nothing, stage: STAGES.missing, guid, name, action: 'none', error, standing });
    } else if (gone.has(guid)) {
      const standing = { sync_status: 'deleted_in_source' } as const;
      const stage = told.has(guid) ? STAGES.leaving : STAGES.missing;
      changes.push({ ...plain, ...nothing, stage, guid, name, action: 'delete', standing });
    }
  }
  return changes;
}

const nothing = { before: null, after: null } as const;

export const NOT_FOUND =
  'The directory does not have it any more; it counts as gone when the next full run does not find it either.';
