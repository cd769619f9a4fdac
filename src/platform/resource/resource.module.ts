import { Global, Module } from '@nestjs/common';
import { ResourceHooks } from './hooks';
import { ResourceKernel } from './resource-kernel';
import { TallyFolder } from './tally-folder';

/** The resource kernel, for every area. */
@Global()
@Module({ providers: [ResourceHooks, ResourceKernel, TallyFolder], exports: [ResourceHooks, ResourceKernel] })
export class ResourceModule {}
