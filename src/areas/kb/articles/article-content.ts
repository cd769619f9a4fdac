import { current } from '../../../platform/context/current';
import type { Alongside, Values } from '../../../platform/resource/write-plan';
import { foldText } from '../text/fold-text';
import { excerptOf, plainText } from '../text/markdown-text';
import { indexedWords, speltWords } from '../text/search-words';
import { textConfiguration } from '../text/text-configuration';

/** Characters of an article's plain text that searches look through. */
const SEARCHED_LENGTH = 100_000;
/** Bytes of words per part of the index; PostgreSQL holds a megabyte in one document. */
const BODY_BYTES = 300_000;
const HEADING_BYTES = 50_000;
/** Different words of an article in which a typing mistake can be forgiven. */
const SPELT_WORDS = 3_000;

/** The content of an article as it is stored. */
export interface Content {
  title: string;
  body: string;
  language: string;
  tags: string;
  keywords: string;
}

/** The excerpt that is made of a body. */
export function derivedExcerpt(body: string): string {
  return excerptOf(plainText(body).text);
}

/**
 * SQL that keeps the content of the article being written as a version, and its text for searches.
 *
 * @param restoredFrom number of the version that it brings back
 */
export function newVersion(content: Content, restoredFrom: number | null = null): Alongside {
  const { actor } = current();
  return (bind) =>
    `kept AS (INSERT INTO kb_article_versions (workspace_id, article_id, number, title, body, excerpt, excerpt_given, language, tags, keywords, status, ` +
    `change_note, restored_from, editor_type, editor_id, editor_name, published_at) ` +
    `SELECT $1, t.id, t.version_number, t.title, t.body, t.excerpt, t.excerpt_given, t.language, t.tags, t.keywords, t.status, t.change_note, ` +
    `${bind(restoredFrom)}::integer, ${bind(actor.type)}, ${bind(actor.id)}::bigint, ${bind(actor.name)}, ` +
    `CASE WHEN t.live_version = t.version_number THEN now() END FROM t), ${searchTexts(content)(bind)}`;
}

/** SQL that notes when readers first saw a version that was written before. */
export const versionGoesLive: Alongside = () =>
  `shown AS (UPDATE kb_article_versions v SET published_at = now() FROM t WHERE v.workspace_id = $1 AND v.article_id = t.id ` +
  `AND v.number = t.live_version AND v.published_at IS NULL)`;

function searchTexts({ title, body, language, tags, keywords }: Content): Alongside {
  const plain = plainText(body);
  const text = plain.text.slice(0, SEARCHED_LENGTH).toWellFormed();
  const whole = foldText([title, text, keywords.replaceAll(',', ', '), tags.replaceAll(',', ', ')].join('\n'));
  const values: Values = {
    config: textConfiguration(language),
    title: indexedWords(title, HEADING_BYTES),
    headings: indexedWords(plain.headings, HEADING_BYTES),
    body: indexedWords(text, BODY_BYTES),
    keywords: indexedWords(`${keywords} ${tags}`, HEADING_BYTES),
  };
  return (bind) => {
    const config = `${bind(values.config)}::text`;
    const part = (name: string, weight: string): string =>
      `setweight(to_tsvector(${config}::regconfig, ${bind(values[name])}), '${weight}')`;
    const document = [part('headings', 'A'), part('title', 'B'), part('body', 'C'), part('keywords', 'D')].join(' || ');
    return (
      `searched AS (INSERT INTO kb_article_texts (workspace_id, article_id, number, is_current, is_live, config, title_text, search_text, plain_text, document) ` +
      `SELECT $1, t.id, t.version_number, true, t.live_version IS NOT DISTINCT FROM t.version_number, ${config}, ` +
      `${bind(foldText(title))}, ${bind(whole)}, ${bind(text)}, ${document} FROM t), ` +
      `words AS (INSERT INTO kb_words (workspace_id, word) SELECT $1, w.word FROM unnest(${bind(speltWords(whole, SPELT_WORDS))}::text[]) w (word) ON CONFLICT DO NOTHING)`
    );
  };
}
