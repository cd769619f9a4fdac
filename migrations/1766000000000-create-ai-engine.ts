import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex, reference, resourceColumns, resourceIndexes } from './support/v1/resource-table';
import { confine, systemFunctions } from './support/v1/row-level-security';
import { nullableSortIndexes } from './support/v2/nullable-sort-indexes';

/** The AI engine: what each workspace wants of it, the models that were made of its tickets, and what they predicted. */
export class CreateAiEngine1766000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [settings, models, predictions]) await runner.query(sql);
    for (const table of ['ai_settings', 'ai_models', 'ai_model_parts', 'ai_predictions'])
      await runner.query(confine(table));
    await runner.query(systemFunctions([settingsOnCreate]));
    await runner.query(`
      CREATE TRIGGER workspaces_ai_settings AFTER INSERT ON workspaces FOR EACH ROW EXECUTE FUNCTION create_ai_settings();
      SET LOCAL ROLE helpdesk_system;
      INSERT INTO ai_settings (workspace_id, id) SELECT id, id FROM workspaces;
      RESET ROLE;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM work WHERE kind IN ('ai_training', 'ai_prediction');
      DROP TRIGGER workspaces_ai_settings ON workspaces;
      SET LOCAL ROLE helpdesk_system;
      DROP FUNCTION create_ai_settings();
      RESET ROLE;
      DROP TABLE ai_predictions, ai_model_parts, ai_models, ai_settings;
    `);
  }
}

/** One row for each workspace, with its id; JSON holds what was set, the rest is as by default. */
const settings = `
  CREATE TABLE ai_settings (
    enabled boolean NOT NULL DEFAULT true,
    mode text NOT NULL DEFAULT 'suggest' CONSTRAINT ck_ai_settings_mode CHECK (mode IN ('off', 'suggest')),
    thresholds jsonb NOT NULL DEFAULT '{}',
    tasks jsonb NOT NULL DEFAULT '{}',
    ${resourceColumns},
    CONSTRAINT ck_ai_settings_id CHECK (id = workspace_id)
  );
  ${resourceIndexes('ai_settings')}
`;

const LEARNT = `('category', 'priority', 'assignee', 'team')`;
const TASKS = `('category', 'priority', 'assignee', 'team', 'language', 'sentiment', 'duplicate', 'resolution_time')`;

const models = `
  CREATE TABLE ai_models (
    task text NOT NULL CONSTRAINT ck_ai_models_task CHECK (task IN ${LEARNT}),
    status text NOT NULL DEFAULT 'queued' CONSTRAINT ck_ai_models_status
      CHECK (status IN ('queued', 'training', 'ready', 'insufficient_data', 'failed', 'retired')),
    method text,
    reason text,
    samples integer NOT NULL DEFAULT 0,
    classes jsonb NOT NULL DEFAULT '[]',
    evaluation jsonb,
    bytes integer NOT NULL DEFAULT 0,
    started_at timestamptz(3),
    trained_at timestamptz(3),
    ${resourceColumns}
  );
  ${resourceIndexes('ai_models')}
  ${filterIndex('ai_models', 'task')}
  ${filterIndex('ai_models', 'status')}
  CREATE UNIQUE INDEX ai_models_ready ON ai_models (workspace_id, task) WHERE status = 'ready';
  CREATE UNIQUE INDEX ai_models_under_way ON ai_models (workspace_id, task) WHERE status IN ('queued', 'training');
  CREATE TABLE ai_model_parts (
    workspace_id bigint NOT NULL,
    model_id bigint NOT NULL,
    part integer NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (workspace_id, model_id, part),
    CONSTRAINT fk_ai_model_parts_model_id FOREIGN KEY (workspace_id, model_id) REFERENCES ai_models (workspace_id, id) ON DELETE CASCADE
  );
  ALTER TABLE ai_model_parts ALTER COLUMN content SET STORAGE EXTERNAL;
`;

const predictions = `
  CREATE TABLE ai_predictions (
    ticket_id bigint NOT NULL,
    task text NOT NULL CONSTRAINT ck_ai_predictions_task CHECK (task IN ${TASKS}),
    value text,
    label text,
    confidence numeric,
    alternatives jsonb NOT NULL DEFAULT '[]',
    features jsonb NOT NULL DEFAULT '[]',
    method text NOT NULL,
    model_id bigint,
    status text NOT NULL DEFAULT 'pending' CONSTRAINT ck_ai_predictions_status
      CHECK (status IN ('pending', 'applied', 'accepted', 'corrected', 'rejected', 'expired', 'abstained')),
    abstain_reason text CONSTRAINT ck_ai_predictions_abstain_reason
      CHECK (abstain_reason IN ('insufficient_data', 'low_confidence', 'unsupported_language')),
    applied_at timestamptz(3),
    reviewed_by bigint,
    reviewed_at timestamptz(3),
    actual_value text,
    was_correct boolean,
    input_hash text NOT NULL,
    ${resourceColumns},
    CONSTRAINT ck_ai_predictions_abstained CHECK ((abstain_reason IS NOT NULL) = (value IS NULL))
  );
  ${resourceIndexes('ai_predictions')}
  ${['task', 'status', 'ticket_id', 'method'].map((name) => filterIndex('ai_predictions', name)).join('\n')}
  ${['was_correct', 'model_id'].map((name) => filterIndex('ai_predictions', name, { partial: true })).join('\n')}
  ${nullableSortIndexes('ai_predictions', 'confidence', 'numeric')}
  ${reference('ai_predictions', 'ticket_id', 'tickets', 'cascade')}
  ${reference('ai_predictions', 'model_id', 'ai_models')}
  ${reference('ai_predictions', 'reviewed_by', 'users')}
`;

const settingsOnCreate = `
  CREATE OR REPLACE FUNCTION create_ai_settings() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  BEGIN
    INSERT INTO public.ai_settings (workspace_id, id) VALUES (NEW.id, NEW.id);
    RETURN NULL;
  END $$
`;
