import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import type { SingleResult } from '../../../platform/http/results';
import type { Change } from '../../../platform/resource/change';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { placeBehind } from '../../../platform/resource/last-place';
import { changeMany } from '../../../platform/resource/many-changes';
import type { Row, Values } from '../../../platform/resource/rows';
import type { Completed } from '../../../platform/resource/ruled-takeover';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { requireHeir, requirePlaceInTree } from '../../../platform/tree/tree';
import { isFreeSlug, slugFor, slugWarnings } from '../text/slug';
import { workspaceLanguage } from '../text/workspace-language';
import type { CreateKbCategory, RemoveKbCategory, UpdateKbCategory } from './kb-category.dto';
import { KbCategory } from './kb-category.entity';

const MAX_DEPTH = 3;

/** Members of a change that others must not change at the same time: the tree's shape and the slugs. */
const SHARED_RULES = ['name', 'slug', 'language', 'parent_id'] as const;

/** Categories of articles. Changes of the tree's shape hold one lock per workspace, so that moves at once make no circle. */
@Injectable()
export class KbCategoriesService {
  constructor(
    @InjectStore(KbCategory) private readonly categories: Store<KbCategory>,
    private readonly database: Database,
  ) {}

  create(body: CreateKbCategory): Promise<SingleResult> {
    return this.categories.holding(() => this.categories.create(body, (values) => this.complete(values)));
  }

  update(id: number, body: UpdateKbCategory, expected: ExpectedVersions): Promise<SingleResult> {
    const update = (): Promise<SingleResult> =>
      this.categories.update(id, body, expected, (before, values) => this.follow(before, values));
    return SHARED_RULES.some((name) => body[name] !== undefined) ? this.categories.holding(update) : update();
  }

  /** Refused while it has sub-categories, or articles that `reassign_to` does not move. */
  remove(id: number, expected: ExpectedVersions, { reassign_to: heir }: RemoveKbCategory): Promise<SingleResult> {
    return this.categories.holding(() =>
      this.categories.remove(id, expected, (category) => this.empty(category, heir)),
    );
  }

  /** What a category of another system is here. Inside a unit of work that holds the categories. @throws ApiError 422 */
  async taken(values: Values<KbCategory>): Promise<Completed> {
    const { slug } = values;
    const language = values.language ?? (await workspaceLanguage(this.database));
    if (slug && !(await isFreeSlug(this.database, 'kb_categories', slug, language))) delete values.slug;
    await this.complete(values);
    return { warnings: slugWarnings(slug, values.slug) };
  }

  private async complete(values: Values<KbCategory>): Promise<undefined> {
    const language = (values.language ??= await workspaceLanguage(this.database));
    const { name: title = '', slug = '', parent_id: parentId = null } = values;
    values.slug_given = slug !== '';
    values.slug = await slugFor(this.database, 'kb_categories', null, {
      title,
      slug,
      slug_given: values.slug_given,
      language,
    });
    if (parentId !== null) await requirePlaceInTree(this.database, this.categories.resource, null, parentId, MAX_DEPTH);
    values.position ??= await placeBehind(this.database, 'kb_categories', { parent_id: parentId });
  }

  /** A change with what follows of it. Inside the unit of work. @throws ApiError 422 */
  async follow(before: Row<KbCategory>, asked: Values<KbCategory>): Promise<Change<KbCategory>> {
    const values = { ...asked };
    if (values.slug === before.slug) delete values.slug;
    const chosen = values.slug;
    if (chosen !== undefined) values.slug_given = chosen !== '';
    const slug_given = values.slug_given ?? before.slug_given;
    const { name: title, ...after } = { ...before, ...values };
    const differs = title !== before.name || after.language !== before.language;
    if (chosen !== undefined || (!slug_given && differs))
      values.slug = await slugFor(this.database, 'kb_categories', before.id, { ...after, title, slug_given });
    const parentId = values.parent_id;
    if (parentId && parentId !== before.parent_id)
      await requirePlaceInTree(this.database, this.categories.resource, before.id, parentId, MAX_DEPTH);
    return { values };
  }

  private async empty(category: Row<KbCategory>, heir: number | undefined): Promise<void> {
    const [use] = await this.database.query<{ children: number; articles: boolean }>(
      `SELECT (SELECT count(*) FROM kb_categories WHERE workspace_id = $1 AND parent_id = $2) AS children,
              EXISTS (SELECT FROM kb_articles WHERE workspace_id = $1 AND category_id = $2) AS articles`,
      [currentWorkspaceId(), category.id],
    );
    if (use?.children)
      invalid('id', 'in_use', `The category has ${use.children} sub-categories; move or delete them first.`);
    const heirId =
      heir === undefined ? null : await requireHeir(this.database, this.categories.resource, category.id, heir);
    if (!use?.articles) return;
    if (heirId === null) {
      const advice = `DELETE /kb/categories/${category.id}?reassign_to=<id> moves them`;
      invalid('id', 'in_use', `The category has articles; ${advice}.`);
    }
    await changeMany(this.database, {
      resource: 'kb_articles',
      condition: (bind) => `m.category_id = ${bind(category.id)}`,
      values: { category_id: heirId },
      events: ['kb_article.updated'],
      changes: { category_id: { from: category.id, to: heirId } },
    });
  }
}
