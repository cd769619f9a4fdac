import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { fail } from '../../../platform/errors/api-error';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import { Store } from '../../../platform/resource/store';
import { andSeen, filled } from '../../../platform/resource/read/sight';
import { InjectReader, InjectStore } from '../../../platform/resource/store.module';
import { KbArticle } from '../articles/article.entity';
import { KbArticlesService } from '../articles/articles.service';
import { KbArticleVersion } from './version.entity';

/** What articles said before. Versions are written with their article and never change. */
@Injectable()
export class KbVersionsService {
  constructor(
    @InjectReader(KbArticleVersion) private readonly records: Reader<KbArticleVersion>,
    private readonly database: Database,
    @InjectStore(KbArticle) private readonly known: Store<KbArticle>,
    private readonly articles: KbArticlesService,
  ) {}

  async listOf(articleId: number, params: ListParams): Promise<ListResult> {
    const page = await this.records.list(params, { article_id: articleId });
    // Every article has a version; filters may leave none of them.
    if (page.total === 0) await this.known.require(articleId);
    return page;
  }

  async readOf(articleId: number, number: number): Promise<SingleResult> {
    return this.records.read(await this.idOf(articleId, number), { article_id: articleId });
  }

  /** Makes the content of a version the article's again. */
  async restore(articleId: number, number: number, expected: ExpectedVersions): Promise<SingleResult> {
    // Versions never change, and go with their article only: what was read is right without a lock.
    const version = await this.records.whole(await this.idOf(articleId, number));
    return this.articles.restore(articleId, version, expected);
  }

  /** The id of a version that the caller sees: where there is another one, they are told what they are told of none. */
  private async idOf(articleId: number, number: number): Promise<number> {
    const seen = andSeen('kb_article_versions', 'v');
    const text = `SELECT v.id FROM kb_article_versions v WHERE v.workspace_id = $1 AND v.article_id = $2 AND v.number = $3::bigint${seen}`;
    const [row] = await this.database.read<{ id: number }>(
      filled({ text, values: [currentWorkspaceId(), articleId, number] }),
    );
    return row?.id ?? this.noVersion(articleId, number);
  }

  private noVersion(articleId: number, number: number): never {
    fail('not_found', `No version ${number} of kb article ${articleId}.`);
  }
}
