import type { MigrationInterface, QueryRunner } from 'typeorm';

const constraint = (table: string, tasks: string): string => `
  ALTER TABLE ${table} DROP CONSTRAINT ck_${table}_task;
  ALTER TABLE ${table} ADD CONSTRAINT ck_${table}_task CHECK (task IN (${tasks}));
`;

const LEARNT = `'category', 'priority', 'assignee', 'team', 'tags', 'intent'`;
const OTHERS = `'language', 'sentiment', 'duplicate', 'resolution_time', 'sla_breach_risk'`;
const NEW = `'csat_risk'`;

/**
 * What answers are taken of, in which categories, how they are signed; what models elsewhere cost; whether customers are going to be
 * content; and models that have become worse than they said.
 */
export class CompleteTheAiEngine1768200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ai_settings
        ADD COLUMN sources jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN categories bigint[] NOT NULL DEFAULT '{}',
        ADD COLUMN tone text,
        ADD COLUMN signature text,
        ADD COLUMN max_tokens_month integer;
      ALTER TABLE ai_calls
        ADD COLUMN fell_back boolean NOT NULL DEFAULT false,
        ADD COLUMN cost numeric;
      ALTER TABLE ai_conversations
        ADD COLUMN model text,
        ADD COLUMN tokens_in integer NOT NULL DEFAULT 0,
        ADD COLUMN tokens_out integer NOT NULL DEFAULT 0,
        ADD COLUMN cost numeric,
        ADD COLUMN latency_ms integer;
      ALTER TABLE ai_models ADD COLUMN drifted_at timestamptz(3);
    `);
    await runner.query(constraint('ai_models', `${LEARNT}, ${NEW}`));
    await runner.query(constraint('ai_predictions', `${LEARNT}, ${NEW}, ${OTHERS}`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SET LOCAL ROLE helpdesk_system;
      DELETE FROM ai_predictions WHERE task IN (${NEW});
      DELETE FROM ai_models WHERE task IN (${NEW});
      RESET ROLE;
    `);
    await runner.query(constraint('ai_predictions', `${LEARNT}, ${OTHERS}`));
    await runner.query(constraint('ai_models', LEARNT));
    await runner.query(`
      ALTER TABLE ai_models DROP COLUMN drifted_at;
      ALTER TABLE ai_conversations DROP COLUMN model, DROP COLUMN tokens_in, DROP COLUMN tokens_out, DROP COLUMN cost, DROP COLUMN latency_ms;
      ALTER TABLE ai_calls DROP COLUMN fell_back, DROP COLUMN cost;
      ALTER TABLE ai_settings DROP COLUMN sources, DROP COLUMN categories, DROP COLUMN tone, DROP COLUMN signature, DROP COLUMN max_tokens_month;
    `);
  }
}
