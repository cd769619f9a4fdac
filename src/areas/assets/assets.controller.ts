import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Id } from '../../platform/http/id';
import type { ListResult, SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { type ListParams, Reader } from '../../platform/resource/reader';
import {
  ActionRoute,
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../platform/routes/routes';
import { InjectReader } from '../../platform/resource/store.module';
import { ticketResource } from '../tickets/ticket.resource';
import { AssetHistory } from './history/asset-history.service';
import { assetHistoryResource } from './history/asset-history.resource';
import { AssetTickets } from './asset-tickets.service';
import { AuditAsset, CheckinAsset, CheckoutAsset, CreateAsset, UpdateAsset } from './asset.dto';
import { Asset } from './asset.entity';
import { assetResource } from './asset.resource';
import { AssetsService } from './assets.service';

@ApiTags('Assets')
@Controller('assets')
export class AssetsController {
  constructor(
    @InjectReader(Asset) private readonly records: Reader<Asset>,
    private readonly assets: AssetsService,
    private readonly history: AssetHistory,
    private readonly tickets: AssetTickets,
  ) {}

  @ListRoute(assetResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(assetResource)
  create(@Body() body: CreateAsset): Promise<SingleResult> {
    return this.assets.create(body);
  }

  @ReadRoute(assetResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(assetResource)
  update(@Id() id: number, @Body() body: UpdateAsset, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.assets.update(id, body, expected);
  }

  @DeleteRoute(assetResource, {
    description: 'Refused while other assets are part of it. Tickets lose it; its history can still be read.',
  })
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.assets.remove(id, expected);
  }

  @ActionRoute(assetResource, ':id/checkout', {
    summary: 'Check an asset out',
    description: 'Gives it to a user or a contact; refused while somebody has it or it is not ready.',
  })
  checkout(
    @Id() id: number,
    @Body() body: CheckoutAsset,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.assets.checkout(id, body, expected);
  }

  @ActionRoute(assetResource, ':id/checkin', { summary: 'Check an asset in', description: 'Takes it back.' })
  checkin(@Id() id: number, @Body() body: CheckinAsset, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.assets.checkin(id, body, expected);
  }

  @ActionRoute(assetResource, ':id/audit', {
    summary: 'Audit an asset',
    description: 'Records that it was seen today, where, and when it is to be seen again.',
  })
  audit(@Id() id: number, @Body() body: AuditAsset, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.assets.audit(id, body, expected);
  }

  @ListRoute(assetHistoryResource, {
    path: ':id/history',
    summary: 'List what happened to an asset',
    description: 'Who had it and what changed, newest first; also after the asset was deleted.',
  })
  listHistory(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    return this.history.of(id, params);
  }

  @ListRoute(ticketResource, { path: ':id/tickets', summary: 'List the tickets that name an asset' })
  listTickets(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    return this.tickets.of(id, params);
  }
}
