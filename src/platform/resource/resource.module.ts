import { Global, Module } from '@nestjs/common';
import { ResourceKernel } from './resource-kernel';
import { TallyFolder } from './tally-folder';

/** The resource kernel, for every area. */
@Global()
@Module({ providers: [ResourceKernel, TallyFolder], exports: [ResourceKernel] })
export class ResourceModule {}
