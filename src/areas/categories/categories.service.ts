import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { invalid } from '../../platform/errors/api-error';
import type { SingleResult } from '../../platform/http/results';
import type { Change } from '../../platform/resource/change';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { placeBehind } from '../../platform/resource/last-place';
import { anyOf, changeMany, countOf } from '../../platform/resource/many-changes';
import type { TakenValues } from '../../platform/resource/takeover';
import type { Row, Values } from '../../platform/resource/rows';
import { InjectStore } from '../../platform/resource/store.module';
import { Store } from '../../platform/resource/store';
import { requireHeir, requirePlaceInTree } from '../../platform/tree/tree';
import { slugOf } from '../../platform/text/slug';
import type { CreateCategory, RemoveCategory, UpdateCategory } from './category.dto';
import { Category } from './category.entity';
import { categoryResource } from './category.resource';

const MAX_DEPTH = 3;

/** Every change of the tree's shape holds one lock per workspace, so that moves at once cannot make it a circle. */
@Injectable()
export class CategoriesService {
  constructor(
    @InjectStore(Category) private readonly categories: Store<Category>,
    private readonly database: Database,
  ) {}

  create(body: CreateCategory): Promise<SingleResult> {
    return this.categories.holding(() => this.categories.create(body, (values) => this.complete(values)));
  }

  update(id: number, body: UpdateCategory, expected: ExpectedVersions): Promise<SingleResult> {
    const update = (): Promise<SingleResult> =>
      this.categories.update(id, body, expected, (before, values) => this.follow(before, values));
    return body.parent_id === undefined ? update() : this.categories.holding(update);
  }

  /** Refused while it has sub-categories, or tickets that `reassign_to` does not move. */
  remove(id: number, expected: ExpectedVersions, { reassign_to: heir }: RemoveCategory): Promise<SingleResult> {
    return this.categories.holding(() =>
      this.categories.remove(id, expected, (category) => this.makeRoom(category.id, heir)),
    );
  }

  /** The values of a new category with what follows from its name and its place. Needs the lock on the tree. */
  async placed(record: TakenValues): Promise<TakenValues> {
    const { name, parent_id, position } = record;
    const values: Values<Category> = { parent_id: typeof parent_id === 'number' ? parent_id : null };
    if (typeof name === 'string') values.name = name;
    if (typeof position === 'number') values.position = position;
    await this.complete(values);
    return { ...record, ...values };
  }

  /** The values of a change with what follows from a new name. */
  renamed(values: Values<Category>): Values<Category> {
    return values.name === undefined ? values : { ...values, slug: slugFor(values.name) };
  }

  private async complete(values: Values<Category>): Promise<undefined> {
    const { name = '', parent_id = null } = values;
    values.slug = slugFor(name);
    if (parent_id !== null) await requirePlaceInTree(this.database, categoryResource, null, parent_id, MAX_DEPTH);
    values.position ??= await placeBehind(this.database, 'categories', { parent_id });
  }

  private async follow(before: Row<Category>, values: Values<Category>): Promise<Change<Category>> {
    const { parent_id } = values;
    if (parent_id && parent_id !== before.parent_id)
      await requirePlaceInTree(this.database, categoryResource, before.id, parent_id, MAX_DEPTH);
    return { values: this.renamed(values) };
  }

  private async makeRoom(id: number, heir: number | undefined): Promise<void> {
    const children = await countOf(this.database, 'categories', (bind) => `m.parent_id = ${bind(id)}`);
    if (children > 0)
      invalid('id', 'in_use', `The category has ${children} sub-categories; move or delete them first.`);
    const heirId = heir === undefined ? null : await requireHeir(this.database, categoryResource, id, heir);
    if (!(await anyOf(this.database, 'tickets', (bind) => `m.category_id = ${bind(id)}`))) return;
    if (heirId === null)
      invalid('id', 'in_use', `The category has tickets; DELETE /categories/${id}?reassign_to=<id> moves them.`);
    await changeMany(this.database, {
      resource: 'tickets',
      condition: (bind) => `m.category_id = ${bind(id)}`,
      values: { category_id: heirId },
      events: ['ticket.updated'],
      changes: { category_id: { from: id, to: heirId } },
    });
  }
}

/** The name as part of an address. */
function slugFor(name: string): string {
  return slugOf(name, { maxLength: 80 }) ?? 'category';
}
