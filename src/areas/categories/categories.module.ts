import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { CategoriesController } from './categories.controller';
import { CategoriesService } from './categories.service';
import { CategoryTakeover } from './category-takeover';
import { categoryResource } from './category.resource';

@Module({
  imports: [StoreModule.forFeature(categoryResource)],
  controllers: [CategoriesController],
  providers: [CategoriesService, CategoryTakeover],
  exports: [CategoriesService],
})
export class CategoriesModule {}
