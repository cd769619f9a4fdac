import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/postgres/statement-batch';
import type { LearntTask } from '../tasks';

/** Where values have their names; a user who is not active gets no ticket. */
const NAMES = {
  category: 'SELECT id::text AS value, name AS label FROM categories WHERE workspace_id = $1 AND id::text = ANY($2)',
  assignee: `SELECT id::text AS value, name AS label FROM users WHERE workspace_id = $1 AND status = 'active' AND id::text = ANY($2)`,
  team: 'SELECT id::text AS value, name AS label FROM teams WHERE workspace_id = $1 AND id::text = ANY($2)',
} as const;

/** What is a name itself. */
const isName = (task: LearntTask): task is 'tags' | 'intent' => task === 'tags' || task === 'intent';

const PRIORITIES = ['low', 'medium', 'high', 'urgent'];

/** What values are called, and whether they are still there. */
@Injectable()
export class Labels {
  constructor(private readonly database: Database) {}

  /** Names of those of the values that can be said of a ticket now. */
  async of(task: LearntTask, values: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (isName(task)) return new Map(values.map((value) => [value, value]));
    if (task === 'priority')
      return new Map(values.filter((value) => PRIORITIES.includes(value)).map((value) => [value, value]));
    const statement = sql<{ value: string; label: string }>(NAMES[task], [currentWorkspaceId(), [...values]]);
    const rows = await this.database.read(statement);
    return new Map(rows.map(({ value, label }) => [value, label]));
  }
}
