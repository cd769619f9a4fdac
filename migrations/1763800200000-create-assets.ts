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
import { confine } from './support/v1/row-level-security';

/** Assets, what happened to them, and how many tickets name each. */
export class CreateAssets1763800200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(assets);
    await runner.query(history);
    for (const table of ['assets', 'asset_history']) await runner.query(confine(table));
    await runner.query(links);
    await runner.query(ticketCounts);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER tickets_count_assets_insert ON tickets;
      DROP TRIGGER tickets_count_assets_update ON tickets;
      DROP TRIGGER tickets_count_assets_delete ON tickets;
      DROP FUNCTION tally_tickets_by_asset();
      DELETE FROM resource_tallies WHERE resource IN ('assets', 'tickets_by_asset');
      DELETE FROM resource_tally_deltas WHERE resource IN ('assets', 'tickets_by_asset');
      DROP VIEW assets_search;
      DROP TABLE asset_history, assets;
      DROP FUNCTION tally_assets_insert(), tally_assets_delete(), tally_assets_update();
    `);
  }
}

const texts = ['name', 'asset_tag', 'serial_number', 'hostname', 'model', 'manufacturer'];

/** Index pair for a sort on a nullable column, nulls last both ways, with the stand-ins of the read plan. */
const nullableSort = (column: string, highest: string, lowest: string): string => `
  CREATE INDEX assets_order_${column} ON assets (workspace_id, coalesce(${column}, ${highest}), id);
  CREATE INDEX assets_order_${column}_down ON assets (workspace_id, coalesce(${column}, ${lowest}), id);
`;
const nullableDaySort = (column: string): string => nullableSort(column, `'infinity'::date`, `'-infinity'::date`);

/**
 * The _key columns answer equality whatever the case: lower() is not leakproof, so an index on it would not be used
 * under row-level security. warranty_announced_for: the warranty date that was announced, or was past when entered.
 */
const assets = `
  CREATE TABLE assets (
    name text NOT NULL,
    asset_tag text NOT NULL,
    asset_tag_key text NOT NULL GENERATED ALWAYS AS (lower(asset_tag)) STORED,
    type text NOT NULL DEFAULT 'other' CONSTRAINT ck_assets_type CHECK (type IN ('laptop', 'desktop', 'server', 'mobile', 'tablet', 'printer', 'network', 'monitor', 'peripheral', 'software', 'license', 'cloud', 'other')),
    status text NOT NULL DEFAULT 'in_stock' CONSTRAINT ck_assets_status CHECK (status IN ('in_stock', 'in_use', 'in_repair', 'reserved', 'retired', 'lost', 'disposed')),
    status_rank smallint NOT NULL GENERATED ALWAYS AS (array_position(ARRAY['in_stock', 'in_use', 'in_repair', 'reserved', 'retired', 'lost', 'disposed'], status)) STORED,
    in_service boolean NOT NULL GENERATED ALWAYS AS (status NOT IN ('retired', 'lost', 'disposed')) STORED,
    serial_number text,
    serial_number_key text GENERATED ALWAYS AS (lower(serial_number)) STORED,
    manufacturer text,
    model text,
    hostname text,
    ip_address text,
    mac_address text,
    os text,
    os_version text,
    assigned_to bigint,
    assigned_contact_id bigint,
    company_id bigint,
    managed_by bigint,
    location text,
    department text,
    usage_type text NOT NULL DEFAULT 'permanent' CONSTRAINT ck_assets_usage_type CHECK (usage_type IN ('permanent', 'loaner')),
    expected_return_at timestamptz(3),
    impact text NOT NULL DEFAULT 'low' CONSTRAINT ck_assets_impact CHECK (impact IN ('low', 'medium', 'high')),
    vendor text,
    order_number text,
    invoice_number text,
    purchase_date date,
    purchase_cost numeric CONSTRAINT ck_assets_purchase_cost CHECK (purchase_cost >= 0),
    currency text NOT NULL CONSTRAINT ck_assets_currency CHECK (currency ~ '^[A-Z]{3}$'),
    warranty_expires_at date,
    warranty_announced_for date,
    eol_at date,
    next_audit_at date,
    last_audit_at date,
    parent_id bigint CONSTRAINT ck_assets_parent_id CHECK (parent_id <> id),
    notes text,
    tags text NOT NULL DEFAULT '',
    CONSTRAINT ck_assets_assigned_contact_id CHECK (assigned_to IS NULL OR assigned_contact_id IS NULL),
    ${resourceColumns}
  );
  ${resourceIndexes('assets')}
  CREATE UNIQUE INDEX uq_assets_asset_tag ON assets (workspace_id, asset_tag_key);
  CREATE UNIQUE INDEX uq_assets_serial_number ON assets (workspace_id, serial_number_key);
  CREATE INDEX assets_by_tag ON assets USING gin (workspace_id, string_to_array(tags, ',')) WITH (fastupdate = off);
  ${['type', 'status', 'assigned_to', 'usage_type', 'impact'].map((name) => filterIndex('assets', name)).join('\n')}
  ${['assigned_contact_id', 'company_id', 'managed_by', 'parent_id', 'location', 'department', 'manufacturer'].map((name) => filterIndex('assets', name, { partial: true })).join('\n')}
  ${filterIndex('assets', 'warranty_expires_at', { partial: true })}
  CREATE INDEX assets_by_next_audit_at ON assets (workspace_id, next_audit_at, created_at, id) WHERE in_service AND next_audit_at IS NOT NULL;
  CREATE INDEX assets_to_warn_of ON assets (warranty_expires_at)
    WHERE in_service AND warranty_expires_at IS NOT NULL AND warranty_announced_for IS DISTINCT FROM warranty_expires_at;
  ${['name', 'asset_tag', 'status_rank'].map((name) => sortIndex('assets', name)).join('\n')}
  ${['purchase_date', 'warranty_expires_at', 'next_audit_at'].map(nullableDaySort).join('\n')}
  ${nullableSort('purchase_cost', `'Infinity'::numeric`, `'-Infinity'::numeric`)}
  ${searchable('assets', texts.map((name) => `coalesce(${name}, '')`).join(` || ' ' || `))}
  ${tallied('assets', 'assets', ['status', 'type', 'assigned_to'])}
