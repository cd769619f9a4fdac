import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import type { SingleResult } from '../../../platform/http/results';
import type { Change, Creation } from '../../../platform/resource/change';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import type { Row, Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { ownerOf, requireActiveOwner } from '../owner';
import { type Board, readBoard } from '../pipelines/board';
import { Pipeline } from '../pipelines/pipeline.entity';
import { type Link, unlink } from '../unlink';
import { workspaceCurrency } from '../../../platform/auth/workspace-settings';
import { digitsOf, lastPosition } from './deal-board';
import { placeDeal, type PlaceWish } from './deal-place';
import { newStay } from './deal-stays';
import type { CreateDeal, UpdateDeal } from './deal.dto';
import { Deal } from './deal.entity';

/** Fields that depend on one another through the stage. */
const PLACE = ['pipeline_id', 'stage_id', 'status', 'probability', 'lost_reason'] as const;

const LINKS: readonly Link[] = [
  { resource: 'leads', singular: 'lead', column: 'converted_deal_id' },
  { resource: 'quotes', singular: 'quote', column: 'deal_id' },
  { resource: 'meetings', singular: 'meeting', column: 'deal_id' },
];

/** Deals. What moves one waits while a pipeline or a stage is changed, and the other way round. */
@Injectable()
export class DealsService {
  constructor(
    @InjectStore(Deal) private readonly deals: Store<Deal>,
    @InjectStore(Pipeline) private readonly pipelines: Store<Pipeline>,
    private readonly database: Database,
  ) {}

  async create(body: CreateDeal): Promise<SingleResult> {
    return (await this.createKnown(body)).result;
  }

  /** The same, with the id, which the answer need not show. */
  createKnown(body: CreateDeal): Promise<{ id: number; result: SingleResult }> {
    return this.pipelines.keeping(() => this.deals.createKnown(body, (values) => this.complete(values, body)));
  }

  update(id: number, body: UpdateDeal, expected: ExpectedVersions): Promise<SingleResult> {
    const update = (): Promise<SingleResult> =>
      this.deals.update(id, body, expected, (before, values) => this.follow(before, values));
    return asksForPlace(body) ? this.pipelines.keeping(update) : update();
  }

  /** The lead that became the deal stays converted; quotes and meetings stay without it. */
  remove(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.deals.remove(id, expected, () => unlink(this.database, id, LINKS));
  }

  /**
   * Marks an open deal as won, inside the current unit of work when there is one. A deal that is won already stays as it
   * is, and so does a lost one: opening it again is for people to decide.
   */
  async win(dealId: number): Promise<void> {
    await this.pipelines.keeping(() =>
      this.deals.mutate(dealId, null, (before) =>
        before.status === 'open' ? this.follow(before, { status: 'won' }) : { values: {} },
      ),
    );
  }

  private async complete(values: Values<Deal>, body: CreateDeal): Promise<Creation> {
    const { pipeline_id, stage_id } = body;
    const { board, now } = await readBoard(this.database, { pipelines: [pipeline_id], stages: [stage_id] });
    const placement = placeDeal(null, wishOf(body), board, now);
    Object.assign(values, placement.values);
    values.created_at = now;
    values.updated_at = now;
    values.currency ??= currencyOf(board, placement.to.pipeline_id) ?? (await workspaceCurrency(this.database));
    values.minor_digits = digitsOf(values.currency, values.value ?? 0);
    values.owner_id = await ownerOf(this.database, body.owner_id);
    values.position ??= await lastPosition(this.database, placement.to.id);
    return { events: placement.events, rows: newStay(null, placement.to, now) };
  }

  private async follow(before: Row<Deal>, values: Values<Deal>): Promise<Change<Deal>> {
    const { currency, value } = { ...before, ...values };
    if (values.currency !== undefined || values.value !== undefined) values.minor_digits = digitsOf(currency, value);
    if (values.owner_id && values.owner_id !== before.owner_id) {
      await requireActiveOwner(this.database, values.owner_id);
    }
    if (!asksForPlace(values)) return { values };
    const { board, now } = await readBoard(this.database, {
      pipelines: [before.pipeline_id, values.pipeline_id],
      stages: [values.stage_id],
    });
    const { values: placed, move, events: more } = placeDeal(before, wishOf(values), board, now);
    const all: Values<Deal> = { ...values, ...placed };
    const events = ['deal.updated', ...more];
    if (!move) return { values: all, events };
    all.position = values.position ?? (await lastPosition(this.database, move.to.id));
    return { values: all, events, rows: newStay(move.from, move.to, now) };
  }
}

function asksForPlace(values: Values<Deal>): boolean {
  return PLACE.some((name) => values[name] !== undefined);
}

function wishOf({ pipeline_id, stage_id, status, probability, lost_reason }: Values<Deal>): PlaceWish {
  return { pipeline_id, stage_id, status, probability, lost_reason };
}

function currencyOf(board: Board, pipelineId: number): string | null {
  return board.find(({ id }) => id === pipelineId)?.currency ?? null;
}
