import type { Client } from 'pg';
import { isConditional, type Policy, policySql } from '../../areas/sla/policy-match';
import { Random } from './random';
import { CATEGORIES, COMPANY_KINDS, COMPANY_NAMES, FIRST_NAMES, LAST_NAMES, TEAMS } from './vocabulary';

export interface Agent {
  id: number;
  name: string;
  email: string;
  team_id: number | null;
}

export interface Requester {
  id: number;
  name: string | null;
  email: string;
  company_id: number | null;
}

/** Who and what the tickets are about: records of the workspace, those that were missing made first. */
export interface Cast {
  agents: Agent[];
  requesters: Requester[];
  categories: number[];
  /** The policy that applies to a ticket of that company and category; null without a default one. */
  policyFor: (companyId: number | null, categoryId: number | null) => Policy | null;
}

/** How many of each a workspace with that many tickets has. */
function castSize(tickets: number): { agents: number; companies: number; contacts: number } {
  const between = (low: number, value: number, high: number): number =>
    Math.min(high, Math.max(low, Math.round(value)));
  return {
    agents: between(6, Math.sqrt(tickets) / 10, 60),
    companies: between(12, tickets / 100, 400),
    contacts: between(40, tickets / 20, 20_000),
  };
}

/** Completes the cast of a workspace. Runs as the system role, inside the caller's transaction. */
export async function gatherCast(client: Client, workspaceId: number, tickets: number, seed: number): Promise<Cast> {
  const size = castSize(tickets);
  const random = new Random(seed + 7);
  await addTeams(client, workspaceId);
  await addAgents(client, workspaceId, size.agents, random);
  await addCompanies(client, workspaceId, size.companies, random);
  await addContacts(client, workspaceId, size.contacts, random);
  await addCategories(client, workspaceId);
  // Bulk loads check no references: what tickets will refer to must not go away meanwhile.
  for (const table of ['teams', 'users', 'companies', 'categories', 'sla_policies']) {
    await client.query(`SELECT FROM ${table} WHERE workspace_id = $1 FOR KEY SHARE`, [workspaceId]);
  }
  await client.query('SELECT FROM workspaces WHERE id = $1 FOR KEY SHARE', [workspaceId]);
  const rows = async <T>(text: string): Promise<T[]> => (await client.query(text, [workspaceId])).rows as T[];
  const categories = await rows<{ id: number }>(
    `SELECT id FROM categories WHERE workspace_id = $1 AND is_active ORDER BY id LIMIT 100`,
  );
  return {
    agents: await rows(
      `SELECT id, name, email, (SELECT min(t.id) FROM teams t WHERE t.workspace_id = $1 AND t.id = ANY(team_ids)) AS team_id FROM users
       WHERE workspace_id = $1 AND status = 'active' AND role <> 'light_agent' ORDER BY id LIMIT 200`,
    ),
    requesters: await rows(
      `SELECT id, name, email, company_id FROM contacts WHERE workspace_id = $1 AND status = 'active' ORDER BY id LIMIT 50000 FOR KEY SHARE`,
    ),
    categories: categories.map(({ id }) => id),
    policyFor: await policies(client, workspaceId),
  };
}

/** The company's policy, else the category's, else the first one without conditions, else the default. */
async function policies(client: Client, workspaceId: number): Promise<Cast['policyFor']> {
  const all = await client.query<{ id: number; is_default: boolean; policy: Policy }>(
    `SELECT id, is_default, ${policySql('p')} AS policy FROM sla_policies p WHERE workspace_id = $1 AND (is_default OR is_active)
       AND coalesce(starts_on, '-infinity') <= current_date AND coalesce(ends_on, 'infinity') >= current_date ORDER BY is_default, position, id`,
    [workspaceId],
  );
  const usable = new Map(all.rows.map(({ id, policy }) => [id, policy]));
  const fallback = all.rows.find((row) => row.is_default || !isConditional(row.policy))?.policy ?? null;
  const chosenBy = async (table: 'companies' | 'categories'): Promise<Map<number, Policy>> => {
    const { rows } = await client.query<{ id: number; sla_policy_id: number }>(
      `SELECT id, sla_policy_id FROM ${table} WHERE workspace_id = $1 AND sla_policy_id IS NOT NULL`,
      [workspaceId],
    );
    return new Map(rows.flatMap(({ id, sla_policy_id }) => entry(id, usable.get(sla_policy_id))));
  };
  const byCompany = await chosenBy('companies');
  const byCategory = await chosenBy('categories');
  return (companyId, categoryId) => byCompany.get(companyId ?? 0) ?? byCategory.get(categoryId ?? 0) ?? fallback;
}

function entry(id: number, policy: Policy | undefined): [number, Policy][] {
  return policy ? [[id, policy]] : [];
}

async function addTeams(client: Client, workspaceId: number): Promise<void> {
  await client.query(
    `INSERT INTO teams (workspace_id, name) SELECT $1, name FROM unnest($2::text[]) AS name
     WHERE NOT EXISTS (SELECT 1 FROM teams WHERE workspace_id = $1 AND is_active)`,
    [workspaceId, TEAMS],
  );
}

