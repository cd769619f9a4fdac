import type { Database } from '../database/database';
import { eventInsert } from './event-rows';

/**
 * Writes the event of something that is no resource of the kernel, e.g. a token, inside the current unit of work.
 *
 * @param type `object.what_happened`; the object is the name under which `record` appears in `data`
 */
export async function announce(
  database: Database,
  workspaceId: number,
  type: string,
  id: number,
  record: object,
): Promise<void> {
  const values: unknown[] = [workspaceId, id, JSON.stringify(record)];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const object = type.split('.')[0] ?? '';
  const events = eventInsert(object, 'record', [{ type, changes: null }], bind);
  await database.run([
    { text: `WITH record AS (SELECT $2::bigint AS id, $3::json AS body), ${events} SELECT 1`, values },
  ]);
}
