import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { AttachmentsModule } from '../attachments/attachments.module';
import { ArticleFiles } from './articles/article-files';
import { kbArticleVersionResource } from './versions/version.resource';
import { kbArticleResource } from './articles/article.resource';
import { TranslationRules } from './articles/article-translations';
import { KbArticlesController } from './articles/articles.controller';
import { KbArticlesService } from './articles/articles.service';
import { KbCategoriesController } from './categories/kb-categories.controller';
import { KbCategoriesService } from './categories/kb-categories.service';
import { kbCategoryResource } from './categories/kb-category.resource';
import { KbFeedbackController } from './feedback/feedback.controller';
import { kbFeedbackResource } from './feedback/feedback.resource';
import { KbFeedbackService } from './feedback/feedback.service';
import { MergedReaders } from './feedback/merged-readers';
import { KbTakeover } from './kb-takeover';
import { ArticleTexts } from './text/article-texts.service';
import { KbVersionsController } from './versions/versions.controller';
import { KbVersionsService } from './versions/versions.service';

@Module({
  imports: [
    StoreModule.forFeature(kbArticleResource, kbArticleVersionResource, kbFeedbackResource, kbCategoryResource),
    AttachmentsModule,
  ],
  controllers: [KbArticlesController, KbVersionsController, KbFeedbackController, KbCategoriesController],
  providers: [
    TranslationRules,
    ArticleFiles,
    ArticleTexts,
    KbArticlesService,
    KbVersionsService,
    KbFeedbackService,
    MergedReaders,
    KbCategoriesService,
    KbTakeover,
  ],
  exports: [KbArticlesService],
})
export class KbModule {}
