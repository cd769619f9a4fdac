import { workspaceCurrency } from '../../../platform/auth/workspace-settings';
import { currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';
import type { Followed } from '../../../platform/resource/plain-takeover';
import type { Row, Values } from '../../../platform/resource/rows';
import type { Completed, TakeoverRules } from '../../../platform/resource/ruled-takeover';
import type { Store } from '../../../platform/resource/store';
import type { NameWithin, TakenValues } from '../../../platform/resource/takeover';
import type { Alongside } from '../../../platform/resource/write-plan';
import { digitsOf, lastPosition } from '../deals/deal-board';
import { newStay } from '../deals/deal-stays';
import type { Deal } from '../deals/deal.entity';
import { type Board, readBoard, stageOf } from '../pipelines/board';
import type { Pipeline } from '../pipelines/pipeline.entity';
import { type NamedStage, stageNamed } from './stage-names';
import { hiddenPlace, PLACE_FIELDS, takenPlace } from './taken-place';

/** A lead that was converted elsewhere gets the deal that it became. */
const LINK_LEAD =
  'lead_of AS (UPDATE leads l SET converted_deal_id = t.id FROM t ' +
  `WHERE l.workspace_id = $1 AND l.id = t.lead_id AND l.status = 'converted' AND l.converted_deal_id IS NULL)`;

/** What deals of another system are here. Pipelines are kept meanwhile. */
export class DealRules implements TakeoverRules<Deal> {
  constructor(
    private readonly database: Database,
    private readonly pipelines: Store<Pipeline>,
  ) {}

  within<T>(work: () => Promise<T>): Promise<T> {
    return this.pipelines.keeping(work);
  }

  prepare(values: TakenValues): void {
    if (typeof values.currency === 'string') values.currency = values.currency.trim().toUpperCase();
  }

  async complete(values: Values<Deal>, { status }: TakenValues): Promise<Completed> {
    const said: Values<Deal> = { ...values };
    // A default is nothing that the source says.
    if (status === undefined) delete said.status;
    const { board, now } = await this.board(said);
    const { values: place, to, warnings } = takenPlace(null, said, board, now);
    const named = said.stage_id === undefined ? undefined : stageOf(board, said.stage_id);
    Object.assign(values, place, hiddenPlace(null, place, to, named));
    values.currency ??=
      board.find(({ id }) => id === to.pipeline_id)?.currency ?? (await workspaceCurrency(this.database));
    values.minor_digits = digitsOf(values.currency, values.value ?? 0);
    values.owner_id ??= null;
    values.position ??= await lastPosition(this.database, to.id);
    const stay = newStay(null, to, place.stage_changed_at ?? now);
    const rows: Alongside = values.lead_id ? (bind) => `${stay(bind)}, ${LINK_LEAD}` : stay;
    return { rows, warnings };
  }

  async settle(before: Row<Deal>, values: Values<Deal>): Promise<Values<Deal>> {
    const { currency, value } = { ...before, ...values };
    if (values.currency !== undefined || values.value !== undefined) digitsOf(currency, value);
    if (!PLACE_FIELDS.some((name) => values[name] !== undefined)) return values;
    const { board, now } = await this.board({ pipeline_id: before.pipeline_id, ...values }, before.pipeline_id);
    return { ...values, ...takenPlace(before, values, board, now).values };
  }

  async follow(before: Row<Deal>, asked: Values<Deal>): Promise<Followed<Deal>> {
    const values = { ...asked };
    const { currency, value } = { ...before, ...values };
    if (values.currency !== undefined || values.value !== undefined) values.minor_digits = digitsOf(currency, value);
    const { stage_id: id = before.stage_id } = values;
    const isPlaced = PLACE_FIELDS.some((name) => values[name] !== undefined);
    if (!isPlaced) return { values };
    const { board, now } = await this.board({ stage_id: id }, before.pipeline_id);
    const [from, to] = [stageOf(board, before.stage_id) ?? null, stageOf(board, id)];
    if (!to) return { values };
    Object.assign(values, hiddenPlace(before, { ...before, ...values }, to));
    if (to.id === before.stage_id) return { values };
    values.position ??= await lastPosition(this.database, to.id);
    return { values, rows: newStay(from, to, values.stage_changed_at ?? now) };
  }

  /** Leads let go of what they became: it may go. */
  async release(ids: readonly number[]): Promise<void> {
    await this.database.query(
      'UPDATE leads SET converted_deal_id = NULL WHERE workspace_id = $1 AND converted_deal_id = ANY($2::bigint[])',
      [currentWorkspaceId(), ids],
    );
  }

  async gone(_ids: readonly number[], stay: readonly number[]): Promise<void> {
    if (stay.length === 0) return;
    await this.database.query(
      `UPDATE leads l SET converted_deal_id = d.id FROM deals d WHERE d.workspace_id = $1 AND d.id = ANY($2::bigint[])
         AND l.workspace_id = $1 AND l.id = d.lead_id AND l.status = 'converted' AND l.converted_deal_id IS NULL`,
      [currentWorkspaceId(), stay],
    );
  }

  /** Stages by what they are called in their pipelines. */
  async idsOfStages(names: readonly NameWithin[]): Promise<(number | undefined)[]> {
    const stages = await this.database.query<NamedStage & Record<string, unknown>>(
      `SELECT s.id, s.pipeline_id, lower(s.name) AS name, s.type, p.is_default
       FROM stages s JOIN pipelines p ON p.workspace_id = s.workspace_id AND p.id = s.pipeline_id WHERE s.workspace_id = $1 ORDER BY s.id`,
      [currentWorkspaceId()],
    );
    return names.map((each) => stageNamed(stages, each));
  }

  private board({ pipeline_id, stage_id }: Values<Deal>, before?: number): Promise<{ board: Board; now: string }> {
    return readBoard(this.database, { pipelines: [pipeline_id, before], stages: [stage_id] });
  }
}
