import { selectExpression } from '../../../platform/columns/column-spec';
import type { SqlRelation } from '../../../platform/resource/resource';
import { kbArticleVersionResource } from './version.resource';

const columns = (alias: string): string =>
  kbArticleVersionResource.columns.map((column) => `${selectExpression(column, alias)} AS ${column.name}`).join(', ');

/** `expand=live`: the version of an article that readers see; null when they see none. */
export const liveVersionRelation: SqlRelation = {
  sql: (article) =>
    `SELECT row_to_json(e) FROM (SELECT ${columns('x')} FROM kb_article_versions x ` +
    `WHERE x.workspace_id = ${article}.workspace_id AND x.article_id = ${article}.id AND x.number = ${article}.live_version) e`,
  schema: { anyOf: [{ $ref: '#/components/schemas/KbArticleVersion' }, { type: 'null' }] },
};
