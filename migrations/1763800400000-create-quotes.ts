import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  filterIndex,
  reference,
  resourceColumns,
  resourceIndexes,
  searchable,
  sortIndex,
  tallied,
} from './support/v1/resource-table';
import { APP_ROLE, confine, SYSTEM_ROLE } from './support/v1/row-level-security';

/** Offers to customers, their items, and what happened to them. */
export class CreateQuotes1763800400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(quotes);
    await runner.query(items);
    await runner.query(events);
    for (const table of ['quotes', 'quote_items', 'quote_events']) await runner.query(confine(table));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW quotes_search;
      DROP TABLE quote_events, quote_items, quotes;
      DROP FUNCTION tally_quotes_insert(), tally_quotes_delete(), tally_quotes_update(), quote_events_are_final();
    `);
  }
}

const STATUSES = `'draft', 'sent', 'viewed', 'accepted', 'rejected', 'expired', 'cancelled'`;

/** `expires_at` has an index for the sweep, which goes by time across workspaces. */
const quotes = `
  CREATE TABLE quotes (
    serial bigint NOT NULL,
    number text NOT NULL,
    title text NOT NULL,
    status text NOT NULL DEFAULT 'draft' CONSTRAINT ck_quotes_status CHECK (status IN (${STATUSES})),
    status_rank smallint NOT NULL GENERATED ALWAYS AS (array_position(ARRAY[${STATUSES}], status)) STORED,
    company_id bigint,
    contact_id bigint,
    deal_id bigint,
    ticket_id bigint,
    owner_id bigint,
    recipient_email text,
    currency text NOT NULL,
    issue_date date NOT NULL,
    valid_until date NOT NULL,
    tax_mode text NOT NULL DEFAULT 'exclusive' CONSTRAINT ck_quotes_tax_mode CHECK (tax_mode IN ('exclusive', 'inclusive')),
    discount jsonb,
    subtotal numeric NOT NULL DEFAULT 0,
    discount_total numeric NOT NULL DEFAULT 0,
    tax_total numeric NOT NULL DEFAULT 0,
    total numeric NOT NULL DEFAULT 0,
    terms text,
    notes text,
    header text,
    footer text,
    revision integer NOT NULL DEFAULT 1,
    revision_of_id bigint,
    public_url text,
    sent_at timestamptz(3),
    viewed_at timestamptz(3),
    accepted_at timestamptz(3),
    rejected_at timestamptz(3),
    expired_at timestamptz(3),
    cancelled_at timestamptz(3),
    rejection_reason text,
    accepted_by jsonb,
    expires_at timestamptz(3),
    parties jsonb,
    CONSTRAINT ck_quotes_valid_until CHECK (valid_until >= issue_date),
    CONSTRAINT ck_quotes_total CHECK (subtotal >= 0 AND discount_total >= 0 AND tax_total >= 0 AND total = subtotal - discount_total + tax_total),
    CONSTRAINT ck_quotes_expires_at CHECK (status NOT IN ('sent', 'viewed') OR expires_at IS NOT NULL),
    ${resourceColumns}
  );
  ${resourceIndexes('quotes')}
  CREATE UNIQUE INDEX uq_quotes_number ON quotes (workspace_id, number);
  CREATE UNIQUE INDEX uq_quotes_revision_of_id ON quotes (workspace_id, revision_of_id) WHERE revision_of_id IS NOT NULL;
  ${sortIndex('quotes', 'serial')}
  ${['total', 'valid_until', 'issue_date', 'status_rank'].map((column) => sortIndex('quotes', column)).join('\n')}
  ${['status', 'currency'].map((column) => filterIndex('quotes', column)).join('\n')}
  ${['company_id', 'contact_id', 'deal_id', 'ticket_id', 'owner_id'].map((column) => filterIndex('quotes', column, { partial: true })).join('\n')}
  CREATE INDEX quotes_to_expire ON quotes (expires_at, workspace_id, id) WHERE status IN ('sent', 'viewed');
  ${reference('quotes', 'company_id', 'companies')}
  ${reference('quotes', 'contact_id', 'contacts')}
  ${reference('quotes', 'deal_id', 'deals')}
  ${reference('quotes', 'ticket_id', 'tickets')}
  ${reference('quotes', 'owner_id', 'users')}
  ${reference('quotes', 'revision_of_id', 'quotes')}
  ${searchable('quotes', `number || ' ' || title || ' ' || coalesce(recipient_email, '')`)}
  ${tallied('quotes', 'quotes', ['status'])}
