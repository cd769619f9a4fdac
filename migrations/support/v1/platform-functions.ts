const DEFINER = `SECURITY DEFINER SET search_path = pg_catalog, public`;

/** A timestamp as the API writes it. */
const iso = (value: string): string => `to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * The acting user of a token. This first version knows no users; the migration that creates them replaces it and
 * announces changes of what it returns.
 */
const authUser = `
  CREATE OR REPLACE FUNCTION auth_user(p_workspace_id bigint, p_user_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE ${DEFINER} AS $$ SELECT NULL::jsonb $$
`;

/** Everything the guards need to know about a token (the shape of `Access`), or null when it must not be accepted. */
const authLookup = `
  CREATE OR REPLACE FUNCTION auth_lookup(p_hash bytea) RETURNS jsonb LANGUAGE sql STABLE ${DEFINER} AS $$
    SELECT jsonb_build_object(
      'token', jsonb_build_object('id', t.id, 'type', t.type, 'name', t.name, 'scopes', to_jsonb(t.scopes),
        'created_at', ${iso('t.created_at')}, 'expires_at', ${iso('t.expires_at')},
        'last_used_at', ${iso('t.last_used_at')}, 'user_id', t.user_id),
      'workspace', jsonb_build_object('id', w.id, 'slug', w.slug, 'name', w.name, 'kind', w.kind,
        'timezone', w.timezone, 'locale', w.locale, 'currency', w.currency, 'settings', w.settings),
      'developer', CASE WHEN d.id IS NOT NULL THEN
        jsonb_build_object('id', d.id, 'name', d.name, 'status', d.status) END,
      'app', CASE WHEN a.id IS NOT NULL THEN
        jsonb_build_object('id', a.id, 'name', a.name, 'status', a.status) END,
      'tenant', CASE WHEN n.id IS NOT NULL THEN
        jsonb_build_object('id', n.id, 'name', n.name, 'status', n.status) END,
      'plan', CASE WHEN p.id IS NOT NULL THEN
        jsonb_build_object('key', p.key, 'name', p.name, 'rate_limit_per_minute', p.rate_limit_per_minute,
          'monthly_quota', p.monthly_quota, 'overage_enabled', p.overage_enabled) END,
      'user', CASE WHEN t.user_id IS NOT NULL THEN public.auth_user(t.workspace_id, t.user_id) END)
    FROM tokens t
    JOIN workspaces w ON w.id = t.workspace_id
    LEFT JOIN developers d ON d.id = w.developer_id
    LEFT JOIN apps a ON a.workspace_id = w.id
    LEFT JOIN tenants n ON n.id = w.tenant_id
    LEFT JOIN subscriptions s ON s.workspace_id = w.id AND s.status = 'active'
    LEFT JOIN plans p ON p.id = s.plan_id
    WHERE t.hash = p_hash AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > clock_timestamp())
      AND (t.user_id IS NULL OR public.auth_user(t.workspace_id, t.user_id) IS NOT NULL)
  $$
`;

const touchTokens = `
  CREATE OR REPLACE FUNCTION touch_tokens(p_ids bigint[], p_times timestamptz[]) RETURNS void LANGUAGE sql ${DEFINER} AS $$
    UPDATE tokens t SET last_used_at = used.at
    FROM unnest(p_ids, p_times) AS used (id, at)
    WHERE t.id = used.id AND (t.last_used_at IS NULL OR t.last_used_at < used.at)
  $$
