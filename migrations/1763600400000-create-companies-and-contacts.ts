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

/** Customers: companies and the people in them. */
export class CreateCompaniesAndContacts1763600400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(companies);
    await runner.query(contacts);
    for (const table of ['companies', 'contacts']) await runner.query(confine(table));
    await runner.query(`
      ${reference('companies', 'account_manager_id', 'users')}
      ${reference('companies', 'sla_policy_id', 'sla_policies')}
      ${reference('contacts', 'company_id', 'companies')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW contacts_search, companies_search;
      DROP TABLE contacts, companies CASCADE;
      DROP FUNCTION company_search_text(text, text[], text, text), tally_contacts_insert(), tally_contacts_delete(), tally_contacts_update(), tally_companies_insert(), tally_companies_delete(), tally_companies_update();
    `);
  }
}

/** The last two sort by a stand-in for null, as the read plan does. */
const companies = `
  CREATE TABLE companies (
    name text NOT NULL,
    domains text[] NOT NULL DEFAULT '{}',
    email text,
    phone text,
    website text,
    industry text,
    size text CONSTRAINT ck_companies_size CHECK (size IN ('1-10', '11-50', '51-200', '201-500', '501-1000', '1000+')),
    tier text NOT NULL DEFAULT 'standard' CONSTRAINT ck_companies_tier CHECK (tier IN ('standard', 'silver', 'gold', 'platinum')),
    tier_rank smallint NOT NULL GENERATED ALWAYS AS (array_position(ARRAY['standard', 'silver', 'gold', 'platinum'], tier)) STORED,
    is_vip boolean NOT NULL DEFAULT false,
    status text NOT NULL DEFAULT 'active' CONSTRAINT ck_companies_status CHECK (status IN ('active', 'inactive', 'prospect')),
    account_manager_id bigint,
    sla_policy_id bigint,
    address jsonb,
    country text GENERATED ALWAYS AS (address ->> 'country') STORED,
    tax_id text,
    notes text,
    health_score integer,
    renewal_date date,
    tags text NOT NULL DEFAULT '',
    ${resourceColumns}
  );
  ${resourceIndexes('companies')}
  CREATE UNIQUE INDEX uq_companies_name ON companies (workspace_id, lower(name));
  CREATE INDEX companies_by_domain ON companies USING gin (workspace_id, domains) WITH (fastupdate = off);
  CREATE INDEX companies_by_tag ON companies USING gin (workspace_id, string_to_array(tags, ',')) WITH (fastupdate = off);
  ${['status', 'tier', 'is_vip'].map((name) => filterIndex('companies', name)).join('\n')}
  ${['industry', 'size', 'account_manager_id', 'country', 'sla_policy_id'].map((name) => filterIndex('companies', name, { partial: true })).join('\n')}
  ${sortIndex('companies', 'name')}
  ${sortIndex('companies', 'tier_rank')}
  CREATE INDEX companies_order_health_score ON companies (workspace_id, coalesce(health_score, 2147483647), id);
  CREATE INDEX companies_order_health_score_down ON companies (workspace_id, coalesce(health_score, -2147483648), id);
  CREATE INDEX companies_order_renewal_date ON companies (workspace_id, coalesce(renewal_date, 'infinity'::date), id);
  CREATE INDEX companies_order_renewal_date_down ON companies (workspace_id, coalesce(renewal_date, '-infinity'::date), id);
  CREATE FUNCTION company_search_text(name text, domains text[], email text, tax_id text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT name || ' ' || array_to_string(domains, ' ') || ' ' || coalesce(email, '') || ' ' || coalesce(tax_id, '') $$;
  ${searchable('companies', 'company_search_text(name, domains, email, tax_id)')}
  ${tallied('companies', 'companies', ['status'])}
`;

const contacts = `
  CREATE TABLE contacts (
    email text NOT NULL,
    name text,
    phone text,
    mobile text,
    job_title text,
    company_id bigint,
    language text,
    timezone text,
    is_vip boolean NOT NULL DEFAULT false,
    status text NOT NULL DEFAULT 'active' CONSTRAINT ck_contacts_status CHECK (status IN ('active', 'blocked')),
    notes text,
    tags text NOT NULL DEFAULT '',
    ${resourceColumns}
  );
  ${resourceIndexes('contacts')}
  CREATE UNIQUE INDEX uq_contacts_email ON contacts (workspace_id, email);
  CREATE INDEX contacts_by_tag ON contacts USING gin (workspace_id, string_to_array(tags, ',')) WITH (fastupdate = off);
  ${filterIndex('contacts', 'status')}
  ${filterIndex('contacts', 'is_vip')}
  ${filterIndex('contacts', 'company_id', { partial: true })}
  CREATE INDEX contacts_order_name ON contacts (workspace_id, coalesce(name, U&'\\+10FFFF'), id);
  CREATE INDEX contacts_order_name_down ON contacts (workspace_id, coalesce(name, ''), id);
  ${searchable('contacts', `email || ' ' || coalesce(name, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(mobile, '')`)}
  ${tallied('contacts', 'contacts', [], { contacts_by_company: ['company_id'] })}
`;
