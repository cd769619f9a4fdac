import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Folding in time that is linear in the length of the text. `normalize()` takes the square of a run of combining marks and
 * sees no statement timeout meanwhile, so runs of more than 30 are cut before it; a text that grows (U+FDFA is 18 characters)
 * is cut behind twice its length and 1,000 characters. Both concern the index alone: texts stay as they are, and what is in the
 * index already stays right.
 */
export class BoundFolding1763900100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(folding(true));
    await runner.query(lexemes(true));
    await runner.query(snippet(true));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(folding(false));
    await runner.query(lexemes(false));
    await runner.query(snippet(false));
  }
}

/** Combining marks, as `NON_STARTERS` of src/platform/text has them; a test holds one against the other. */
const nonStarters = String.raw`\u0300-\u034e\u0350-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07eb-\u07f3\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0859-\u085b\u0897-\u089f\u08ca-\u08e1\u08e3-\u08ff\u093c\u094d\u0951-\u0954\u09bc\u09cd\u09fe\u0a3c\u0a4d\u0abc\u0acd\u0b3c\u0b4d\u0bcd\u0c3c\u0c4d\u0c55-\u0c56\u0cbc\u0ccd\u0d3b-\u0d3c\u0d4d\u0dca\u0e38-\u0e3a\u0e48-\u0e4b\u0eb8-\u0eba\u0ec8-\u0ecb\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f71-\u0f75\u0f7a-\u0f7d\u0f80-\u0f84\u0f86-\u0f87\u0fc6\u1037\u1039-\u103a\u108d\u135d-\u135f\u1714-\u1715\u1734\u17d2\u17dd\u18a9\u1939-\u193b\u1a17-\u1a18\u1a60\u1a75-\u1a7c\u1a7f\u1ab0-\u1abd\u1abf-\u1add\u1ae0-\u1aeb\u1b34\u1b44\u1b6b-\u1b73\u1baa-\u1bab\u1be6\u1bf2-\u1bf3\u1c37\u1cd0-\u1cd2\u1cd4-\u1ce0\u1ce2-\u1ce8\u1ced\u1cf4\u1cf8-\u1cf9\u1dc0-\u1dff\u20d0-\u20dc\u20e1\u20e5-\u20f0\u2cef-\u2cf1\u2d7f\u2de0-\u2dff\u302a-\u302f\u3099-\u309a\ua66f\ua674-\ua67d\ua69e-\ua69f\ua6f0-\ua6f1\ua806\ua82c\ua8c4\ua8e0-\ua8f1\ua92b-\ua92d\ua953\ua9b3\ua9c0\uaab0\uaab2-\uaab4\uaab7-\uaab8\uaabe-\uaabf\uaac1\uaaf6\uabed\ufb1e\ufe20-\ufe2f\uff9e-\uff9f\U000101fd\U000102e0\U00010376-\U0001037a\U00010a0d\U00010a0f\U00010a38-\U00010a3a\U00010a3f\U00010ae5-\U00010ae6\U00010d24-\U00010d27\U00010d69-\U00010d6d\U00010eab-\U00010eac\U00010efa-\U00010efb\U00010efd-\U00010eff\U00010f46-\U00010f50\U00010f82-\U00010f85\U00011046\U00011070\U0001107f\U000110b9-\U000110ba\U00011100-\U00011102\U00011133-\U00011134\U00011173\U000111c0\U000111ca\U00011235-\U00011236\U000112e9-\U000112ea\U0001133b-\U0001133c\U0001134d\U00011366-\U0001136c\U00011370-\U00011374\U000113ce-\U000113d0\U00011442\U00011446\U0001145e\U000114c2-\U000114c3\U000115bf-\U000115c0\U0001163f\U000116b6-\U000116b7\U0001172b\U00011839-\U0001183a\U0001193d-\U0001193e\U00011943\U000119e0\U00011a34\U00011a47\U00011a99\U00011c3f\U00011d42\U00011d44-\U00011d45\U00011d97\U00011f41-\U00011f42\U0001612f\U00016af0-\U00016af4\U00016b30-\U00016b36\U00016ff0-\U00016ff1\U0001bc9e\U0001d165-\U0001d169\U0001d16d-\U0001d172\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244\U0001e000-\U0001e006\U0001e008-\U0001e018\U0001e01b-\U0001e021\U0001e023-\U0001e024\U0001e026-\U0001e02a\U0001e08f\U0001e130-\U0001e136\U0001e2ae\U0001e2ec-\U0001e2ef\U0001e4ec-\U0001e4ef\U0001e5ee-\U0001e5ef\U0001e6e3\U0001e6e6\U0001e6ee-\U0001e6ef\U0001e6f5\U0001e8d0-\U0001e8d6\U0001e944-\U0001e94a`;