`;

const items = `
  CREATE TABLE quote_items (
    quote_id bigint NOT NULL,
    position integer NOT NULL,
    sku text,
    name text NOT NULL,
    description text,
    quantity numeric NOT NULL DEFAULT 1 CONSTRAINT ck_quote_items_quantity CHECK (quantity > 0),
    unit text,
    unit_price numeric NOT NULL CONSTRAINT ck_quote_items_unit_price CHECK (unit_price >= 0),
    discount_percent numeric NOT NULL DEFAULT 0 CONSTRAINT ck_quote_items_discount_percent CHECK (discount_percent BETWEEN 0 AND 100),
    tax_rate numeric NOT NULL DEFAULT 0 CONSTRAINT ck_quote_items_tax_rate CHECK (tax_rate BETWEEN 0 AND 100),
    subtotal numeric NOT NULL DEFAULT 0,
    discount numeric NOT NULL DEFAULT 0,
    tax numeric NOT NULL DEFAULT 0,
    total numeric NOT NULL DEFAULT 0,
    CONSTRAINT ck_quote_items_total CHECK (subtotal >= 0 AND discount >= 0 AND tax >= 0 AND total = subtotal - discount + tax),
    ${resourceColumns}
  );
  ${resourceIndexes('quote_items')}
  CREATE INDEX quote_items_order_position ON quote_items (workspace_id, quote_id, position, id);
  ${filterIndex('quote_items', 'sku', { partial: true })}
  ${reference('quote_items', 'quote_id', 'quotes', 'cascade')}
`;

/**
 * What happened stays as it was written, whoever asks: rows go only with their quote, which is another trigger's doing
 * (depth above 1), and only drafts can be deleted.
 */
const events = `
  CREATE TABLE quote_events (
    id bigint GENERATED BY DEFAULT AS IDENTITY,
    workspace_id bigint NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    version integer NOT NULL DEFAULT 1,
    quote_id bigint NOT NULL,
    type text NOT NULL,
    from_status text,
    to_status text,
    actor jsonb NOT NULL,
    data jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (workspace_id, id)
  );
  CREATE INDEX quote_events_by_quote_id ON quote_events (workspace_id, quote_id, id);
  CREATE INDEX quote_events_by_created_at ON quote_events (workspace_id, quote_id, created_at, id);
  CREATE INDEX quote_events_by_type ON quote_events (workspace_id, quote_id, type, id);
  CREATE INDEX quote_events_by_to_status ON quote_events (workspace_id, quote_id, to_status, id);
  ${reference('quote_events', 'quote_id', 'quotes', 'cascade')}
  REVOKE UPDATE, DELETE, TRUNCATE ON quote_events FROM ${APP_ROLE}, ${SYSTEM_ROLE};
  CREATE FUNCTION quote_events_are_final() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN RETURN OLD; END IF;
    RAISE EXCEPTION 'What happened to a quote cannot be changed.' USING ERRCODE = 'insufficient_privilege';
  END $$;
  CREATE TRIGGER quote_events_final BEFORE UPDATE OR DELETE ON quote_events
    FOR EACH ROW EXECUTE FUNCTION quote_events_are_final();
  CREATE TRIGGER quote_events_kept BEFORE TRUNCATE ON quote_events
    FOR EACH STATEMENT EXECUTE FUNCTION quote_events_are_final();
`;
