import { Global, Module } from '@nestjs/common';
import { Eraser } from './eraser';
import { Keepers } from './keepers';
import { Standstill } from './standstill';
import { Sweeper } from './sweeper';

/** Erasing people from all that the inventory names. */
@Global()
@Module({ providers: [Eraser, Keepers, Standstill, Sweeper], exports: [Eraser, Keepers, Standstill] })
export class PrivacyModule {}
