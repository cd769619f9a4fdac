import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SYSTEM_ROLE } from './support/v1/row-level-security';
import { tallied } from './support/v1/resource-table';
import { runAsSystem } from './support/v1/system-triggers';

const TRIGGERS = ['insert', 'delete', 'update'].map((what) => `tally_channel_messages_${what}`);

/** Channels know how many messages they have and how many nobody has read; messages have what goes along with them, and templates. */
export class CountAndTemplateMessages1768502000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE channels ADD COLUMN csat_enabled boolean NOT NULL DEFAULT false;
      ALTER TABLE channel_messages ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}', ADD COLUMN template jsonb;
      CREATE INDEX channel_threads_unread ON channel_threads (workspace_id, channel_id) INCLUDE (unread_count) WHERE unread_count > 0;
      ${tallied('channel_messages', 'channel_messages', ['channel_id'])}
      INSERT INTO resource_tally_deltas (workspace_id, resource, d1, d2, d3, n)
        SELECT workspace_id, 'channel_messages', channel_id::text, '*', '*', count(*) FROM channel_messages GROUP BY 1, 3;
    `);
    await runner.query(runAsSystem(TRIGGERS));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER channel_messages_tally_insert ON channel_messages;
      DROP TRIGGER channel_messages_tally_delete ON channel_messages;
      DROP TRIGGER channel_messages_tally_update ON channel_messages;
      SET LOCAL ROLE ${SYSTEM_ROLE};
      DROP FUNCTION ${TRIGGERS.map((name) => `${name}()`).join(', ')};
      RESET ROLE;
      DELETE FROM resource_tallies WHERE resource = 'channel_messages';
      DELETE FROM resource_tally_deltas WHERE resource = 'channel_messages';
      DELETE FROM work WHERE kind = 'channel_rating';
      DROP INDEX channel_threads_unread;
      ALTER TABLE channel_messages DROP COLUMN template, DROP COLUMN metadata;
      ALTER TABLE channels DROP COLUMN csat_enabled;
    `);
  }
}
