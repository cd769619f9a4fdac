import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { invalid } from '../../../platform/http/errors';
import type { SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { changeMany } from '../../../platform/resource/many-changes';
import { ResourceKernel } from '../../../platform/resource/resource-kernel';
import { type Change, ResourceService, type Row } from '../../../platform/resource/resource.service';
import { requireHeir, requirePlaceInTree } from '../../../platform/resource/tree';
import { holdTopic } from '../../../platform/resource/workspace-lock';
import type { Values } from '../../../platform/resource/resource.service';
import { freeSlug, requireSlug, slugBase } from '../text/slug';
import { workspaceLanguage } from '../text/workspace-language';
import type { RemoveKbCategory } from './kb-category.dto';
import { kbCategoryResource } from './kb-category.resource';

const MAX_DEPTH = 3;

/** Members of a change that others must not change at the same time: the tree's shape and the slugs. */
const SHARED_RULES = ['name', 'slug', 'language', 'parent_id'] as const;

/** Categories of articles. Changes of the tree's shape hold one lock per workspace, so that moves at once make no circle. */
@Injectable()
export class KbCategoriesService extends ResourceService {
  constructor(kernel: ResourceKernel) {
    super(kbCategoryResource, kernel);
  }

  override create(body: object): Promise<SingleResult> {
    return this.holdingTree(() => super.create(body));
  }

  override update(id: number, body: object, expected: ExpectedVersions = null): Promise<SingleResult> {
    const isShared = SHARED_RULES.some((name) => (body as Values)[name] !== undefined);
    return isShared ? this.holdingTree(() => super.update(id, body, expected)) : super.update(id, body, expected);
  }

  override remove(
    id: number,
    expected: ExpectedVersions = null,
    options: RemoveKbCategory = {},
  ): Promise<SingleResult> {
    return this.holdingTree(() => super.remove(id, expected, options));
  }

  protected override async prepareCreate(values: Values): Promise<undefined> {
    values.language ??= await workspaceLanguage(this.database);
    values.slug_given = (values.slug ?? '') !== '';
    values.slug = await this.slugFor(null, values);
    const parentId = values.parent_id as number | null;
    if (parentId !== null) await requirePlaceInTree(this.database, this.resource, null, parentId, MAX_DEPTH);
    values.position ??= await this.lastPosition(parentId);
  }

  protected override async prepareUpdate(before: Row, asked: Values): Promise<Change> {
    const values = { ...asked };
    if (values.slug === before.slug) delete values.slug;
    const chosen = values.slug as string | undefined;
    if (chosen !== undefined) values.slug_given = chosen !== '';
    const isGiven = (values.slug_given ?? before.slug_given) === true;
    const differs = (['name', 'language'] as const).some(
      (name) => values[name] !== undefined && values[name] !== before[name],
    );
    if (chosen !== undefined || (!isGiven && differs))
      values.slug = await this.slugFor(before.id, { ...before, ...values, slug_given: isGiven });
    const parentId = values.parent_id as number | null | undefined;
    if (parentId && parentId !== before.parent_id)
      await requirePlaceInTree(this.database, this.resource, before.id, parentId, MAX_DEPTH);
    return { values };
  }

  /** Refused while it has sub-categories, or articles that `reassign_to` does not move. */
  protected override async prepareRemove(category: Row, { reassign_to: heir }: RemoveKbCategory): Promise<void> {
    const [use] = await this.database.query<{ children: number; articles: boolean }>(
      `SELECT (SELECT count(*) FROM kb_categories WHERE workspace_id = $1 AND parent_id = $2) AS children,
              EXISTS (SELECT FROM kb_articles WHERE workspace_id = $1 AND category_id = $2) AS articles`,
      [currentWorkspaceId(), category.id],
    );
    if (use?.children)
      invalid('id', 'in_use', `The category has ${use.children} sub-categories; move or delete them first.`);
    const heirId = heir === undefined ? null : await requireHeir(this.database, this.resource, category.id, heir);
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

  private holdingTree<T>(work: () => Promise<T>): Promise<T> {
    return this.database.transaction(async () => {
      await holdTopic(this.database, 'kb_categories');
      return work();
    });
  }

  private async slugFor(id: number | null, { name, slug, slug_given, language }: Values): Promise<string> {
    if (slug_given === true) {
      requireSlug(slug as string, language as string);
      return slug as string;
    }
    const base = slugBase(name as string, language as string, 'category');
    return freeSlug(this.database, 'kb_categories', base, language as string, id);
  }

  private async lastPosition(parentId: number | null): Promise<number> {
    const [row] = await this.database.query<{ next: number }>(
      `SELECT least(coalesce(max(position), 0) + 1, 1000000) AS next FROM kb_categories
       WHERE workspace_id = $1 AND parent_id IS NOT DISTINCT FROM $2::bigint`,
      [currentWorkspaceId(), parentId],
    );
    return row?.next ?? 1;
  }
}
