import { type PlannedChange, STAGES } from './plan';
import type { Situation } from './situation';

/**
 * Who reports to whom, once everybody is there: managers who have a user here. Those who manage themselves in a circle are nobody's
 * staff.
 */
export function planManagers({ cases, local }: Situation, withUser: ReadonlySet<string>): PlannedChange[] {
  const managers = new Map(cases.map(({ person }) => [person.guid, person.manager]));
  const users = new Map(local.people.map(({ guid, user_id }) => [guid, user_id]));
  const changes: PlannedChange[] = [];
  for (const { person, known, user } of cases) {
    const { guid, display_name: name } = person;
    if (!withUser.has(guid) || known?.link_status === 'ignored') continue;
    const was = known?.applied?.manager ?? null;
    const is = person.manager !== null && withUser.has(person.manager) ? person.manager : null;
    if (is === was || (is === null && person.manager !== null)) continue;
    if (is !== null && isInCircle(guid, managers)) continue;
    const plain = { stage: STAGES.managers, object: 'user', guid, name, action: 'update', result: 'planned' } as const;
    changes.push({
      ...plain,
      ...{ error: null, deactivates: false, before: { user: { manager_id: user?.manager_id ?? null } } },
      ...{ after: { user: { manager_id: is === null ? null : (users.get(is) ?? is) } } },
      ...{ user: { manager: is }, applied: { manager: is } },
    });
  }
  return changes;
}

function isInCircle(guid: string, managers: ReadonlyMap<string, string | null>): boolean {
  const seen = new Set<string>();
  for (let next = managers.get(guid) ?? null; next !== null && !seen.has(next); next = managers.get(next) ?? null) {
    if (next === guid) return true;
    seen.add(next);
  }
  return false;
}
