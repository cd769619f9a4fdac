import { Module } from '@nestjs/common';
import { SearchController } from './search.controller';
import { SearchService } from './search.service';
import { Vocabulary } from './words/vocabulary';
import { VocabularyJob } from './words/vocabulary-job';

@Module({ controllers: [SearchController], providers: [SearchService, Vocabulary, VocabularyJob] })
export class SearchModule {}
