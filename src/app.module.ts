import { type DynamicModule, Module } from '@nestjs/common';
import { MetaModule } from './areas/meta/meta.module';
import { entities } from './entities';
import { PlatformModule, type PlatformOptions } from './platform/platform.module';

/** Table of contents: the platform, then every area, one per line. */
@Module({})
export class AppModule {
  static forRoot(options: Omit<PlatformOptions, 'entities'>): DynamicModule {
    return {
      module: AppModule,
      imports: [PlatformModule.forRoot({ ...options, entities }), MetaModule],
    };
  }
}
