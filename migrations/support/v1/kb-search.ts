import { SYSTEM_ROLE } from './row-level-security';

/**
 * What searches of the knowledge base look through. Each article has the text of its current version and, where another
 * version is live, of that one; the service writes the rows (folded, without Markdown), the trigger keeps the flags.
 *
 * - `document`: stems in the article's language; A headings, B title, C body, D keywords and tags.
 * - `search_text`: the folded text, for words as they are written and for parts of words.
 * - `kb_words`: every word of the workspace, where a misspelt one is looked up.
 *
 * The views belong to the system role and carry the workspace predicate themselves: neither `@@` nor `LIKE` is
 * leakproof, so under row-level security no index would serve them.
 */
const texts = `
  CREATE TABLE kb_article_texts (
    workspace_id bigint NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    article_id bigint NOT NULL,
    number integer NOT NULL,
    is_current boolean NOT NULL,
    is_live boolean NOT NULL,
    config text NOT NULL,
    title_text text NOT NULL,
    search_text text NOT NULL,
    plain_text text NOT NULL,
    document tsvector NOT NULL,
    PRIMARY KEY (workspace_id, article_id, number),
    CONSTRAINT fk_kb_article_texts_article_id FOREIGN KEY (workspace_id, article_id)
      REFERENCES kb_articles (workspace_id, id) ON DELETE CASCADE
  );
  CREATE INDEX kb_article_texts_by_document ON kb_article_texts USING gin (workspace_id, document);
  CREATE INDEX kb_article_texts_by_search_text ON kb_article_texts USING gin (workspace_id, search_text gin_trgm_ops);
  CREATE INDEX kb_article_texts_by_config ON kb_article_texts (workspace_id, config);
  CREATE TABLE kb_words (
    workspace_id bigint NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    word text NOT NULL,
    PRIMARY KEY (workspace_id, word)
  );
  CREATE INDEX kb_words_by_word ON kb_words USING gin (workspace_id, word gin_trgm_ops);
`;

const views = ['kb_article_texts', 'kb_words']
  .map(
    (table) => `
  CREATE VIEW ${table}_search AS SELECT * FROM ${table} WHERE workspace_id = (SELECT current_setting('app.workspace_id')::bigint);
  GRANT CREATE ON SCHEMA public TO ${SYSTEM_ROLE};
  ALTER VIEW ${table}_search OWNER TO ${SYSTEM_ROLE};
  REVOKE CREATE ON SCHEMA public FROM ${SYSTEM_ROLE};
`,
  )
  .join('\n');

/** Drops texts that neither editors nor readers see any more, and says of the others which of the two do. */
const upkeep = `
  CREATE FUNCTION kb_article_texts_follow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM kb_article_texts x WHERE x.workspace_id = NEW.workspace_id AND x.article_id = NEW.id
      AND x.number <> NEW.version_number AND x.number IS DISTINCT FROM NEW.live_version;
    UPDATE kb_article_texts x SET is_current = (x.number = NEW.version_number), is_live = (x.number IS NOT DISTINCT FROM NEW.live_version)
      WHERE x.workspace_id = NEW.workspace_id AND x.article_id = NEW.id
        AND (x.is_current, x.is_live) IS DISTINCT FROM (x.number = NEW.version_number, x.number IS NOT DISTINCT FROM NEW.live_version);
    RETURN NULL; END $$;
  CREATE TRIGGER kb_articles_texts AFTER UPDATE OF version_number, live_version ON kb_articles FOR EACH ROW
    WHEN (OLD.version_number <> NEW.version_number OR OLD.live_version IS DISTINCT FROM NEW.live_version)
    EXECUTE FUNCTION kb_article_texts_follow();
`;

/**
 * Distance of two words: insertions, deletions, replacements and swaps of neighbours (optimal string alignment), for words of
 * at most 40 characters.
 */
const typos = `
  CREATE FUNCTION kb_typos(p_a text, p_b text) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$
  DECLARE
    v_a text[] := string_to_array(left(p_a, 40), NULL);
    v_b text[] := string_to_array(left(p_b, 40), NULL);
    v_m integer := coalesce(cardinality(v_a), 0);
    v_n integer := coalesce(cardinality(v_b), 0);
    v_before integer[];
    v_above integer[];
    v_row integer[];
  BEGIN
    SELECT array_agg(j) INTO v_above FROM generate_series(0, v_n) j;
    FOR i IN 1..v_m LOOP
      v_row := ARRAY[i];
      FOR j IN 1..v_n LOOP
        v_row[j + 1] := least(v_above[j + 1] + 1, v_row[j] + 1, v_above[j] + (v_a[i] <> v_b[j])::integer);
        IF i > 1 AND j > 1 AND v_a[i] = v_b[j - 1] AND v_a[i - 1] = v_b[j] THEN
          v_row[j + 1] := least(v_row[j + 1], v_before[j - 1] + 1);
        END IF;
      END LOOP;
      v_before := v_above;
      v_above := v_row;
    END LOOP;
    RETURN v_above[v_n + 1];
  END $$;
`;

