import { Global, Module } from '@nestjs/common';
import { Eraser } from './eraser';
import { Keepers } from './keepers';
import { LogTerms } from './log-terms';
import { Standstill } from './standstill';
import { Sweeper } from './sweeper';

/** Erasing people from all that the inventory names. */
@Global()
@Module({
  providers: [Eraser, Keepers, LogTerms, Standstill, Sweeper],
  exports: [Eraser, Keepers, LogTerms, Standstill],
})
export class PrivacyModule {}
