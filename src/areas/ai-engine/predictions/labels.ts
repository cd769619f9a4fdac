import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/postgres/statement-batch';
import type { LearntTask } from '../tasks';
import { ID, LISTS } from './label-rules';

/** Where values have their names; a user who is not active gets no ticket. */
const NAMES = {
  category:
    'SELECT id::text AS value, name AS label FROM categories WHERE workspace_id = $1 AND id = ANY($2::bigint[])',
  assignee: `SELECT id::text AS value, name AS label FROM users WHERE workspace_id = $1 AND status = 'active' AND id = ANY($2::bigint[])`,
  team: 'SELECT id::text AS value, name AS label FROM teams WHERE workspace_id = $1 AND id = ANY($2::bigint[])',
} as const;

/** What is a name itself. */
const isName = (task: LearntTask): task is 'tags' | 'intent' => task === 'tags' || task === 'intent';

/** Whether what the values of a task are called has to be looked up. */
export const isNamed = (task: LearntTask): task is keyof typeof NAMES => task in NAMES;

/** What values are called, and whether they are still there. */
@Injectable()
export class Labels {
  constructor(private readonly database: Database) {}

  /** Names of those of the values that can be said of a ticket now. */
  async of(task: LearntTask, values: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (isName(task)) return new Map(values.map((value) => [value, value]));
    const list = LISTS[task];
    if (list) return new Map(values.filter((value) => list.includes(value)).map((value) => [value, value]));
    if (!isNamed(task)) return new Map();
    const ids = values.filter((value) => ID.test(value));
    const statement = sql<{ value: string; label: string }>(NAMES[task], [currentWorkspaceId(), ids]);
    const rows = await this.database.read({ ...statement, quick: true });
    return new Map(rows.map(({ value, label }) => [value, label]));
  }
}
