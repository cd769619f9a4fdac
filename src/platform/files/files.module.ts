import { Global, Module, type Provider } from '@nestjs/common';
import { join } from 'node:path';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import { ArchiveStore, FileStore, InboxStore } from './file-store';
import { FolderStore } from './folder-store';
import { Scanner } from './scanner';

/** @param place folder of the store, `` for the whole of it */
function storeAt(place: string, provide: typeof FileStore): Provider {
  return {
    provide,
    inject: [RUNTIME_CONFIG],
    useFactory: async ({ files }: RuntimeConfig): Promise<FileStore> => {
      if (files.s3 === null) return new FolderStore(join(files.folder, place));
      // Loaded where it is used: it is larger than all the rest of the service.
      const { S3Store } = await import('./s3-store.js');
      return new S3Store(files.s3, place);
    },
  };
}

const stores = [storeAt('', FileStore), storeAt('archives', ArchiveStore), storeAt('inbox', InboxStore)];

/** Where files are kept, and who looks into them. */
@Global()
@Module({ providers: [...stores, Scanner], exports: [FileStore, ArchiveStore, InboxStore, Scanner] })
export class FilesModule {}