`;

/**
 * Counts requests against the month's quota, many workspaces in one call.
 *
 * `p_counts` were served already and are always added; of `p_wanted` as many are granted as `p_limits` (0 = no limit)
 * still allows. Rows are locked in the order of their ids, so nodes never deadlock. The month is the database's.
 */
const settleQuota = `
  CREATE OR REPLACE FUNCTION settle_quota(p_workspaces bigint[], p_counts bigint[], p_wanted bigint[], p_limits bigint[])
    RETURNS TABLE (workspace_id bigint, month text, used bigint, granted bigint, seconds_left integer)
    LANGUAGE plpgsql ${DEFINER} AS $$
  #variable_conflict use_column
  DECLARE
    v_now timestamp := clock_timestamp() AT TIME ZONE 'UTC';
    v_month date := date_trunc('month', v_now)::date;
    v_left integer := ceil(extract(epoch FROM date_trunc('month', v_now) + interval '1 month' - v_now))::integer;
    v_used bigint;
    v_granted bigint;
    r record;
  BEGIN
    FOR r IN
      SELECT u.id, u.counted, u.wanted, u.cap
      FROM unnest(p_workspaces, p_counts, p_wanted, p_limits) AS u (id, counted, wanted, cap)
      WHERE EXISTS (SELECT FROM workspaces w WHERE w.id = u.id)
      ORDER BY u.id
    LOOP
      v_granted := 0;
      IF r.counted = 0 AND r.wanted = 0 THEN
        SELECT q.used INTO v_used FROM quota_usage q WHERE q.workspace_id = r.id AND q.month = v_month;
        v_used := coalesce(v_used, 0);
      ELSE
        INSERT INTO quota_usage AS q (workspace_id, month, used) VALUES (r.id, v_month, r.counted)
          ON CONFLICT (workspace_id, month) DO UPDATE SET used = q.used + excluded.used
          RETURNING q.used INTO v_used;
        IF r.wanted > 0 THEN
          v_granted := CASE WHEN r.cap = 0 THEN r.wanted ELSE greatest(0, least(r.wanted, r.cap - v_used)) END;
          UPDATE quota_usage q SET used = q.used + v_granted
            WHERE q.workspace_id = r.id AND q.month = v_month AND v_granted > 0;
          v_used := v_used + v_granted;
        END IF;
      END IF;
      RETURN QUERY SELECT r.id, to_char(v_month, 'YYYY-MM'), v_used, v_granted, v_left;
    END LOOP;
  END $$
`;

/** Kinds of numbered records. A migration that adds one replaces this and calls create_missing_counters(). */
const counterKinds = `
  CREATE OR REPLACE FUNCTION counter_kinds() RETURNS text[] LANGUAGE sql IMMUTABLE AS $$ SELECT ARRAY['ticket'] $$
`;

const createCounters = `
  CREATE OR REPLACE FUNCTION create_counters() RETURNS trigger LANGUAGE plpgsql ${DEFINER} AS $$
  DECLARE v_kind text;
  BEGIN
    FOREACH v_kind IN ARRAY public.counter_kinds() LOOP
      EXECUTE format('CREATE SEQUENCE counters.%I', v_kind || '_' || NEW.id);
    END LOOP;
    RETURN NULL;
  END $$
`;

const dropCounters = `
  CREATE OR REPLACE FUNCTION drop_counters() RETURNS trigger LANGUAGE plpgsql ${DEFINER} AS $$
  DECLARE v_kind text;
  BEGIN
    FOREACH v_kind IN ARRAY public.counter_kinds() LOOP
      EXECUTE format('DROP SEQUENCE IF EXISTS counters.%I', v_kind || '_' || OLD.id);
    END LOOP;
    RETURN NULL;
  END $$
`;

const createMissingCounters = `
  CREATE OR REPLACE FUNCTION create_missing_counters() RETURNS void LANGUAGE plpgsql ${DEFINER} AS $$
  DECLARE v_name text;
  BEGIN
    FOR v_name IN SELECT kind || '_' || w.id FROM workspaces w, unnest(public.counter_kinds()) AS kind LOOP
      EXECUTE format('CREATE SEQUENCE IF NOT EXISTS counters.%I', v_name);
    END LOOP;
  END $$
`;

/** Sequences, not a locked counter row: concurrent creations never wait for each other's commit. */
const nextNumber = `
  CREATE OR REPLACE FUNCTION next_number(p_kind text) RETURNS bigint LANGUAGE plpgsql ${DEFINER} AS $$
  BEGIN
    RETURN nextval(format('counters.%I', p_kind || '_' || current_setting('app.workspace_id')::bigint)::regclass);
  END $$
`;

const announceAccessChanged = `
  CREATE OR REPLACE FUNCTION announce_access_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_notify('access_changed', '');
    RETURN NULL;
  END $$
`;

/** Functions of the platform; `callable` are those that requests may call. */
export const platformFunctions = {
  definitions: [
    authUser,
    authLookup,
    touchTokens,
    settleQuota,
    counterKinds,
    createCounters,
    dropCounters,
    createMissingCounters,
    nextNumber,
    announceAccessChanged,
  ],
  callable: [
    'auth_lookup(bytea)',
    'touch_tokens(bigint[], timestamptz[])',
    'settle_quota(bigint[], bigint[], bigint[], bigint[])',
    'next_number(text)',
  ],
  all: [
    'auth_lookup(bytea)',
    'auth_user(bigint, bigint)',
    'touch_tokens(bigint[], timestamptz[])',
    'settle_quota(bigint[], bigint[], bigint[], bigint[])',
    'counter_kinds()',
    'create_counters()',
    'drop_counters()',
    'create_missing_counters()',
    'next_number(text)',
    'announce_access_changed()',
  ],
} as const;
