import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex, resourceColumns, resourceIndexes, sortIndex } from './support/v1/resource-table';
import { confine } from './support/v1/row-level-security';
import { dropFieldsIndex, fieldsIndex } from './support/v2/custom-fields';
import { searchableByWords } from './support/v2/search-by-words';

/** Tables that grow large enough for filters by custom fields to need an index. */
const TABLES = [
  'tickets',
  'companies',
  'contacts',
  'users',
  'assets',
  'leads',
  'deals',
  'quotes',
  'meetings',
  'kb_articles',
];

/** What is in `custom_fields`, where a workspace says so, and how lists find records by it. */
export class CreateCustomFields1766100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(table);
    await runner.query(confine('custom_fields'));
    await runner.query(announcement);
    await runner.query(terms);
    for (const each of TABLES) await runner.query(fieldsIndex(each));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const each of TABLES) await runner.query(dropFieldsIndex(each));
    await runner.query(`
      DROP VIEW custom_fields_search;
      DROP TABLE custom_fields;
      DROP FUNCTION custom_field_terms(bigint, jsonb), announce_workspace_facts();
    `);
  }
}

const table = `
  CREATE TABLE custom_fields (
    object text NOT NULL,
    key text NOT NULL,
    label text NOT NULL,
    description text,
    type text NOT NULL CONSTRAINT ck_custom_fields_type
      CHECK (type IN ('text', 'number', 'boolean', 'date', 'select', 'multi_select', 'reference')),
    options jsonb NOT NULL DEFAULT '[]',
    target text,
    is_required boolean NOT NULL DEFAULT false,
    default_value jsonb,
    pattern text,
    visible_to_customers boolean NOT NULL DEFAULT false,
    position integer NOT NULL DEFAULT 1,
    is_active boolean NOT NULL DEFAULT true,
    ${resourceColumns}
  );
  ${resourceIndexes('custom_fields')}
  CREATE UNIQUE INDEX uq_custom_fields_key ON custom_fields (workspace_id, object, key);
  ${sortIndex('custom_fields', 'position')}
  ${sortIndex('custom_fields', 'key')}
  ${sortIndex('custom_fields', 'label')}
  ${filterIndex('custom_fields', 'object')}
  ${filterIndex('custom_fields', 'type')}
  ${filterIndex('custom_fields', 'target', { partial: true })}
  ${filterIndex('custom_fields', 'is_required')}
  ${filterIndex('custom_fields', 'visible_to_customers')}
  ${filterIndex('custom_fields', 'is_active')}
  ${searchableByWords('custom_fields', `key || ' ' || label || ' ' || coalesce(description, '')`)}
`;

/** Tells every node to forget what it knows of the workspace (`WorkspaceFacts`). */
const announcement = `
  CREATE FUNCTION announce_workspace_facts() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_notify('workspace_facts_changed', coalesce(NEW.workspace_id, OLD.workspace_id)::text);
    RETURN NULL; END $$;
  CREATE TRIGGER custom_fields_facts_changed AFTER INSERT OR UPDATE OR DELETE ON custom_fields
    FOR EACH ROW EXECUTE FUNCTION announce_workspace_facts();
`;

/**
 * What the index of custom fields is made of: a number for each key that has a value, and one for each of its values. The workspace
 * is part of every number, so that a posting list holds one workspace's rows alone. PL/pgSQL keeps what it has compiled.
 */
const terms = `
  CREATE FUNCTION custom_field_terms(workspace_id bigint, fields jsonb) RETURNS bigint[]
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$ BEGIN
    RETURN ARRAY(
      SELECT hashtextextended(f.key, workspace_id) FROM jsonb_each(fields) f WHERE f.value <> 'null'
      UNION
      SELECT hashtextextended(f.key || '=' || v.value, workspace_id) FROM jsonb_each(fields) f
        CROSS JOIN LATERAL jsonb_array_elements_text(
          CASE jsonb_typeof(f.value) WHEN 'array' THEN f.value ELSE jsonb_build_array(f.value) END) v
        WHERE v.value IS NOT NULL);
    END $$;
`;
