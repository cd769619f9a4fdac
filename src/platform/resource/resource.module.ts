import { Global, Module } from '@nestjs/common';
import { ResourceHooks } from './hooks';
import { ResourceKernel } from './resource-kernel';
import { CounterFolder } from '../counters/counter-folder';

/** The resource kernel, for every area. */
@Global()
@Module({ providers: [ResourceHooks, ResourceKernel, CounterFolder], exports: [ResourceHooks, ResourceKernel] })
export class ResourceModule {}
