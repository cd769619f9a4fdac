import type { MigrationInterface, QueryRunner } from 'typeorm';

const REASONS = `'requested', 'low_confidence', 'rule', 'negative_sentiment', 'max_turns', 'no_sources', 'urgent'`;

const constraint = (reasons: string): string => `
  ALTER TABLE ai_conversations DROP CONSTRAINT ck_ai_conversations_handover_reason;
  ALTER TABLE ai_conversations ADD CONSTRAINT ck_ai_conversations_handover_reason CHECK (handover_reason IN (${reasons}));
`;

/** Conversations are answered by models elsewhere, too: which one wrote a message, and that one failed. */
export class AnswerByProviders1767210000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE ai_messages ADD COLUMN model text');
    await runner.query(constraint(`${REASONS}, 'provider_error'`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SET LOCAL ROLE helpdesk_system;
      UPDATE ai_conversations SET handover_reason = 'no_sources' WHERE handover_reason = 'provider_error';
      RESET ROLE;
    `);
    await runner.query(constraint(REASONS));
    await runner.query('ALTER TABLE ai_messages DROP COLUMN model');
  }
}
