import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import { invalid } from '../../../platform/errors/api-error';
import { andSeen, filled } from '../../../platform/resource/read/sight';
import { KbArticle } from './article.entity';

/** An article and its translations are a star: every translation names the original, and no two share a language. */
@Injectable()
export class TranslationRules {
  constructor(
    @InjectWorkspaceRepository(KbArticle) private readonly articles: WorkspaceRepository<KbArticle>,
    private readonly database: Database,
  ) {}

  /**
   * Refuses what would break the star, and an original that the caller does not see. Call it under the lock of the workspace's articles.
   *
   * @param id the article; null for a new one
   * @param known its original until now, seen or not
   */
  async check(
    id: number | null,
    language: string,
    originalId: number | null,
    known: number | null = null,
  ): Promise<void> {
    if (originalId === null) return this.checkOriginal(id, language);
    if (originalId === id) invalid('translation_of_id', 'cycle', 'An article cannot be a translation of itself.');
    const seen = originalId === known ? '' : andSeen('kb_articles', 'a');
    const { text, values } = filled({
      text: `SELECT a.language, a.translation_of_id AS original,
              EXISTS (SELECT FROM kb_articles x WHERE x.workspace_id = $1 AND x.translation_of_id = $3::bigint) AS translations
       FROM kb_articles a WHERE a.workspace_id = $1 AND a.id = $2${seen}`,
      values: [currentWorkspaceId(), originalId, id],
    });
    const [found] = await this.database.query<{ language: string; original: number | null; translations: boolean }>(
      text,
      values,
    );
    if (!found) invalid('translation_of_id', 'not_found', '"translation_of_id" names an article that does not exist.');
    if (found.original !== null) {
      invalid(
        'translation_of_id',
        'chain',
        `"translation_of_id" names a translation; its original is ${found.original}.`,
        {
          original_id: found.original,
        },
      );
    }
    if (found.translations)
      invalid('translation_of_id', 'chain', 'An article that has translations cannot become a translation.');
    if (found.language === language)
      invalid('language', 'duplicate', `The original is in "${language}"; a translation has another language.`);
  }

  /** The language of an original must be none of its translations'. */
  private async checkOriginal(id: number | null, language: string): Promise<void> {
    if (id === null) return;
    if (await this.articles.existsBy({ translation_of_id: id, language }))
      invalid('language', 'duplicate', `There is a translation into "${language}" already.`);
  }
}
