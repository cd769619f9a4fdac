import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { invalid } from '../../platform/http/errors';
import type { SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { RawQuery } from '../../platform/resource/list-query';
import { changeMany } from '../../platform/resource/many-changes';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import { type Change, ResourceService, type Row } from '../../platform/resource/resource.service';
import { requireHeir, requirePlaceInTree } from '../../platform/resource/tree';
import { holdTopic } from '../../platform/resource/workspace-lock';
import type { Values } from '../../platform/resource/resource.service';
import { categorySlug } from './category-slug';
import { categoryResource } from './category.resource';

const MAX_DEPTH = 3;

/** Every change of the tree's shape holds one lock per workspace, so that moves at once cannot make it a circle. */
@Injectable()
export class CategoriesService extends ResourceService {
  constructor(kernel: ResourceKernel) {
    super(categoryResource, kernel);
  }

  override async create(body: object): Promise<SingleResult> {
    return this.holdingTree(() => super.create(body));
  }

  override async update(id: number, body: object, expected: ExpectedVersions = null): Promise<SingleResult> {
    if ((body as Values).parent_id === undefined) return super.update(id, body, expected);
    return this.holdingTree(() => super.update(id, body, expected));
  }

  override async remove(id: number, expected: ExpectedVersions = null, options: RawQuery = {}): Promise<SingleResult> {
    return this.holdingTree(() => super.remove(id, expected, options));
  }

  protected override async prepareCreate(values: Values): Promise<undefined> {
    values.slug = categorySlug(values.name as string);
    const parentId = (values.parent_id ?? null) as number | null;
    if (parentId !== null) await requirePlaceInTree(this.database, this.resource, null, parentId, MAX_DEPTH);
    values.position ??= await this.lastPosition(parentId);
  }

  protected override async prepareUpdate(before: Row, values: Values): Promise<Change> {
    if (typeof values.name === 'string') values.slug = categorySlug(values.name);
    const parentId = values.parent_id as number | null | undefined;
    if (parentId && parentId !== before.parent_id)
      await requirePlaceInTree(this.database, this.resource, before.id, parentId, MAX_DEPTH);
    return { values };
  }

  /** Refused while it has sub-categories, or tickets that `reassign_to` does not move. */
  protected override async prepareRemove(category: Row, { reassign_to: heir }: RawQuery): Promise<void> {
    const [use] = await this.database.query<{ children: number; tickets: boolean }>(
      `SELECT (SELECT count(*) FROM categories WHERE workspace_id = $1 AND parent_id = $2) AS children,
              EXISTS (SELECT FROM tickets WHERE workspace_id = $1 AND category_id = $2) AS tickets`,
      [currentWorkspaceId(), category.id],
    );
    if (use?.children)
      invalid('id', 'in_use', `The category has ${use.children} sub-categories; move or delete them first.`);
    const heirId = heir === undefined ? null : await requireHeir(this.database, this.resource, category.id, heir);
    if (!use?.tickets) return;
    if (heirId === null)
      invalid(
        'id',
        'in_use',
        `The category has tickets; DELETE /categories/${category.id}?reassign_to=<id> moves them.`,
      );
    await changeMany(this.database, {
      resource: 'tickets',
      condition: (bind) => `m.category_id = ${bind(category.id)}`,
      values: { category_id: heirId },
      events: ['ticket.updated'],
      changes: { category_id: { from: category.id, to: heirId } },
    });
  }

  private holdingTree<T>(work: () => Promise<T>): Promise<T> {
    return this.database.transaction(async () => {
      await holdTopic(this.database, 'categories');
      return work();
    });
  }

  private async lastPosition(parentId: number | null): Promise<number> {
    const [row] = await this.database.query<{ next: number }>(
      `SELECT coalesce(max(position), 0) + 1 AS next FROM categories
       WHERE workspace_id = $1 AND parent_id IS NOT DISTINCT FROM $2::bigint`,
      [currentWorkspaceId(), parentId],
    );
    return row?.next ?? 1;
  }
}
