import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { RuledTakeover } from '../../platform/resource/ruled-takeover';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { Takeovers } from '../../platform/resource/takeover';
import { KbArticle } from './articles/article.entity';
import { KbArticlesService } from './articles/articles.service';
import { KbCategoriesService } from './categories/kb-categories.service';
import { KbCategory } from './categories/kb-category.entity';
import { forgetWords } from './text/forgotten-words';
import { PastVersions } from './versions/past-versions';

/** Their place is theirs from then on: another one would be another address, or another circle. */
const FIXED = ['slug', 'language', 'position'] as const;
/** Who was published or archived when is known of an article that comes in; how many have read it, whom it helped, and how often it was written. */
const MORE = [
  ...(['published_at', 'archived_at', 'view_count', 'version_number'] as const),
  ...(['helpful_count', 'not_helpful_count', 'deflection_count'] as const),
];

/** How articles and their categories come in from another system: behind tickets, for which articles are written. */
@Injectable()
export class KbTakeover implements OnModuleInit {
  constructor(
    @InjectStore(KbCategory) private readonly categories: Store<KbCategory>,
    @InjectStore(KbArticle) private readonly articles: Store<KbArticle>,
    private readonly database: Database,
    private readonly shelves: KbCategoriesService,
    private readonly texts: KbArticlesService,
    private readonly takeovers: Takeovers,
  ) {}

  onModuleInit(): void {
    const { database, shelves, texts } = this;
    this.takeovers.register(
      new RuledTakeover(
        this.categories,
        database,
        { place: 78, keys: ['name'], fixed: [...FIXED, 'parent_id'] },
        {
          complete: (values) => shelves.taken(values),
          follow: (before, values) => shelves.follow(before, values),
        },
      ),
    );
    this.takeovers.register(
      new RuledTakeover(
        this.articles,
        database,
        {
          ...{ place: 80, more: MORE, fixed: [...FIXED, ...MORE, 'status', 'publish_mode', 'translation_of_id'] },
          narrowed: { by: 'company_ids', values: { visibility: 'internal' } },
        },
        {
          complete: (values) => texts.taken(values),
          follow: (before, values) => texts.followed(before, values),
          cleared: () => forgetWords(database),
        },
      ),
    );
    this.takeovers.register(new PastVersions(database));
  }
}
