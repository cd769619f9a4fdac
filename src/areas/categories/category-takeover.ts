import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { PlainTakeover } from '../../platform/resource/plain-takeover';
import type { Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { type TakenOver, type TakenValues, Takeovers, type Told } from '../../platform/resource/takeover';
import { CategoriesService } from './categories.service';
import { Category } from './category.entity';

/** Categories get their place in the tree by the rules of the tree: at most three levels. */
class IntoTree extends PlainTakeover<Category> {
  constructor(
    records: Store<Category>,
    database: Database,
    private readonly service: CategoriesService,
  ) {
    super(records, database, { place: 40, keys: ['name'], fixed: ['parent_id', 'position'] });
  }

  protected override revision(_before: unknown, values: Values<Category>): Values<Category> {
    return this.service.renamed(values);
  }

  override store(records: readonly TakenValues[], told: Told): Promise<TakenOver> {
    return this.records.holding(async () => {
      const ids: number[] = [];
      for (const record of records) ids.push(...(await this.insert([await this.service.placed(record)], told)));
      return { ids };
    });
  }
}

/** How categories come in from another system. */
@Injectable()
export class CategoryTakeover implements OnModuleInit {
  constructor(
    @InjectStore(Category) private readonly categories: Store<Category>,
    private readonly database: Database,
    private readonly service: CategoriesService,
    private readonly takeovers: Takeovers,
  ) {}

  onModuleInit(): void {
    this.takeovers.register(new IntoTree(this.categories, this.database, this.service));
  }
}
