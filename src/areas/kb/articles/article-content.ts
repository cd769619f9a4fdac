import { current } from '../../../platform/context/current';
import type { Alongside } from '../../../platform/resource/write-plan';
import type { ArticleText } from '../text/article-text';

/**
 * SQL that keeps the content of the article being written as a version, and its text for searches.
 *
 * @param restoredFrom number of the version that it brings back
 */
export function newVersion(text: ArticleText, restoredFrom: number | null = null): Alongside {
  const { actor } = current();
  return (bind) =>
    `kept AS (INSERT INTO kb_article_versions (workspace_id, article_id, number, title, body, excerpt, excerpt_given, language, tags, keywords, status, ` +
    `change_note, restored_from, editor_type, editor_id, editor_name, published_at, created_at) ` +
    `SELECT $1, t.id, t.version_number, t.title, t.body, t.excerpt, t.excerpt_given, t.language, t.tags, t.keywords, t.status, t.change_note, ` +
    `${bind(restoredFrom)}::integer, ${bind(actor.type)}, ${bind(actor.id)}::bigint, ${bind(actor.name)}, ` +
    `CASE WHEN t.live_version = t.version_number THEN t.updated_at END, t.updated_at FROM t), ${searchTexts(text)(bind)}`;
}

/** SQL that notes when readers first saw a version that was written before. */
export const versionGoesLive: Alongside = () =>
  `shown AS (UPDATE kb_article_versions v SET published_at = now() FROM t WHERE v.workspace_id = $1 AND v.article_id = t.id ` +
  `AND v.number = t.live_version AND v.published_at IS NULL)`;

function searchTexts({ config, words, foldedTitle, folded, plain, spelt }: ArticleText): Alongside {
  return (bind) => {
    const configuration = `${bind(config)}::text`;
    const part = (name: keyof ArticleText['words'], weight: string): string =>
      `setweight(to_tsvector(${configuration}::regconfig, ${bind(words[name])}), '${weight}')`;
    const document = [part('headings', 'A'), part('title', 'B'), part('body', 'C'), part('keywords', 'D')].join(' || ');
    return (
      `searched AS (INSERT INTO kb_article_texts (workspace_id, article_id, number, is_current, is_live, config, title_text, search_text, plain_text, document) ` +
      `SELECT $1, t.id, t.version_number, true, t.live_version IS NOT DISTINCT FROM t.version_number, ${configuration}, ` +
      `${bind(foldedTitle)}, ${bind(folded)}, ${bind(plain)}, ${document} FROM t), ` +
      `words AS (INSERT INTO kb_words (workspace_id, word) SELECT $1, w.word FROM unnest(${bind(spelt)}::text[]) w (word) ON CONFLICT DO NOTHING)`
    );
  };
}
