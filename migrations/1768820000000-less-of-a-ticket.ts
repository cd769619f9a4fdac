import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns that take one of a few texts, by table. */
const CHOICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tickets: {
    channel: 'portal,email,phone,chat,internal',
    on_hold_reason: 'customer,third_party,internal',
    priority: 'low,medium,high,urgent',
    sla_status: 'none,on_track,at_risk,breached,paused,met',
    status: 'open,in_progress,on_hold,resolved,closed',
    type: 'question,incident,problem,request,task',
  },
  sla_clocks: {
    metric: 'first_response,next_response,resolution',
    outcome: 'active,paused,met,breached,cancelled',
  },
};

/**
 * What a column may be is one constant: PostgreSQL makes a list of constants ready anew in every statement that writes the table. And a
 * closed ticket is in one index for retention, not in two: it is anonymous, or it is not.
 */
export class LessOfATicket1768820000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await this.choose(runner, (column, values) => `${column} = ANY ('{${values}}'::text[])`);
    await runner.query(`
      DROP INDEX tickets_closed;
      CREATE INDEX tickets_anonymised ON tickets (workspace_id, closed_at, id) WHERE status = 'closed' AND anonymised_at IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX tickets_anonymised;
      CREATE INDEX tickets_closed ON tickets (workspace_id, closed_at, id) WHERE status = 'closed';
    `);
    await this.choose(runner, (column, values) => `${column} IN ('${values.replaceAll(',', "', '")}')`);
  }

  /** One look at each table. */
  private async choose(runner: QueryRunner, check: (column: string, values: string) => string): Promise<void> {
    for (const [table, columns] of Object.entries(CHOICES)) {
      const changes = Object.entries(columns).flatMap(([column, values]) => {
        const name = `ck_${table}_${column}`;
        return [`DROP CONSTRAINT ${name}`, `ADD CONSTRAINT ${name} CHECK (${check(column, values)})`];
      });
      await runner.query(`ALTER TABLE ${table} ${changes.join(', ')}`);
    }
  }
}
