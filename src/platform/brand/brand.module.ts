import { Global, Module } from '@nestjs/common';
import { Brands } from './brands';

/** What workspaces look like: areas that write to customers inject Brands. */
@Global()
@Module({ providers: [Brands], exports: [Brands] })
export class BrandModule {}
