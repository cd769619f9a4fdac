import { Inject, Injectable, Logger } from '@nestjs/common';
import { pipeline, type Readable } from 'node:stream';
import { currentWorkspaceId } from '../../../platform/context/current';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/context/runtime-config';
import { ApiError } from '../../../platform/errors/api-error';
import { FileStore } from '../../../platform/files/file-store';
import { newKey } from '../../../platform/files/keys';
import { Scanner } from '../../../platform/files/scanner';
import type { ArrivedFile, ToldFile } from './arrived-file';
import { declaredType, sniffedType } from './content-type';
import { cleanFileName } from './file-name';
import { Inspector } from './inspector';

/** Takes files into the store while they arrive. What has no row when all is over is given back. */
@Injectable()
export class FileIntake {
  private readonly logger = new Logger(FileIntake.name);

  constructor(
    private readonly files: FileStore,
    private readonly scanner: Scanner,
    @Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'files'>,
  ) {}

  /** Bytes that a file may have. */
  get maxBytes(): number {
    return this.config.files.maxBytes;
  }

  /**
   * @throws ApiError 413 for one that is too large, 422 for one that is infected, 503 where scanner or store are away; what the
   *   source fails with, where that is an ApiError. Nothing of the file is left then.
   */
  async take(source: Readable, told: ToldFile): Promise<ArrivedFile> {
    const storage_key = newKey(currentWorkspaceId());
    const declared_type = declaredType(told.type);
    const inspector = new Inspector(this.scanner.begin(), this.maxBytes);
    // An error of the source becomes that of the inspector, which whoever stores the file hears of.
    const passing = pipeline(source, inspector, () => undefined);
    try {
      await this.files.put(storage_key, passing, declared_type ?? 'application/octet-stream');
    } catch (error) {
      if (error instanceof ApiError) throw error;
      this.logger.error(
        `A file could not be stored: ${String(error)}`,
        error instanceof Error ? error.stack : undefined,
      );
      throw new ApiError('service_unavailable', 'The file cannot be stored at the moment; try again.', {
        headers: { 'Retry-After': '30' },
      });
    }
    return {
      storage_key,
      declared_type,
      filename: cleanFileName(told.filename),
      content_type: await sniffedType(inspector.head, declared_type),
      size: inspector.bytes,
      sha256: inspector.sha256(),
      scan: inspector.scan,
    };
  }

  /** Gives a file back that nobody wants. What cannot be removed now, the upkeep finds. */
  async discard({ storage_key }: Pick<ArrivedFile, 'storage_key'>): Promise<void> {
    await this.files.remove([storage_key]).catch((error: unknown) => {
      this.logger.warn(`A file could not be removed: ${String(error)}`);
    });
  }
}