/**
 * Words of the workspace that a misspelt one may stand for, itself included: one mistake in words of 4 to 7 letters, two in
 * longer ones. The trigram index proposes, the distance decides.
 */
const nearWords = `
  CREATE FUNCTION kb_near_words(p_word text) RETURNS text[] LANGUAGE plpgsql STABLE
    SET pg_trgm.similarity_threshold = 0.2 AS $$
  DECLARE v_mistakes integer := CASE WHEN length(p_word) BETWEEN 4 AND 7 THEN 1 WHEN length(p_word) BETWEEN 8 AND 40 THEN 2 ELSE 0 END;
  BEGIN
    IF v_mistakes = 0 THEN RETURN ARRAY[p_word]; END IF;
    RETURN ARRAY[p_word] || ARRAY(
      SELECT c.word FROM (
        SELECT w.word, similarity(w.word, p_word) AS s FROM kb_words_search w
        WHERE w.word % p_word AND length(w.word) BETWEEN length(p_word) - v_mistakes AND length(p_word) + v_mistakes
        ORDER BY s DESC, w.word LIMIT 40) c
      WHERE c.word <> p_word AND kb_typos(c.word, p_word) <= v_mistakes
      ORDER BY c.s DESC, c.word LIMIT 8);
  END $$;
`;

/**
 * The query for words: all of them, in the stems of each language that the workspace writes in. Null when nothing is left
 * of them.
 *
 * @param p_words one text per term; several words in one stay together
 * @param p_near also words spelt nearly the same
 */
const query = `
  CREATE FUNCTION kb_query(p_words text[], p_near boolean) RETURNS tsquery LANGUAGE plpgsql STABLE AS $$
  DECLARE
    v_config text;
    v_words text;
    v_word text;
    v_piece tsquery;
    v_term tsquery;
    v_all tsquery;
    v_any tsquery;
    v_near jsonb := '{}';
  BEGIN
    IF p_near THEN
      FOREACH v_words IN ARRAY p_words LOOP
        v_near := v_near || jsonb_build_object(v_words, kb_near_words(v_words));
      END LOOP;
    END IF;
    FOR v_config IN SELECT kb_configs() LOOP
      v_all := NULL;
      FOREACH v_words IN ARRAY p_words LOOP
        v_term := NULL;
        FOR v_word IN SELECT v_words WHERE NOT p_near UNION ALL SELECT jsonb_array_elements_text(v_near -> v_words) LOOP
          v_piece := phraseto_tsquery(v_config::regconfig, v_word);
          IF numnode(v_piece) > 0 THEN v_term := coalesce(v_term || v_piece, v_piece); END IF;
        END LOOP;
        v_all := coalesce(v_all && v_term, v_term, v_all);
      END LOOP;
      v_any := coalesce(v_any || v_all, v_all, v_any);
    END LOOP;
    RETURN v_any;
  END $$;
`;

/** Text search configurations in use, one step of the index each. */
const configs = `
  CREATE FUNCTION kb_configs() RETURNS SETOF text LANGUAGE sql STABLE AS $$
    WITH RECURSIVE found AS (
      SELECT min(config) AS config FROM kb_article_texts_search
      UNION ALL
      SELECT (SELECT min(x.config) FROM kb_article_texts_search x WHERE x.config > f.config) FROM found f WHERE f.config IS NOT NULL
    )
    SELECT config FROM found WHERE config IS NOT NULL
  $$;
`;

/**
 * About 200 characters of a text around the first of the words (or of its beginning, where only its stem occurs).
 */
const snippet = `
  CREATE FUNCTION kb_snippet(p_text text, p_words text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN length(p_text) <= 200 THEN p_text ELSE
      CASE WHEN s.start > 1 THEN '…' || regexp_replace(substr(p_text, s.start, 200), '^[^\\s]{0,30}\\s', '') ELSE left(p_text, 200) END
        || CASE WHEN s.start + 200 <= length(p_text) THEN '…' ELSE '' END END
    FROM (
      SELECT greatest(1, coalesce(min(p.at), 1) - 60) AS start FROM unnest(p_words) w (word)
      CROSS JOIN LATERAL (SELECT coalesce(nullif(strpos(lower(p_text), w.word), 0),
        nullif(strpos(lower(p_text), left(w.word, greatest(3, length(w.word) * 3 / 4))), 0)) AS at) p
    ) s
  $$;
`;

export const kbSearch = {
  tables: ['kb_article_texts', 'kb_words'],
  up: [texts, views, upkeep, typos, nearWords, configs, query, snippet].join('\n'),
  down: `
    DROP TRIGGER kb_articles_texts ON kb_articles;
    DROP FUNCTION kb_article_texts_follow(), kb_query(text[], boolean), kb_near_words(text), kb_typos(text, text), kb_configs(), kb_snippet(text, text[]);
    DROP VIEW kb_article_texts_search, kb_words_search;
    DROP TABLE kb_article_texts, kb_words;
  `,
} as const;
