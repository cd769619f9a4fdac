import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { Row } from '../../../platform/resource/rows';
import type { MigrationJob } from '../jobs/migration-job.entity';
import { FileFetcher, FileTrouble } from '../services/file-fetcher';
import { ServiceConnections } from '../services/service-connections';
import { ServiceFeeds } from '../services/service-feeds';
import { ArchivedFiles } from './archived-files';
import type { ComingFile } from './coming-file';

/** A file as it comes, and what it is called. */
export interface OpenFile {
  body: Readable;
  filename: string | null;
}

/** Where the files of a job come from: its service, or its archive. */
@Injectable()
export class FileSources {
  constructor(
    private readonly connections: ServiceConnections,
    private readonly feeds: ServiceFeeds,
    private readonly fetcher: FileFetcher,
    private readonly archived: ArchivedFiles,
  ) {}

  /** The file as it comes. @throws FileTrouble, ServiceTrouble */
  async open(job: Row<MigrationJob>, file: ComingFile): Promise<OpenFile> {
    if (job.source === 'archive') return { body: await this.archived.open(job, file), filename: file.filename };
    const service = this.connections.open(job);
    if (!service?.source.locate) throw new FileTrouble('unsupported', 'Nobody knows where it is.', false);
    const address = await service.source.locate(file, this.feeds.asking(job, service));
    if (address === null) throw new FileTrouble('gone', `${service.source.name} has it no more.`, false);
    const { filename = file.filename } = address;
    return { body: await this.fetcher.open(service, address), filename };
  }
}
