import { Module } from '@nestjs/common';
import { SearchController } from './search.controller';
import { SearchService } from './search.service';
import { Vocabulary } from './vocabulary';
import { VocabularyJob } from './vocabulary-job';

@Module({ controllers: [SearchController], providers: [SearchService, Vocabulary, VocabularyJob] })
export class SearchModule {}
