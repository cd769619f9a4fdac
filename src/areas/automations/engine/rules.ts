import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Schedule } from '../../../platform/calendar/schedule';
import type { Condition, Conditions } from '../../../platform/conditions/condition';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { type Query, sql } from '../../../platform/postgres/statement-batch';
import { defaultPolicy } from '../../sla/default-policy';
import type { Rule } from './rule';

const MAX_WORKSPACES = 500;
const AROUND_THE_CLOCK: Schedule = { mode: '24x7' };

/** The active rules of a workspace, in order, and its business hours. */
export interface RuleBook {
  rules: readonly Rule[];
  hours: Schedule;
}

/** Keeps the rule books of workspaces, each for as long as its stamp stays the same. */
@Injectable()
export class Rules {
  private readonly books = new LRUCache<number, { stamp: string; book: RuleBook }>({ max: MAX_WORKSPACES });

  constructor(private readonly database: Database) {}

  /**
   * One row, one text that differs whenever an active rule or the business hours did, as every write raises a version: each of the
   * active rules counts by what it is, so that one takes the place of another in no sum.
   */
  stampStatement(): Query<{ stamp: string }> {
    return {
      text: `SELECT (SELECT count(*) || ':' || coalesce(sum(hashint8extended(id, version)), 0) FROM automations WHERE workspace_id = $1 AND is_active)
        || '|' || coalesce((${defaultPolicy(`id || ':' || version`)}), '') AS stamp`,
      values: [currentWorkspaceId()],
    };
  }

  /** The rule book that belongs to a stamp read a moment ago. */
  async book(stamp: string): Promise<RuleBook> {
    const workspaceId = currentWorkspaceId();
    const known = this.books.get(workspaceId);
    if (known?.stamp === stamp) return known.book;
    const found = await this.database.transaction(() =>
      this.database.batch({
        stamps: this.stampStatement(),
        stored: sql<Rule>(
          `SELECT ${RULE_COLUMNS} FROM automations WHERE workspace_id = $1 AND is_active ORDER BY position, id`,
          [workspaceId],
        ),
        policies: sql<{ schedule: Schedule | null }>(defaultPolicy('schedule'), [workspaceId]),
      }),
    );
    const book: RuleBook = {
      rules: found.stored.map(withFilters),
      hours: found.policies[0]?.schedule ?? AROUND_THE_CLOCK,
    };
    this.books.set(workspaceId, { stamp: found.stamps[0]?.stamp ?? '', book });
    return book;
  }

  /** The rule as stored, active or not; null when there is none. In the current unit of work. */
  async find(id: number): Promise<Rule | null> {
    const [row] = await this.database.query<{ rule: Rule }>(
      `SELECT row_to_json(r) AS rule FROM (SELECT ${RULE_COLUMNS} FROM automations WHERE workspace_id = $1 AND id = $2) r`,
      [currentWorkspaceId(), id],
    );
    return row?.rule ?? null;
  }
}

const RULE_COLUMNS =
  'id, version, name, trigger, conditions, actions, stop_processing, run_once_per_ticket, delay_minutes, only_in_business_hours';

/** The filters of the trigger as conditions before the others, so that the log explains them, too. */
export function withFilters(rule: Rule): Rule {
  const filters = Object.entries(rule.trigger.filters ?? {});
  if (filters.length === 0) return rule;
  const wanted = filters.map(([field, value]): Condition => ({
    field,
    operator: Array.isArray(value) ? 'in' : 'eq',
    value,
  }));
  const conditions: Conditions = { ...rule.conditions, all: [...wanted, ...(rule.conditions.all ?? [])] };
  return { ...rule, conditions };
}
