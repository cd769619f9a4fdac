import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { fail, invalid } from '../../../platform/http/errors';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import { echoedFields } from '../../../platform/http/validation-pipe';
import { ResourceKernel } from '../../../platform/resource/resource-kernel';
import { type ListParams, ResourceService, type Written } from '../../../platform/resource/resource.service';
import type { Values } from '../../../platform/resource/resource.service';
import { KbArticlesService } from '../articles/articles.service';
import { kbFeedbackResource } from './feedback.resource';

/** An opinion that is counted. */
interface Opinion {
  helpful: boolean;
  deflected: boolean;
}

/** An opinion as it comes in. */
interface NewOpinion extends Partial<Opinion> {
  helpful: boolean;
  comment?: string | null;
  contact_id?: number | null;
}

/** Opinions of readers. Their event belongs to the article, and so do the counts; neither is a change of the article. */
@Injectable()
export class KbFeedbackService extends ResourceService {
  constructor(
    kernel: ResourceKernel,
    private readonly articles: KbArticlesService,
  ) {
    super(kbFeedbackResource, kernel);
  }

  async listOf(articleId: number, params: ListParams): Promise<ListResult> {
    const rows = await this.database.read({
      text: `SELECT 1 FROM kb_articles WHERE workspace_id = $1 AND id = $2`,
      values: [currentWorkspaceId(), articleId],
    });
    if (rows.length === 0) fail('not_found', `No kb article ${articleId}.`);
    return this.list(params, { article_id: articleId });
  }

  /** Stores an opinion, or replaces the contact's former one, and counts it. */
  give(articleId: number, body: NewOpinion): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const liveVersion = await this.articles.lockForFeedback(articleId);
      if (body.deflected && !body.helpful)
        invalid('deflected', 'invalid', 'Only an article that helped can have made a ticket unnecessary.');
      const [echo] = Object.keys(echoedFields(body));
      if (echo !== undefined) invalid(echo, 'immutable', `"${echo}" is set by the service and cannot be changed.`);
      const former = await this.formerOf(articleId, body.contact_id);
      const opinion: Opinion = { helpful: body.helpful, deflected: body.deflected ?? false };
      await this.count(articleId, former, opinion);
      const own: Values = { article_id: articleId, version_number: liveVersion };
      const written = former
        ? await this.replace(former.id, Object.assign({ comment: null }, body, opinion, own))
        : await this.insert(Object.assign(body, own));
      await this.articles.announceFeedback(articleId, JSON.parse(written.json));
      return this.answer(written, former ? 200 : 201);
    });
  }

  private async replace(id: number, values: Values): Promise<Written> {
    const before = await this.lock(id, null);
    return (await this.apply(before, { values, always: true })) ?? this.missing(id);
  }

  private async formerOf(
    articleId: number,
    contactId: number | null | undefined,
  ): Promise<(Opinion & { id: number }) | null> {
    if (contactId === null || contactId === undefined) return null;
    const [former] = await this.database.query<Opinion & { id: number }>(
      `SELECT id, helpful, deflected FROM kb_article_feedback WHERE workspace_id = $1 AND article_id = $2 AND contact_id = $3`,
      [currentWorkspaceId(), articleId, contactId],
    );
    return former ?? null;
  }

  private async count(articleId: number, former: Opinion | null, opinion: Opinion): Promise<void> {
    const difference = (test: (each: Opinion) => boolean): number =>
      Number(test(opinion)) - Number(former !== null && test(former));
    await this.database.query(
      `UPDATE kb_articles SET helpful_count = helpful_count + $3::integer, not_helpful_count = not_helpful_count + $4::integer,
         deflection_count = deflection_count + $5::integer WHERE workspace_id = $1 AND id = $2`,
      [
        currentWorkspaceId(),
        articleId,
        difference(({ helpful }) => helpful),
        difference(({ helpful }) => !helpful),
        difference(({ deflected }) => deflected),
      ],
    );
  }
}
