import { Injectable } from '@nestjs/common';
import type { ListResult } from '../../platform/http/results';
import { parseListQuery } from '../../platform/resource/read/list-query';
import { changeMany } from '../../platform/resource/many-changes';
import { answerList } from '../../platform/resource/read/list-answer';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import type { ListParams } from '../../platform/resource/reader';
import { requireReadable } from '../../platform/resource/read/sight';
import { currentSelection } from '../../platform/resource/read/selection';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { ticketsWith } from '../tickets/ticket-assets';
import { ticketResource } from '../tickets/ticket.resource';
import { Asset } from './asset.entity';

const FILTER = 'asset_id';

/** The tickets that name an asset. */
@Injectable()
export class AssetTickets {
  constructor(
    @InjectStore(Asset) private readonly assets: Store<Asset>,
    private readonly kernel: ResourceKernel,
  ) {}

  /** A page of them, with every parameter that lists of tickets take. */
  async of(assetId: number, params: ListParams): Promise<ListResult> {
    requireReadable(ticketResource);
    const resource = await this.kernel.listed(ticketResource, params);
    const plan = parseListQuery(resource, params.query, currentSelection(ticketResource));
    const spec = ticketResource.filters.get(FILTER);
    if (!spec) throw new Error(`Lists of tickets have no filter "${FILTER}".`);
    await this.assets.require(assetId);
    plan.filters.push({ name: FILTER, spec, value: [assetId] });
    return answerList(this.kernel.database, resource, plan, params, {});
  }

  /** Takes a locked asset off all its tickets, each with its version and event. Inside the unit of work. */
  async detach(assetId: number): Promise<void> {
    const { database } = this.kernel;
    await changeMany(database, {
      resource: 'tickets',
      condition: (bind) => `m.id IN (${ticketsWith(`${bind(assetId)}::bigint`)})`,
      expressions: { asset_ids: (bind) => `array_remove(m.asset_ids, ${bind(assetId)}::bigint)` },
      events: ['ticket.updated'],
    });
  }
}
