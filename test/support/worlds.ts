import type { Operation } from './operations';

/** Operations of several steps on one record, each of which is a change of its own; a worker takes some of them. */
export const SEVERAL = [
  'POST /tickets/batch',
  'POST /active-directory/sync/runs/{id}/approve',
  'POST /migration/jobs/{id}/validate',
  'POST /migration/jobs/{id}/start',
  'POST /migration/jobs/{id}/resume',
  'POST /migration/jobs/{id}/retry-failed',
  'POST /migration/jobs/{id}/records/{rid}/retry',
  'POST /migration/jobs/{id}/rollback',
];

/** Workspaces to which the operations are dealt. */
export const WORLDS = Array.from({ length: 12 }, (_, world) => world);

/** What changes no more than a field, or makes something new, leaves the records fit for others. */
const isGentle = ({ method, path }: Operation): boolean =>
  (method === 'PATCH' || !path.includes('{') || GENTLE.test(`${method} ${path}`)) &&
  !SEVERAL.includes(`${method} ${path}`);

/** What adds to a ticket, or is beside it. */
const GENTLE =
  /^\w+ \/tickets\/\{id\}\/(links|followers|rating-link|follow-up|deescalate)\b|^POST \/tickets\/\{id\}\/comments$|^\w+ \/teams\/\{id\}\/members\b/;

/**
 * Deals the operations to as few workspaces as can be, each with one of an area at most that is not gentle: it meets
 * records that nothing of its area has changed. Deletions come last.
 */
export function dealt(operations: readonly Operation[]): Operation[][] {
  const groups: Operation[][] = WORLDS.map(() => []);
  const areaOf = ({ path }: Operation): string => path.split('/')[1] ?? '';
  for (const [index, operation] of operations.entries()) {
    const isFree = (group: readonly Operation[]): boolean =>
      !group.some((other) => !isGentle(other) && areaOf(other) === areaOf(operation));
    const group = isGentle(operation) ? groups[index % groups.length] : groups.find(isFree);
    if (!group) throw new Error(`Area ${areaOf(operation)} needs more workspaces than there are.`);
    group.push(operation);
  }
  const rank = (operation: Operation): number => (isGentle(operation) ? 0 : operation.method === 'DELETE' ? 2 : 1);
  return groups.map((group) => group.toSorted((one, other) => rank(one) - rank(other)));
}