async function addAgents(client: Client, workspaceId: number, wanted: number, random: Random): Promise<void> {
  const missing = wanted - (await count(client, 'users', workspaceId, `status = 'active' AND role <> 'light_agent'`));
  const rows = people(random, missing, () => 'support.example.com');
  await client.query(
    `WITH numbered AS (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place, count(*) OVER () AS teams FROM teams WHERE workspace_id = $1 AND is_active)
     INSERT INTO users (workspace_id, name, email, role, status, title, availability, availability_changed_at, team_ids, skills)
     SELECT $1, r.name, r.email, CASE WHEN r.place % 10 = 0 THEN 'supervisor' ELSE 'agent' END, 'active',
       CASE WHEN r.place % 10 = 0 THEN 'Team lead' ELSE 'Support engineer' END,
       CASE WHEN r.place % 3 = 0 THEN 'online' ELSE 'offline' END, now(), array_remove(ARRAY[n.id], NULL),
       CASE r.place % 3 WHEN 0 THEN '{billing,networking}' WHEN 1 THEN '{networking}' ELSE '{hardware}' END::text[]
     FROM jsonb_to_recordset($2::jsonb) AS r (place bigint, name text, email text)
       LEFT JOIN numbered n ON n.place = r.place % n.teams
     ON CONFLICT DO NOTHING`,
    [workspaceId, JSON.stringify(rows)],
  );
}

async function addCompanies(client: Client, workspaceId: number, wanted: number, random: Random): Promise<void> {
  const missing = wanted - (await count(client, 'companies', workspaceId, `status = 'active'`));
  const rows = Array.from({ length: Math.max(0, missing) }, (_, place) => {
    const name = COMPANY_NAMES[place % COMPANY_NAMES.length] ?? '';
    const kind = COMPANY_KINDS[Math.floor(place / COMPANY_NAMES.length) % COMPANY_KINDS.length] ?? '';
    const round = Math.floor(place / (COMPANY_NAMES.length * COMPANY_KINDS.length));
    const number = round === 0 ? '' : String(round + 1);
    return {
      name: `${name} ${kind}${number === '' ? '' : ` ${number}`}`,
      domain: `${name}-${kind}${number}.example`.toLowerCase(),
      industry: kind,
      size: random.of(['1-10', '11-50', '51-200', '201-500', '501-1000', '1000+']),
      tier: random.of(['standard', 'standard', 'standard', 'silver', 'gold', 'platinum']),
      is_vip: random.chance(0.05),
      health_score: random.chance(0.8) ? 30 + random.below(71) : null,
      country: random.of(['IT', 'DE', 'FR', 'ES', 'PT', 'US', 'GB', 'SE']),
    };
  });
  await client.query(
    `INSERT INTO companies (workspace_id, name, domains, industry, size, tier, is_vip, health_score, address)
     SELECT $1, r.name, ARRAY[r.domain], r.industry, r.size, r.tier, r.is_vip, r.health_score, jsonb_build_object('country', r.country)
     FROM jsonb_to_recordset($2::jsonb) AS r
       (name text, domain text, industry text, size text, tier text, is_vip boolean, health_score integer, country text)
     ON CONFLICT DO NOTHING`,
    [workspaceId, JSON.stringify(rows)],
  );
}

async function addContacts(client: Client, workspaceId: number, wanted: number, random: Random): Promise<void> {
  const missing = wanted - (await count(client, 'contacts', workspaceId, `status = 'active'`));
  const { rows: companies } = await client.query<{ id: number; domain: string }>(
    `SELECT id, domains[1] AS domain FROM companies WHERE workspace_id = $1 AND status = 'active' AND domains <> '{}' ORDER BY id LIMIT 2000`,
    [workspaceId],
  );
  // A tenth of the people belong to no company; the first companies have the most people.
  const employers = Array.from({ length: Math.max(0, missing) }, () =>
    random.chance(0.1) ? null : (companies[Math.floor(random.skewed(0, companies.length))] ?? null),
  );
  const rows = people(random, missing, (place) => employers[place]?.domain ?? 'mail.example').map((person) => ({
    ...person,
    company_id: employers[person.place]?.id ?? null,
    phone: `+39 02 ${1_000_000 + random.below(9_000_000)}`,
    is_vip: random.chance(0.03),
  }));
  await client.query(
    `INSERT INTO contacts (workspace_id, email, name, phone, company_id, is_vip)
     SELECT $1, r.email, r.name, r.phone, r.company_id, r.is_vip
     FROM jsonb_to_recordset($2::jsonb) AS r (email text, name text, phone text, company_id bigint, is_vip boolean)
     ON CONFLICT DO NOTHING`,
    [workspaceId, JSON.stringify(rows)],
  );
}

async function addCategories(client: Client, workspaceId: number): Promise<void> {
  await client.query(
    `INSERT INTO categories (workspace_id, name, slug, position)
     SELECT $1, name, trim(both '-' from regexp_replace(lower(name), '[^a-z0-9]+', '-', 'g')), place FROM unnest($2::text[]) WITH ORDINALITY AS c (name, place)
     WHERE NOT EXISTS (SELECT 1 FROM categories WHERE workspace_id = $1 AND is_active)
     ON CONFLICT DO NOTHING`,
    [workspaceId, CATEGORIES],
  );
}

/** People with distinct addresses. */
function people(
  random: Random,
  wanted: number,
  domainOf: (place: number) => string,
): { place: number; name: string; email: string }[] {
  return Array.from({ length: Math.max(0, wanted) }, (_, place) => {
    const first = random.of(FIRST_NAMES);
    const last = random.of(LAST_NAMES);
    const email = `${first}.${last}${place === 0 ? '' : place}@${domainOf(place)}`.toLowerCase();
    return { place, name: `${first} ${last}`, email };
  });
}

async function count(client: Client, table: string, workspaceId: number, condition: string): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM ${table} WHERE workspace_id = $1 AND ${condition}`,
    [workspaceId],
  );
  return rows[0]?.n ?? 0;
}
