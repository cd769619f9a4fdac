import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import type { SingleResult } from '../../../platform/http/results';
import { minorDigits, requireCurrency, requireWholeMinorUnits } from '../../../platform/money/currency';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { ResourceKernel } from '../../../platform/resource/resource-kernel';
import { type Change, type Creation, ResourceService, type Row } from '../../../platform/resource/resource.service';
import type { Values } from '../../../platform/resource/resource.service';
import { ownerOf, requireActiveOwner } from '../owner';
import { type Board, readBoard } from '../pipelines/board';
import { keepPipelines } from '../pipelines/pipeline-lock';
import { type Link, unlink } from '../unlink';
import { workspaceCurrency } from '../workspace-currency';
import { type DealPlace, placeDeal, type PlaceWish } from './deal-place';
import { newStay } from './deal-stays';
import { dealResource } from './deal.resource';

/** Fields that depend on one another through the stage. */
const PLACE = ['pipeline_id', 'stage_id', 'status', 'probability', 'lost_reason'] as const;

const LINKS: readonly Link[] = [
  { resource: 'leads', singular: 'lead', column: 'converted_deal_id' },
  { resource: 'quotes', singular: 'quote', column: 'deal_id' },
  { resource: 'meetings', singular: 'meeting', column: 'deal_id' },
];

/** Deals. What moves one waits while a pipeline or a stage is changed, and the other way round. */
@Injectable()
export class DealsService extends ResourceService {
  constructor(kernel: ResourceKernel) {
    super(dealResource, kernel);
  }

  override async update(id: number, body: object, expected: ExpectedVersions = null): Promise<SingleResult> {
    return this.database.transaction(async () => {
      if (asksForPlace(body as Values)) await keepPipelines(this.database);
      return super.update(id, body, expected);
    });
  }

  /**
   * Marks an open deal as won, inside the current unit of work when there is one. A deal that is won already stays as it
   * is, and so does a lost one: opening it again is for people to decide.
   */
  async win(dealId: number): Promise<void> {
    await this.database.transaction(async () => {
      await keepPipelines(this.database);
      await this.mutate(dealId, null, async (before) =>
        before.status === 'open' ? this.prepareUpdate(before, { status: 'won' }) : { values: {} },
      );
    });
  }

  protected override async prepareCreate(values: Values, body: Values): Promise<Creation> {
    await keepPipelines(this.database);
    const wish = body as PlaceWish;
    const { board, now } = await readBoard(this.database, { pipelines: [wish.pipeline_id], stages: [wish.stage_id] });
    const placement = placeDeal(null, wish, board, now);
    Object.assign(values, placement.values);
    values.created_at = now;
    values.updated_at = now;
    values.currency ??= currencyOf(board, placement.to.pipeline_id) ?? (await workspaceCurrency(this.database));
    requireMoney(values, values);
    values.owner_id = await ownerOf(this.database, body.owner_id as number | null | undefined);
    values.position ??= await this.lastPosition(placement.to.id);
    return { events: placement.events, alongside: newStay(null, placement.to, now) };
  }

  protected override async prepareUpdate(before: Row, values: Values): Promise<Change> {
    requireMoney(values, { ...before, ...values });
    if (values.owner_id && values.owner_id !== before.owner_id) {
      await requireActiveOwner(this.database, values.owner_id as number);
    }
    if (!asksForPlace(values)) return { values };
    const wish = values as PlaceWish;
    const { board, now } = await readBoard(this.database, {
      pipelines: [before.pipeline_id as number, wish.pipeline_id],
      stages: [wish.stage_id],
    });
    const { values: placed, move, events } = placeDeal(before as unknown as DealPlace, wish, board, now);
    const all: Values = { ...values, ...placed };
    if (!move) return { values: all, events };
    all.position = values.position ?? (await this.lastPosition(move.to.id));
    return { values: all, events, alongside: newStay(move.from, move.to, now) };
  }

  /** The lead that became the deal stays converted; quotes and meetings stay without it. */
  protected override prepareRemove(deal: Row): Promise<void> {
    return unlink(this.database, deal.id, LINKS);
  }

  private async lastPosition(stageId: number): Promise<number> {
    const [row] = await this.database.query<{ next: string }>(
      `SELECT floor(coalesce(max(position), 0)) + 1 AS next FROM deals WHERE workspace_id = $1 AND stage_id = $2`,
      [currentWorkspaceId(), stageId],
    );
    return Number(row?.next ?? 1);
  }
}

function asksForPlace(values: Values): boolean {
  return PLACE.some((name) => values[name] !== undefined);
}

function currencyOf(board: Board, pipelineId: number): string | null {
  return board.find(({ id }) => id === pipelineId)?.currency ?? null;
}

/** Checks currency and value together, whichever of them is new, and keeps the decimals of the currency. */
function requireMoney(values: Values, deal: Values): void {
  if (values.currency === undefined && values.value === undefined) return;
  const currency = deal.currency as string;
  requireCurrency('currency', currency);
  requireWholeMinorUnits('value', deal.value as number, currency);
  values.minor_digits = minorDigits(currency);
}
