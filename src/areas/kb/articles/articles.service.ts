import { Injectable } from '@nestjs/common';
import { current, currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import { invalid } from '../../../platform/errors/api-error';
import type { SingleResult } from '../../../platform/http/results';
import type { Change, Creation } from '../../../platform/resource/change';
import { normaliseTags } from '../../../platform/columns/column-spec';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { placeBehind } from '../../../platform/resource/last-place';
import type { Row, Values } from '../../../platform/resource/rows';
import type { Completed } from '../../../platform/resource/ruled-takeover';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import type { Alongside } from '../../../platform/resource/write-plan';
import { Attaching } from '../../attachments/holders/attaching';
import { type ArticleText, type Content, TEXT_FIELDS } from '../text/article-text';
import { ArticleTexts, SHORT } from '../text/article-texts.service';
import { isFreeSlug, slugFor, slugWarnings } from '../text/slug';
import { workspaceLanguage } from '../text/workspace-language';
import type { KbArticleVersion } from '../versions/version.entity';
import { newVersion, versionGoesLive } from './article-content';
import type { CreateKbArticle, UpdateKbArticle } from './article.dto';
import { KbArticle } from './article.entity';
import { firstStatus, liveVersion, statusEffects } from './article-status';
import { TranslationRules } from './article-translations';
import { CONTENT_FIELDS } from './article-values';

/** Members of a change that slugs and translations depend on; whoever names one waits for others who do. */
const SHARED_RULES = ['title', 'slug', 'language', 'translation_of_id'] as const;

/** Articles: slugs, excerpts, versions, translations, and what readers see while an editor writes. */
@Injectable()
export class KbArticlesService {
  constructor(
    @InjectStore(KbArticle) private readonly articles: Store<KbArticle>,
    @InjectWorkspaceRepository(KbArticle) private readonly stored: WorkspaceRepository<KbArticle>,
    private readonly database: Database,
    private readonly translations: TranslationRules,
    private readonly texts: ArticleTexts,
    private readonly attaching: Attaching,
  ) {}

  async create(body: CreateKbArticle): Promise<SingleResult> {
    return (await this.createKnown(body)).result;
  }

  /** The same, with the id, which the answer need not show. */
  async createKnown(body: CreateKbArticle): Promise<{ id: number; result: SingleResult }> {
    await this.prepareText(null, body);
    return this.articles.holding(() =>
      this.articles.createKnown(body, async (values) =>
        this.attaching.toNew('article_id', body, await this.complete(values, body)),
      ),
    );
  }

  async update(id: number, body: UpdateKbArticle, expected: ExpectedVersions): Promise<SingleResult> {
    await this.prepareText(id, body);
    const update = (): Promise<SingleResult> =>
      this.articles.update(id, body, expected, async (before, values) =>
        this.attaching.toChanged('article_id', body, await this.change(before, values, null), 'kb_article.updated'),
      );
    return SHARED_RULES.some((name) => body[name] !== undefined) ? this.articles.holding(update) : update();
  }

  /** Writes an earlier content again, as a new version. */
  async restore(id: number, version: Readonly<KbArticleVersion>, expected: ExpectedVersions): Promise<SingleResult> {
    const { number, title, body, language, tags, keywords } = version;
    const excerpt = version.excerpt_given ? version.excerpt : '';
    const values = { title, body, excerpt, language, tags, keywords };
    await this.texts.ahead(values);
    return this.articles.holding(() =>
      this.articles.mutate(id, expected, (before) => this.change(before, values, number)),
    );
  }

  /** Says that the article still holds. */
  review(id: number, next: string | null, expected: ExpectedVersions): Promise<SingleResult> {
    const review_due_at = next === null ? null : new Date(next).toISOString();
    return this.articles.mutate(id, expected, async () => ({
      values: { reviewed_at: await this.database.moment(), review_due_at },
    }));
  }

  /** Counts views. They are no change of the article: no event, no version, and `updated_at` stays. */
  countViews(id: number, count: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      await this.articles.lock(id, expected);
      await this.database.query(
        `UPDATE kb_articles SET view_count = least(view_count::bigint + $3, 2147483647) WHERE workspace_id = $1 AND id = $2`,
        [currentWorkspaceId(), id, count],
      );
      return this.articles.read(id);
    });
  }

  /**
   * What an article of another system is here, and its newest version: with the moments that it had there, by its author or nobody, at an
   * address of its own where the one that it had cannot be. Inside a unit of work that holds the articles. @throws ApiError 422
   */
  async taken(values: Values<KbArticle>): Promise<Completed> {
    const { created_at, updated_at, published_at, archived_at, slug, version_number = 1 } = values;
    if (version_number < 1) invalid('version_number', 'min', 'Versions are counted from 1.');
    const author_id = (values.author_id ??= null);
    const language = values.language ?? (await workspaceLanguage(this.database));
    if (slug && !(await isFreeSlug(this.database, 'kb_articles', slug, language))) delete values.slug;
    const { rows } = await this.complete(values, { author_id });
    Object.assign(values, { version_number, live_version: values.live_version && version_number });
    const { status } = values;
    if (status === 'published') values.published_at = published_at ?? created_at ?? values.published_at ?? null;
    if (status === 'archived') values.archived_at = archived_at ?? updated_at ?? values.archived_at ?? null;
    return { rows, warnings: slugWarnings(slug, values.slug) };
  }

  /** A change of another system's making, with what follows of it. Inside the unit of work. @throws ApiError 422 */
  async followed(
    before: Row<KbArticle>,
    asked: Values<KbArticle>,
  ): Promise<Pick<Change<KbArticle>, 'values' | 'rows'>> {
    const { values, rows } = await this.change(before, asked, null);
    return rows ? { values, rows } : { values };
  }

  private async complete(values: Values<KbArticle>, body: Pick<CreateKbArticle, 'author_id'>): Promise<Creation> {
    const now = await this.database.moment();
    if (body.author_id === undefined) values.author_id = current().principal?.userId ?? null;
    const language = (values.language ??= await workspaceLanguage(this.database));
    values.position ??= await placeBehind(this.database, 'kb_articles', { category_id: values.category_id ?? null });
    const { title = '', slug = '', excerpt = '', status = 'draft', publish_mode = 'direct' } = values;
    const slug_given = slug !== '';
    values.slug_given = slug_given;
    values.slug = await slugFor(this.database, 'kb_articles', null, { title, slug, slug_given, language });
    values.excerpt_given = excerpt !== '';
    const text = await this.texts.of({ title, body: '', tags: '', keywords: '', ...values, language });
    if (!values.excerpt_given) values.excerpt = text.excerpt;
    await this.translations.check(null, language, values.translation_of_id ?? null);
    const { values: begun, events } = firstStatus(status, now);
    Object.assign(values, begun, { version_number: 1 });
    values.live_version = liveVersion(null, { status, publish_mode, version_number: 1 });
    return { events, rows: newVersion(text) };
  }

  private async change(
    before: Row<KbArticle>,
    asked: Values<KbArticle>,
    restoredFrom: number | null,
  ): Promise<Change<KbArticle>> {
    const now = await this.database.moment();
    const values = { ...asked };
    await this.deriveSlug(before, values);
    let made: Promise<ArticleText> | null = null;
    const text = (): Promise<ArticleText> => (made ??= this.texts.of({ ...before, ...values }));
    await this.deriveExcerpt(before, values, text);
    await this.checkTranslation(before, values);
    const { values: moved, events } = statusEffects(before, values.status ?? before.status, now);
    Object.assign(values, moved);
    const rewritten = CONTENT_FIELDS.some((name) => values[name] !== undefined && values[name] !== before[name]);
    if (rewritten) values.version_number = before.version_number + 1;
    if (rewritten && asked.change_note === undefined) values.change_note = null;
    values.live_version = liveVersion(before.live_version, { ...before, ...values });
    const goesLive = values.live_version !== null && values.live_version !== before.live_version;
    const rows: Alongside | null = rewritten
      ? newVersion(await text(), restoredFrom)
      : goesLive
        ? versionGoesLive
        : null;
    return { values, events: ['kb_article.updated', ...events], ...(rows ? { rows } : {}) };
  }

  /**
   * A slug that comes back as it is was not chosen; one that nobody chose follows the title until readers know it, and from then on gives
   * way only to one that another article of its new language has.
   */
  private async deriveSlug(before: Row<KbArticle>, values: Values<KbArticle>): Promise<void> {
    if (values.slug === before.slug) delete values.slug;
    const chosen = values.slug;
    if (chosen !== undefined) values.slug_given = chosen !== '';
    const slug_given = values.slug_given ?? before.slug_given;
    const moves = values.language !== undefined && values.language !== before.language;
    const renamed = values.title !== undefined && values.title !== before.title && before.published_at === null;
    if (chosen === undefined && (slug_given || !(moves || renamed))) return;
    const { language = before.language } = values;
    if (chosen === undefined && before.published_at !== null)
      if (await isFreeSlug(this.database, 'kb_articles', before.slug, language)) return;
    values.slug = await slugFor(this.database, 'kb_articles', before.id, { ...before, ...values, slug_given });
  }

  private async deriveExcerpt(
    before: Row<KbArticle>,
    values: Values<KbArticle>,
    text: () => Promise<ArticleText>,
  ): Promise<void> {
    if (values.excerpt === before.excerpt) delete values.excerpt;
    if (values.excerpt !== undefined) values.excerpt_given = values.excerpt !== '';
    const isGiven = values.excerpt_given ?? before.excerpt_given;
    if (isGiven || (values.body === undefined && values.excerpt === undefined)) return;
    values.excerpt = (await text()).excerpt;
  }

  private async checkTranslation(before: Row<KbArticle>, values: Values<KbArticle>): Promise<void> {
    if (values.language === undefined && values.translation_of_id === undefined) return;
    const after = { ...before, ...values };
    if (after.language === before.language && after.translation_of_id === before.translation_of_id) return;
    await this.translations.check(before.id, after.language, after.translation_of_id, before.translation_of_id);
  }

  /**
   * The work for a long text, before any lock: what is made is of the content as it stands and as it is asked for. When somebody
   * else is faster with another one, it is made again.
   *
   * @param id null = a new article
   */
  private async prepareText(id: number | null, body: UpdateKbArticle): Promise<void> {
    const asked: Partial<Content> = {};
    for (const name of TEXT_FIELDS) {
      const text = body[name];
      if (text !== undefined) asked[name] = name === 'tags' || name === 'keywords' ? normaliseTags(text) : text;
    }
    const isLong = asked.body === undefined || asked.body.length > SHORT;
    if (Object.keys(asked).length === 0 || !isLong) return;
    const before = id === null ? await this.blank(asked.language) : await this.contentOf(id);
    if (before) await this.texts.ahead({ ...before, ...asked });
  }

  private async blank(language: string | undefined): Promise<Content> {
    const own = language ?? (await workspaceLanguage(this.database));
    return { title: '', body: '', tags: '', keywords: '', language: own };
  }

  private async contentOf(id: number): Promise<Content | null> {
    const select = { title: true, body: true, tags: true, keywords: true, language: true } as const;
    return this.stored.findOne({ select, where: { id } });
  }
}
