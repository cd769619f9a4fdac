import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import { invalid } from '../../../platform/errors/api-error';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import { echoedFields } from '../../../platform/http/validation-pipe';
import type { Written } from '../../../platform/resource/change';
import type { ListParams } from '../../../platform/resource/reader';
import type { Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { ownJson } from '../../../platform/text/json';
import { KbArticle } from '../articles/article.entity';
import type { GiveFeedback } from './feedback.dto';
import { KbArticleFeedback } from './feedback.entity';

/** An opinion that is counted. */
type Opinion = Pick<KbArticleFeedback, 'helpful' | 'deflected'>;

/** Opinions of readers. Their event belongs to the article, and so do the counts; neither is a change of the article. */
@Injectable()
export class KbFeedbackService {
  constructor(
    @InjectStore(KbArticleFeedback) private readonly opinions: Store<KbArticleFeedback>,
    @InjectWorkspaceRepository(KbArticleFeedback) private readonly stored: WorkspaceRepository<KbArticleFeedback>,
    @InjectStore(KbArticle) private readonly articles: Store<KbArticle>,
    private readonly database: Database,
  ) {}

  async listOf(articleId: number, params: ListParams): Promise<ListResult> {
    await this.articles.require(articleId);
    return this.opinions.list(params, { article_id: articleId });
  }

  /** Stores an opinion, or replaces the contact's former one, and counts it. */
  give(articleId: number, body: GiveFeedback): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const { live_version } = await this.articles.lock(articleId);
      if (body.deflected && !body.helpful)
        invalid('deflected', 'invalid', 'Only an article that helped can have made a ticket unnecessary.');
      const [echo] = Object.keys(echoedFields(body));
      if (echo !== undefined) invalid(echo, 'immutable', `"${echo}" is set by the service and cannot be changed.`);
      const former = await this.formerOf(articleId, body.contact_id);
      const opinion: Opinion = { helpful: body.helpful, deflected: body.deflected ?? false };
      await this.count(articleId, former, opinion);
      const own = { article_id: articleId, version_number: live_version };
      const written = former
        ? await this.replace(former.id, Object.assign({ comment: null }, body, opinion, own))
        : await this.opinions.insert(body, (values) => {
            Object.assign(values, own);
          });
      const feedback = ownJson<unknown>(written.json);
      await this.articles.announce(articleId, ['kb_article.feedback_received'], { feedback });
      return this.opinions.answer(written, former ? 200 : 201);
    });
  }

  private async replace(id: number, values: Values<KbArticleFeedback>): Promise<Written> {
    const before = await this.opinions.lock(id);
    return (await this.opinions.apply(before, { values, always: true })) ?? this.opinions.missing(id);
  }

  private async formerOf(
    articleId: number,
    contactId: number | null | undefined,
  ): Promise<(Opinion & { id: number }) | null> {
    if (contactId === null || contactId === undefined) return null;
    const select = { id: true, helpful: true, deflected: true } as const;
    return this.stored.findOne({ select, where: { article_id: articleId, contact_id: contactId } });
  }

  /** What came from elsewhere may be as high as a count goes; it then stays there. */
  private async count(articleId: number, former: Opinion | null, opinion: Opinion): Promise<void> {
    const difference = (test: (each: Opinion) => boolean): number =>
      Number(test(opinion)) - Number(former !== null && test(former));
    const added = (column: string, by: string): string =>
      `${column} = least(${column}::bigint + ${by}::integer, 2147483647)`;
    const counts = [added('helpful_count', '$3'), added('not_helpful_count', '$4'), added('deflection_count', '$5')];
    await this.database.query(`UPDATE kb_articles SET ${counts.join(', ')} WHERE workspace_id = $1 AND id = $2`, [
      currentWorkspaceId(),
      articleId,
      difference(({ helpful }) => helpful),
      difference(({ helpful }) => !helpful),
      difference(({ deflected }) => deflected),
    ]);
  }
}