`;

/** No foreign key to the asset: what happened to it is still to be read when it is gone. */
const history = `
  CREATE TABLE asset_history (
    id bigint GENERATED BY DEFAULT AS IDENTITY,
    workspace_id bigint NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    version integer NOT NULL DEFAULT 1,
    asset_id bigint NOT NULL,
    action text NOT NULL CONSTRAINT ck_asset_history_action CHECK (action IN ('created', 'updated', 'assigned', 'unassigned', 'retired', 'audited', 'deleted')),
    "from" jsonb NOT NULL DEFAULT '{}',
    "to" jsonb NOT NULL DEFAULT '{}',
    note text,
    actor jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id)
  );
  CREATE INDEX asset_history_by_created_at ON asset_history (workspace_id, asset_id, created_at, id);
  CREATE INDEX asset_history_by_action ON asset_history (workspace_id, asset_id, action, created_at, id);
`;

/** Contacts who have assets cannot be deleted: the assets would be nowhere. Users are never deleted. */
const links = `
  ${reference('assets', 'assigned_to', 'users', 'restrict')}
  ${reference('assets', 'assigned_contact_id', 'contacts', 'restrict')}
  ${reference('assets', 'company_id', 'companies')}
  ${reference('assets', 'managed_by', 'users')}
  ${reference('assets', 'parent_id', 'assets', 'restrict')}
`;

/** Tickets per asset, for tickets that name any: the others pay for one comparison. */
const ticketCounts = `
  CREATE FUNCTION tally_tickets_by_asset() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'INSERT' THEN
      INSERT INTO resource_tally_deltas (workspace_id, resource, d1, d2, d3, n)
        SELECT DISTINCT OLD.workspace_id, 'tickets_by_asset', a.id::text, '*', '*', -1 FROM unnest(OLD.asset_ids) AS a (id);
    END IF;
    IF TG_OP <> 'DELETE' THEN
      INSERT INTO resource_tally_deltas (workspace_id, resource, d1, d2, d3, n)
        SELECT DISTINCT NEW.workspace_id, 'tickets_by_asset', a.id::text, '*', '*', 1 FROM unnest(NEW.asset_ids) AS a (id);
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER tickets_count_assets_insert AFTER INSERT ON tickets FOR EACH ROW
    WHEN (NEW.asset_ids <> '{}') EXECUTE FUNCTION tally_tickets_by_asset();
  CREATE TRIGGER tickets_count_assets_update AFTER UPDATE ON tickets FOR EACH ROW
    WHEN (OLD.asset_ids IS DISTINCT FROM NEW.asset_ids) EXECUTE FUNCTION tally_tickets_by_asset();
  CREATE TRIGGER tickets_count_assets_delete AFTER DELETE ON tickets FOR EACH ROW
    WHEN (OLD.asset_ids <> '{}') EXECUTE FUNCTION tally_tickets_by_asset();
`;
