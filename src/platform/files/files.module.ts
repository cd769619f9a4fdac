import { Global, Module } from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import { FileStore } from './file-store';
import { FolderStore } from './folder-store';
import { Scanner } from './scanner';

const store = {
  provide: FileStore,
  inject: [RUNTIME_CONFIG],
  useFactory: async ({ files }: RuntimeConfig): Promise<FileStore> => {
    if (files.s3 === null) return new FolderStore(files.folder);
    // Loaded where it is used: it is larger than all the rest of the service.
    const { S3Store } = await import('./s3-store.js');
    return new S3Store(files.s3);
  },
};

/** Where files are kept, and who looks into them. */
@Global()
@Module({ providers: [store, Scanner], exports: [FileStore, Scanner] })
export class FilesModule {}
