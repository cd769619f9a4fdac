import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import type { SingleResult } from '../../../platform/http/results';
import { storedValue } from '../../../platform/resource/column-spec';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { ResourceKernel } from '../../../platform/resource/resource-kernel';
import { type Change, type Creation, ResourceService, type Row } from '../../../platform/resource/resource.service';
import { holdTopic } from '../../../platform/resource/workspace-lock';
import type { Alongside } from '../../../platform/resource/write-plan';
import type { Values } from '../../../platform/resource/resource.service';
import { type ArticleText, type Content, TEXT_FIELDS } from '../text/article-text';
import { ArticleTexts, SHORT } from '../text/article-texts.service';
import { freeSlug, requireSlug, slugBase } from '../text/slug';
import { workspaceLanguage } from '../text/workspace-language';
import { newVersion, versionGoesLive } from './article-content';
import { kbArticleResource } from './article.resource';
import { firstStatus, liveVersion, type PublishingFacts, statusEffects } from './article-status';
import { TranslationRules } from './article-translations';
import { type ArticleStatus, CONTENT_FIELDS } from './article-values';

/** Members of a change that slugs and translations depend on; whoever names one waits for others who do. */
const SHARED_RULES = ['title', 'slug', 'language', 'translation_of_id'] as const;

/** Articles: slugs, excerpts, versions, translations, and what readers see while an editor writes. */
@Injectable()
export class KbArticlesService extends ResourceService {
  constructor(
    kernel: ResourceKernel,
    private readonly translations: TranslationRules,
    private readonly texts: ArticleTexts,
  ) {
    super(kbArticleResource, kernel);
  }

  override async create(body: object): Promise<SingleResult> {
    await this.prepareText(null, body as Values);
    return this.holdingArticles(() => super.create(body));
  }

  override async update(id: number, body: object, expected: ExpectedVersions = null): Promise<SingleResult> {
    await this.prepareText(id, body as Values);
    const isShared = SHARED_RULES.some((name) => (body as Values)[name] !== undefined);
    return isShared ? this.holdingArticles(() => super.update(id, body, expected)) : super.update(id, body, expected);
  }

  /** Writes an earlier content again, as a new version. */
  async restore(id: number, version: Row, expected: ExpectedVersions): Promise<SingleResult> {
    const { number, title, body, language, tags, keywords } = version;
    const excerpt = version.excerpt_given === true ? version.excerpt : '';
    const values = { title, body, excerpt, language, tags, keywords };
    await this.texts.ahead(values as unknown as Content);
    return this.holdingArticles(() =>
      this.mutate(id, expected, (before) => this.change(before, values, number as number)),
    );
  }

  /** Says that the article still holds. */
  review(id: number, next: string | null, expected: ExpectedVersions): Promise<SingleResult> {
    const review_due_at = next === null ? null : new Date(next).toISOString();
    return this.mutate(id, expected, async () => ({
      values: { reviewed_at: await this.database.moment(), review_due_at },
    }));
  }

