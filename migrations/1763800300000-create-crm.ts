import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  filterIndex,
  nullableTimeSortIndexes,
  reference,
  resourceColumns,
  resourceIndexes,
  searchable,
  sortIndex,
  tallied,
} from './support/v1/resource-table';
import { confine, systemFunctions } from './support/v1/row-level-security';

/** Leads, deals, and the pipelines with their stages through which deals move; every workspace starts with one. */
export class CreateCrm1763800300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of [pipelines, stages, leads, deals, stageChanges]) await runner.query(table);
    await runner.query(references);
    for (const table of ['pipelines', 'stages', 'leads', 'deals', 'deal_stage_changes']) {
      await runner.query(confine(table));
    }
    await runner.query(systemFunctions([standardPipeline, standardPipelineTrigger]));
    await runner.query(`
      CREATE TRIGGER workspaces_standard_pipeline AFTER INSERT ON workspaces
        FOR EACH ROW EXECUTE FUNCTION create_standard_pipeline_of_new_workspace();
      SET LOCAL ROLE helpdesk_system;
      SELECT create_standard_pipeline(id) FROM workspaces;
      RESET ROLE;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    const tallies = ['pipelines', 'stages', 'leads', 'deals'];
    const verbs = ['insert', 'delete', 'update'];
    await runner.query(`
      DROP TRIGGER workspaces_standard_pipeline ON workspaces;
      SET LOCAL ROLE helpdesk_system;
      DROP FUNCTION create_standard_pipeline_of_new_workspace(), create_standard_pipeline(bigint);
      RESET ROLE;
      DROP VIEW pipelines_search, leads_search, deals_search;
      DROP TABLE deal_stage_changes, deals, leads, stages, pipelines CASCADE;
      DROP FUNCTION IF EXISTS ${tallies.flatMap((table) => verbs.map((verb) => `tally_${table}_${verb}()`)).join(', ')};
    `);
  }
}

const pipelines = `
  CREATE TABLE pipelines (
    name text NOT NULL,
    description text,
    is_default boolean NOT NULL DEFAULT false,
    is_active boolean NOT NULL DEFAULT true,
    position integer NOT NULL DEFAULT 1,
    currency text,
    ${resourceColumns},
    CONSTRAINT ck_pipelines_is_active CHECK (is_active OR NOT is_default)
  );
  ${resourceIndexes('pipelines')}
  CREATE UNIQUE INDEX uq_pipelines_name ON pipelines (workspace_id, lower(name));
  CREATE UNIQUE INDEX uq_pipelines_is_default ON pipelines (workspace_id) WHERE is_default;
  ${filterIndex('pipelines', 'is_default')}
  ${filterIndex('pipelines', 'is_active')}
  ${sortIndex('pipelines', 'name')}
  ${sortIndex('pipelines', 'position')}
  ${searchable('pipelines', `name || ' ' || coalesce(description, '')`)}
  ${tallied('pipelines', 'pipelines', [])}
`;

/**
 * A pipeline has at most one stage for won and one for lost deals; the service never deletes either. `uq_stages_place` is what
 * deals refer to, so that a deal can only be in a stage of its own pipeline that fits its status.
 */
const stages = `
  CREATE TABLE stages (
    pipeline_id bigint NOT NULL,
    name text NOT NULL,
    position integer NOT NULL DEFAULT 1,
    type text NOT NULL DEFAULT 'open' CONSTRAINT ck_stages_type CHECK (type IN ('open', 'won', 'lost')),
    probability integer NOT NULL,
    rotten_days integer CONSTRAINT ck_stages_rotten_days CHECK (rotten_days > 0 AND (type = 'open' OR rotten_days IS NULL)),
    color text,
    ${resourceColumns},
    CONSTRAINT uq_stages_place UNIQUE (workspace_id, pipeline_id, id, type),
    CONSTRAINT ck_stages_probability CHECK (
      probability BETWEEN 0 AND 100 AND (type <> 'won' OR probability = 100) AND (type <> 'lost' OR probability = 0)
    )
  );
  ${resourceIndexes('stages')}
  CREATE UNIQUE INDEX uq_stages_name ON stages (workspace_id, pipeline_id, lower(name));
  CREATE UNIQUE INDEX uq_stages_type ON stages (workspace_id, pipeline_id, type) WHERE type <> 'open';
  ${filterIndex('stages', 'pipeline_id')}
  ${filterIndex('stages', 'type')}
  ${sortIndex('stages', 'name')}
  ${sortIndex('stages', 'position')}
  ${sortIndex('stages', 'probability')}
  ${tallied('stages', 'stages', ['pipeline_id'])}
`;

const sources = `('website', 'referral', 'email', 'phone', 'chat', 'event', 'ads', 'partner', 'import', 'api', 'ticket', 'other')`;

const leads = `
  CREATE TABLE leads (
    name text NOT NULL,
    email text,
    phone text,
    company_name text,
    company_id bigint,
    contact_id bigint,
    job_title text,
    website text,
    source text NOT NULL DEFAULT 'api' CONSTRAINT ck_leads_source CHECK (source IN ${sources}),
    status text NOT NULL DEFAULT 'new'
      CONSTRAINT ck_leads_status CHECK (status IN ('new', 'contacted', 'nurturing', 'qualified', 'converted', 'unqualified', 'junk')),
    status_rank smallint NOT NULL GENERATED ALWAYS AS (
      array_position(ARRAY['new', 'contacted', 'nurturing', 'qualified', 'converted', 'unqualified', 'junk'], status)
    ) STORED,
    owner_id bigint,
    score integer NOT NULL DEFAULT 0 CONSTRAINT ck_leads_score CHECK (score BETWEEN 0 AND 100),
    rating text CONSTRAINT ck_leads_rating CHECK (rating IN ('cold', 'warm', 'hot')),
    estimated_value numeric CONSTRAINT ck_leads_estimated_value CHECK (estimated_value >= 0),
    currency text NOT NULL,
    expected_close_date date,
    industry text,
    employee_count integer,
    country text,
    notes text,
    tags text NOT NULL DEFAULT '',
    lost_reason text,
    source_ticket_id bigint,
    last_contacted_at timestamptz(3),
    converted_at timestamptz(3),
    converted_deal_id bigint,
    utm jsonb NOT NULL DEFAULT '{}',
    ${resourceColumns},
    CONSTRAINT ck_leads_lost_reason CHECK (status <> 'unqualified' OR lost_reason IS NOT NULL),
    CONSTRAINT ck_leads_converted_at CHECK ((status = 'converted') = (converted_at IS NOT NULL))
  );
  ${resourceIndexes('leads')}
  ${['status', 'source'].map((name) => filterIndex('leads', name)).join('\n')}
  ${'email owner_id rating company_id contact_id country source_ticket_id converted_deal_id converted_at'
    .split(' ')
    .map((name) => filterIndex('leads', name, { partial: true }))
    .join('\n')}
  ${['name', 'score', 'status_rank'].map((name) => sortIndex('leads', name)).join('\n')}
  CREATE INDEX leads_order_estimated_value ON leads (workspace_id, coalesce(estimated_value, 'Infinity'::numeric), id);
  CREATE INDEX leads_order_estimated_value_down ON leads (workspace_id, coalesce(estimated_value, '-Infinity'::numeric), id);
  ${nullableTimeSortIndexes('leads', 'last_contacted_at')}
  CREATE INDEX leads_by_tag ON leads USING gin (workspace_id, string_to_array(tags, ',')) WITH (fastupdate = off);
  ${searchable('leads', `name || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(company_name, '')`)}
  ${tallied('leads', 'leads', ['status', 'owner_id', 'source'])}
`;

/**
 * `own_probability` is the one set by hand, `open_stage_id` the open stage that the deal is in or left when it was closed,
 * `rots_at` the moment from which it is rotten, `minor_digits` the decimals of its currency.
 */
const deals = `
  CREATE TABLE deals (
    title text NOT NULL,
    value numeric NOT NULL DEFAULT 0 CONSTRAINT ck_deals_value CHECK (value >= 0),
    currency text NOT NULL,
    minor_digits smallint NOT NULL,
    pipeline_id bigint NOT NULL,
    stage_id bigint NOT NULL,
    status text NOT NULL DEFAULT 'open' CONSTRAINT ck_deals_status CHECK (status IN ('open', 'won', 'lost')),
    probability integer NOT NULL,
    own_probability integer,
    weighted_value numeric NOT NULL GENERATED ALWAYS AS (round(value * probability / 100, minor_digits)) STORED,
    company_id bigint,
    contact_id bigint,
    owner_id bigint,
    lead_id bigint,
    ticket_id bigint,
    expected_close_date date,
    closed_at timestamptz(3),
    won_at timestamptz(3),
    lost_at timestamptz(3),
    first_won_at timestamptz(3),
    stage_changed_at timestamptz(3) NOT NULL DEFAULT now(),
    open_stage_id bigint,
    rots_at timestamptz(3),
    lost_reason text,
    next_step text,
    priority text CONSTRAINT ck_deals_priority CHECK (priority IN ('low', 'medium', 'high')),
    source text CONSTRAINT ck_deals_source CHECK (source IN ${sources}),
    notes text,
    tags text NOT NULL DEFAULT '',
    position numeric NOT NULL DEFAULT 1,
    ${resourceColumns},
    CONSTRAINT ck_deals_probability CHECK (
      probability BETWEEN 0 AND 100 AND (status <> 'won' OR probability = 100) AND (status <> 'lost' OR probability = 0)
    ),
    CONSTRAINT ck_deals_lost_reason CHECK ((status = 'lost') = (lost_reason IS NOT NULL)),
    CONSTRAINT ck_deals_closed_at CHECK (
      (status <> 'open') = (closed_at IS NOT NULL) AND (status = 'won') = (won_at IS NOT NULL) AND (status = 'lost') = (lost_at IS NOT NULL)
    )
  );
  ${resourceIndexes('deals')}
  ${['pipeline_id', 'stage_id', 'status'].map((name) => filterIndex('deals', name)).join('\n')}
  ${['company_id', 'contact_id', 'owner_id', 'lead_id', 'ticket_id', 'rots_at', 'open_stage_id']
    .map((name) => filterIndex('deals', name, { partial: true }))
    .join('\n')}
  ${['title', 'value', 'weighted_value', 'probability', 'stage_changed_at', 'position']
    .map((name) => sortIndex('deals', name))
    .join('\n')}
  CREATE INDEX deals_order_expected_close_date ON deals (workspace_id, coalesce(expected_close_date, 'infinity'::date), id);
  CREATE INDEX deals_order_expected_close_date_down ON deals (workspace_id, coalesce(expected_close_date, '-infinity'::date), id);
  CREATE INDEX deals_by_expected_close_date ON deals (workspace_id, expected_close_date) WHERE expected_close_date IS NOT NULL;
  CREATE INDEX deals_on_board ON deals (workspace_id, stage_id, position, id);
  CREATE INDEX deals_open_value ON deals (workspace_id, pipeline_id, currency) INCLUDE (value) WHERE status = 'open';
  CREATE INDEX deals_closed ON deals (workspace_id, pipeline_id, closed_at) WHERE closed_at IS NOT NULL;
  CREATE INDEX deals_by_tag ON deals USING gin (workspace_id, string_to_array(tags, ',')) WITH (fastupdate = off);
  ${searchable('deals', `title || ' ' || coalesce(next_step, '')`)}
  ${tallied('deals', 'deals', ['status', 'pipeline_id', 'stage_id'])}
`;

/** One row for each stay of a deal in a stage. The names stay when a stage is deleted. */
const stageChanges = `
  CREATE TABLE deal_stage_changes (
    id bigint GENERATED BY DEFAULT AS IDENTITY,
    workspace_id bigint NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    version integer NOT NULL DEFAULT 1,
    deal_id bigint NOT NULL,
    from_stage_id bigint,
    from_stage_name text,
    to_stage_id bigint,
    to_stage_name text NOT NULL,
    next_stage_id bigint,
    actor jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL,
    left_at timestamptz(3),
    PRIMARY KEY (workspace_id, id)
  );
  CREATE INDEX deal_stage_changes_by_deal_id ON deal_stage_changes (workspace_id, deal_id, created_at, id);
  CREATE INDEX deal_stage_changes_by_from_stage_id ON deal_stage_changes (workspace_id, from_stage_id);
  CREATE INDEX deal_stage_changes_by_to_stage_id ON deal_stage_changes (workspace_id, to_stage_id, created_at);
  CREATE INDEX deal_stage_changes_by_next_stage_id ON deal_stage_changes (workspace_id, next_stage_id);
`;

/**
 * The stages of a new pipeline are written before it, in the same transaction, so that the pipeline's own statement sees
 * them: that reference is checked at the commit. Deals hold on to their pipeline and stage.
 */
const references = `
  ALTER TABLE stages ADD CONSTRAINT fk_stages_pipeline_id FOREIGN KEY (workspace_id, pipeline_id)
    REFERENCES pipelines (workspace_id, id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
  ${reference('leads', 'company_id', 'companies')}
  ${reference('leads', 'contact_id', 'contacts')}
  ${reference('leads', 'owner_id', 'users')}
  ${reference('leads', 'source_ticket_id', 'tickets')}
  ${reference('leads', 'converted_deal_id', 'deals')}
  ALTER TABLE deals ADD CONSTRAINT fk_deals_pipeline_id FOREIGN KEY (workspace_id, pipeline_id)
    REFERENCES pipelines (workspace_id, id);
  ALTER TABLE deals ADD CONSTRAINT fk_deals_stage_id FOREIGN KEY (workspace_id, pipeline_id, stage_id, status)
    REFERENCES stages (workspace_id, pipeline_id, id, type);
  ${reference('deals', 'open_stage_id', 'stages')}
  ${reference('deals', 'company_id', 'companies')}
  ${reference('deals', 'contact_id', 'contacts')}
  ${reference('deals', 'owner_id', 'users')}
  ${reference('deals', 'lead_id', 'leads')}
  ${reference('deals', 'ticket_id', 'tickets')}
  ${reference('deal_stage_changes', 'deal_id', 'deals', 'cascade')}
  ${reference('deal_stage_changes', 'from_stage_id', 'stages')}
  ${reference('deal_stage_changes', 'to_stage_id', 'stages')}
  ${reference('deal_stage_changes', 'next_stage_id', 'stages')}
`;

/** Product reference 1.16; probabilities as in Frappe CRM. */
const standardPipeline = `
  CREATE OR REPLACE FUNCTION create_standard_pipeline(workspace bigint) RETURNS void LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  DECLARE
    pipeline bigint;
  BEGIN
    INSERT INTO pipelines (workspace_id, name, is_default, position) VALUES (workspace, 'Sales', true, 1) RETURNING id INTO pipeline;
    INSERT INTO stages (workspace_id, pipeline_id, name, position, type, probability) VALUES
      (workspace, pipeline, 'Qualification', 1, 'open', 10),
      (workspace, pipeline, 'Demo', 2, 'open', 25),
      (workspace, pipeline, 'Proposal', 3, 'open', 50),
      (workspace, pipeline, 'Negotiation', 4, 'open', 70),
      (workspace, pipeline, 'Won', 5, 'won', 100),
      (workspace, pipeline, 'Lost', 6, 'lost', 0);
  END $$
`;

const standardPipelineTrigger = `
  CREATE OR REPLACE FUNCTION create_standard_pipeline_of_new_workspace() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  BEGIN
    PERFORM create_standard_pipeline(NEW.id);
    RETURN NULL;
  END $$
`;
