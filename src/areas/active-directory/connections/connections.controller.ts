import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import { InjectReader } from '../../../platform/resource/store.module';
import {
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../../platform/routes/routes';
import { CreateConnection, UpdateConnection } from './connection.dto';
import { DirectoryConnection } from './connection.entity';
import { connectionResource } from './connection.resource';
import { ConnectionsService } from './connections.service';

@ApiTags('Active Directory')
@Controller('active-directory/connections')
export class ConnectionsController {
  constructor(
    @InjectReader(DirectoryConnection) private readonly records: Reader<DirectoryConnection>,
    private readonly connections: ConnectionsService,
  ) {}

  @ListRoute(connectionResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(connectionResource, {
    summary: 'Connect a directory',
    description: 'Nothing is read or changed by it; a first run with `dry_run` shows what would be.',
  })
  create(@Body() body: CreateConnection): Promise<SingleResult> {
    return this.connections.create(body);
  }

  @ReadRoute(connectionResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(connectionResource)
  update(
    @Id() id: number,
    @Body() body: UpdateConnection,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.connections.update(id, body, expected);
  }

  @DeleteRoute(connectionResource, {
    description:
      'With all that is known of its objects and its runs. Users stay as they are, and are no longer changed by it.',
  })
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.connections.remove(id, expected);
  }
}