  /** Counts views. They are no change of the article: no event, no version, and `updated_at` stays. */
  countViews(id: number, count: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      await this.lock(id, expected);
      await this.database.query(
        `UPDATE kb_articles SET view_count = least(view_count::bigint + $3, 2147483647) WHERE workspace_id = $1 AND id = $2`,
        [currentWorkspaceId(), id, count],
      );
      return this.read(id);
    });
  }

  /** Locks an article whose counts are about to change; answers the version that readers see. 404 when there is none. */
  async lockForFeedback(id: number): Promise<number | null> {
    return (await this.lock(id, null)).live_version as number | null;
  }

  /** Writes the event of an opinion, inside the unit of work that stored it. */
  announceFeedback(id: number, feedback: unknown): Promise<void> {
    return this.announce(id, ['kb_article.feedback_received'], { feedback });
  }

  protected override async prepareCreate(values: Values, body: Values): Promise<Creation> {
    const now = await this.database.moment();
    if (body.author_id === undefined) values.author_id = this.actingUserId();
    values.language ??= await workspaceLanguage(this.database);
    values.position ??= await this.lastPosition(values.category_id as number | null);
    values.slug_given = (values.slug ?? '') !== '';
    values.slug = await this.slugFor(null, values);
    values.excerpt_given = (values.excerpt ?? '') !== '';
    const text = await this.texts.of(values as unknown as Content);
    if (values.excerpt_given !== true) values.excerpt = text.excerpt;
    await this.translations.check(null, values.language as string, values.translation_of_id as number | null);
    const { values: begun, events } = firstStatus(values.status as ArticleStatus, now);
    Object.assign(values, begun, { version_number: 1 });
    values.live_version = liveVersion(null, values as unknown as PublishingFacts);
    return { events, alongside: newVersion(text) };
  }

  protected override prepareUpdate(before: Row, values: Values): Promise<Change> {
    return this.change(before, values, null);
  }

  private async change(before: Row, asked: Values, restoredFrom: number | null): Promise<Change> {
    const now = await this.database.moment();
    const values = { ...asked };
    await this.deriveSlug(before, values);
    let made: Promise<ArticleText> | null = null;
    const text = (): Promise<ArticleText> => (made ??= this.texts.of({ ...before, ...values } as unknown as Content));
    await this.deriveExcerpt(before, values, text);
    await this.checkTranslation(before, values);
    const facts = before as unknown as PublishingFacts;
    const to = (values.status ?? before.status) as ArticleStatus;
    const { values: moved, events } = statusEffects(facts, to, now);
    Object.assign(values, moved);
    const rewritten = CONTENT_FIELDS.some((name) => values[name] !== undefined && values[name] !== before[name]);
    if (rewritten) values.version_number = facts.version_number + 1;
    if (rewritten && asked.change_note === undefined) values.change_note = null;
    const after = { ...before, ...values } as unknown as PublishingFacts;
    values.live_version = liveVersion(facts.live_version, after);
    const goesLive = values.live_version !== null && values.live_version !== facts.live_version;
    const alongside: Alongside | null = rewritten
      ? newVersion(await text(), restoredFrom)
      : goesLive
        ? versionGoesLive
        : null;
    return { values, events, ...(alongside ? { alongside } : {}) };
  }

  /** A slug that comes back as it is was not chosen; one that nobody chose follows the title until readers know it. */
  private async deriveSlug(before: Row, values: Values): Promise<void> {
    if (values.slug === before.slug) delete values.slug;
    const chosen = values.slug as string | undefined;
    if (chosen !== undefined) values.slug_given = chosen !== '';
    const isGiven = (values.slug_given ?? before.slug_given) === true;
    const moves = values.language !== undefined && values.language !== before.language;
    const renamed = values.title !== undefined && values.title !== before.title && before.published_at === null;
    if (chosen === undefined && (isGiven || !(moves || renamed))) return;
    values.slug = await this.slugFor(before.id, { ...before, ...values, slug_given: isGiven });
  }

  private async slugFor(id: number | null, { title, slug, slug_given, language }: Values): Promise<string> {
    if (slug_given === true) {
      requireSlug(slug as string, language as string);
      return slug as string;
    }
    const base = slugBase(title as string, language as string, 'article');
    return freeSlug(this.database, 'kb_articles', base, language as string, id);
  }

  private async deriveExcerpt(before: Row, values: Values, text: () => Promise<ArticleText>): Promise<void> {
    if (values.excerpt === before.excerpt) delete values.excerpt;
    if (values.excerpt !== undefined) values.excerpt_given = values.excerpt !== '';
    const isGiven = (values.excerpt_given ?? before.excerpt_given) === true;
    if (isGiven || (values.body === undefined && values.excerpt === undefined)) return;
    values.excerpt = (await text()).excerpt;
  }

  private async checkTranslation(before: Row, values: Values): Promise<void> {
    if (values.language === undefined && values.translation_of_id === undefined) return;
    const after = { ...before, ...values };
    if (after.language === before.language && after.translation_of_id === before.translation_of_id) return;
    await this.translations.check(before.id, after.language as string, after.translation_of_id as number | null);
  }

  private async lastPosition(categoryId: number | null): Promise<number> {
    const [row] = await this.database.query<{ next: number }>(
      `SELECT least(coalesce(max(position), 0) + 1, 1000000) AS next FROM kb_articles
       WHERE workspace_id = $1 AND category_id IS NOT DISTINCT FROM $2::bigint`,
      [currentWorkspaceId(), categoryId],
    );
    return row?.next ?? 1;
  }

  /**
   * The work for a long text, before any lock: what is made is of the content as it stands and as it is asked for. When somebody
   * else is faster with another one, it is made again.
   *
   * @param id null = a new article
   */
  private async prepareText(id: number | null, body: Values): Promise<void> {
    const asked: Values = {};
    for (const name of TEXT_FIELDS) {
      const column = this.resource.column.get(name);
      if (column && body[name] !== undefined) asked[name] = storedValue(column, body[name]);
      else if (column && id === null) asked[name] = column.default;
    }
    if (id === null) asked.language ??= await workspaceLanguage(this.database);
    const isLong = typeof asked.body !== 'string' || asked.body.length > SHORT;
    if (Object.keys(asked).length === 0 || !isLong) return;
    const before = id === null ? {} : await this.contentOf(id);
    if (before) await this.texts.ahead({ ...before, ...asked } as unknown as Content);
  }

  private async contentOf(id: number): Promise<Values | null> {
    const text = `SELECT ${TEXT_FIELDS.join(', ')} FROM kb_articles WHERE workspace_id = $1 AND id = $2`;
    const [row] = await this.database.read({ text, values: [currentWorkspaceId(), id] });
    return row ? Object.fromEntries(TEXT_FIELDS.map((name, index) => [name, row[index]])) : null;
  }

  private holdingArticles<T>(work: () => Promise<T>): Promise<T> {
    return this.database.transaction(async () => {
      await holdTopic(this.database, 'kb_articles');
      return work();
    });
  }
}