/** Characters between words. */
const separators = String.raw`\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u3000-\u3004\u3008-\u3020\u3030\u30fb`;
/** Thai, Lao, Burmese, Khmer, Japanese and Chinese: written without spaces. */
const unspaced = String.raw`\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff`;

/** Runs of one to three characters are the most that a text can have, and need no call for their pairs. */
const pairsOfRun = `CASE length(word) WHEN 1 THEN word WHEN 2 THEN word WHEN 3 THEN left(word, 2) || ' ' || right(word, 2)
  ELSE public.search_bigrams(word) END`;

/** The same as `fold` and `SEPARATORS` of src/areas/search/words/text.ts, which a test holds against it. */
function folding(bounded: boolean): string {
  const cut = String.raw`
    IF plain ~ '[${nonStarters}]{31}' THEN
      plain := regexp_replace(plain, '([${nonStarters}]{30})[${nonStarters}]+', '\1', 'g');
    END IF;
    plain := left(normalize(plain, NFKD), 2 * length(value) + 1000);`;
  return String.raw`
    CREATE OR REPLACE FUNCTION search_fold(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
      plain text := value;
    BEGIN
      IF octet_length(value) = length(value) THEN RETURN lower(value); END IF;
      ${bounded ? cut : 'plain := normalize(plain, NFKD);'}
      RETURN normalize(translate(replace(replace(replace(
        lower(regexp_replace(plain, '[\u0300-\u036f]', '', 'g')), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
        'øłđðħıς', 'olddhiσ'), NFKC);
    END $$;
    CREATE OR REPLACE FUNCTION search_plain(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
      plain text;
    BEGIN
      IF octet_length(value) = length(value) THEN RETURN regexp_replace(lower(value), '[^a-z0-9 ]', ' ', 'g'); END IF;
      plain := regexp_replace(public.search_fold(value),
        '[${separators}]', ' ', 'g');
      IF plain ~ '[${unspaced}]' THEN
        plain := (SELECT string_agg(CASE WHEN word ~ '^[${unspaced}]' THEN ${bounded ? pairsOfRun : 'public.search_bigrams(word)'} ELSE word END, ' ')
          FROM unnest(string_to_array(regexp_replace(plain, '([${unspaced}]+)', ' \1 ', 'g'), ' ')) AS w (word));
      END IF;
      RETURN plain;
    END $$;
  `;
}

/** PostgreSQL refuses a document of more than a megabyte of words: the first 30,000 words of a text are never so many. */
function lexemes(bounded: boolean): string {
  const words = bounded ? '[1:30000]' : '';
  return String.raw`
  CREATE OR REPLACE FUNCTION search_lexemes(workspace_id bigint, value text, title_length integer) RETURNS tsvector
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$
  DECLARE
    body text := left(value, 100000);
    title text;
    anywhere text := workspace_id || ':';
    in_title text := workspace_id || '#';
  BEGIN
    IF octet_length(body) = length(body) THEN
      body := regexp_replace(lower(body), '[^a-z0-9 ]', ' ', 'g');
      title := left(body, title_length);
    ELSE
      title := coalesce(public.search_plain(left(body, title_length)), '');
      body := coalesce(public.search_plain(body), '');
    END IF;
    IF body ~ '[^ ]{61}' THEN
      body := regexp_replace(body, '([^ ]{60})[^ ]+', '\1', 'g');
      title := regexp_replace(title, '([^ ]{60})[^ ]+', '\1', 'g');
    END IF;
    RETURN array_to_tsvector(array_remove(array_remove(array_remove(
      (string_to_array(replace(' ' || body, ' ', ' ' || anywhere), ' '))${words} || string_to_array(replace(' ' || title, ' ', ' ' || in_title), ' '),
      ''), anywhere), in_title));
  END $$;
`;
}

/** The text in lower case once, not once for each word. */
function snippet(bounded: boolean): string {
  const lowered = bounded ? '(SELECT lower(p_text) AS low OFFSET 0) l CROSS JOIN ' : '';
  const low = bounded ? 'l.low' : 'lower(p_text)';
  return String.raw`
  CREATE OR REPLACE FUNCTION kb_snippet(p_text text, p_words text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN length(p_text) <= 200 THEN p_text ELSE
      CASE WHEN s.start > 1 THEN '…' || regexp_replace(substr(p_text, s.start, 200), '^[^\s]{0,30}\s', '') ELSE left(p_text, 200) END
        || CASE WHEN s.start + 200 <= length(p_text) THEN '…' ELSE '' END END
    FROM (
      SELECT greatest(1, coalesce(min(p.at), 1) - 60) AS start FROM ${lowered}unnest(p_words) w (word)
      CROSS JOIN LATERAL (SELECT coalesce(nullif(strpos(${low}, w.word), 0),
        nullif(strpos(${low}, left(w.word, greatest(3, length(w.word) * 3 / 4))), 0)) AS at) p
    ) s
  $$;
`;
}
