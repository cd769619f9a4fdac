import { Global, Module } from '@nestjs/common';
import { Workers } from './workers.service';

/** Threads for work that takes the processor's time. */
@Global()
@Module({ providers: [Workers], exports: [Workers] })
export class WorkersModule {}
