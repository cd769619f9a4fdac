import { Injectable } from '@nestjs/common';
import { workspaceCurrency } from '../../platform/auth/workspace-settings';
import { clockNow } from '../../platform/context/clock';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { invalid } from '../../platform/errors/api-error';
import type { SingleResult } from '../../platform/http/results';
import type { Change, Creation } from '../../platform/resource/change';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { Row, Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { requirePlaceInTree } from '../../platform/tree/tree';
import { announceNoPast, canonicalise, checkCost, loanValues } from './asset-checks';
import { AssetHistory, remembering } from './history/asset-history.service';
import { AssetHolders } from './asset-holders';
import { type HistoryAction, type Holders, isHeld, requireReady, settle } from './asset-status';
import { nextAssetTag } from './identity/asset-tag';
import { AssetTickets } from './asset-tickets.service';
import type { AuditAsset, CheckinAsset, CheckoutAsset, CreateAsset, UpdateAsset } from './asset.dto';
import { Asset } from './asset.entity';
import { assetResource } from './asset.resource';
import { MAX_LEVELS, WARRANTY_NOTICE_DAYS } from './asset-values';
import { today } from './audit-due';

/** What is remembered of a change besides its values. */
interface Remark {
  action?: HistoryAction;
  note?: string | undefined;
}

/** Assets: who has them, where they are, what they are part of (product reference 1.11). */
@Injectable()
export class AssetsService {
  constructor(
    @InjectStore(Asset) private readonly assets: Store<Asset>,
    private readonly database: Database,
    private readonly holders: AssetHolders,
    private readonly history: AssetHistory,
    private readonly tickets: AssetTickets,
  ) {}

  /** Moves in the tree wait for each other. */
  create(body: CreateAsset): Promise<SingleResult> {
    const create = (): Promise<SingleResult> => this.assets.create(body, (values) => this.complete(values));
    return body.parent_id ? this.assets.holding(create) : create();
  }

  update(id: number, body: UpdateAsset, expected: ExpectedVersions): Promise<SingleResult> {
    const update = (): Promise<SingleResult> =>
      this.assets.update(id, body, expected, (before, values) => this.follow(before, values));
    return body.parent_id ? this.assets.holding(update) : update();
  }

  /** Refused while other assets are part of it. Its tickets stay without it; its history stays as it is. */
  remove(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.assets.holding(() => this.assets.remove(id, expected, (asset) => this.clear(asset)));
  }

  /** Gives a free asset to a user or a contact. Of two at once, one gets it. */
  checkout(id: number, body: CheckoutAsset, expected: ExpectedVersions): Promise<SingleResult> {
    return this.assets.mutate(id, expected, async (before) => {
      const { user_id = null, contact_id = null, expected_return_at, note } = body;
      if (user_id === null && contact_id === null) invalid('user_id', 'required', 'Name a user or a contact.');
      if (user_id !== null && contact_id !== null) {
        invalid('contact_id', 'conflict', 'An asset belongs to a user or to a contact, not to both.');
      }
      requireReady(before);
      if (expected_return_at !== undefined && new Date(expected_return_at) <= clockNow()) {
        invalid('expected_return_at', 'min', '"expected_return_at" must be in the future.');
      }
      const holders = { assigned_to: user_id, assigned_contact_id: contact_id };
      await this.holders.require(holders, { user: 'user_id', contact: 'contact_id' });
      const loan: Values<Asset> =
        expected_return_at === undefined
          ? {}
          : { usage_type: 'loaner', expected_return_at: new Date(expected_return_at).toISOString() };
      return this.follow(before, { ...holders, ...loan }, { note });
    });
  }

  /** Takes an asset back. */
  checkin(id: number, { status, note }: CheckinAsset, expected: ExpectedVersions): Promise<SingleResult> {
    return this.assets.mutate(id, expected, (before) => {
      if (!isHeld(before)) invalid('id', 'not_checked_out', 'Nobody has the asset.');
      const asked = { assigned_to: null, assigned_contact_id: null, ...(status === undefined ? {} : { status }) };
      return this.follow(before, asked, { note });
    });
  }

  /** Records that the asset was seen today, and when it is to be seen again. */
  audit(id: number, { note, location, next_audit_at }: AuditAsset, expected: ExpectedVersions): Promise<SingleResult> {
    return this.assets.mutate(id, expected, async (before) => {
      const day = today();
      if (typeof next_audit_at === 'string' && next_audit_at <= day) {
        invalid('next_audit_at', 'min', '"next_audit_at" must be after today.');
      }
      const next = next_audit_at === undefined ? aYearAfter(day) : next_audit_at;
      const values = { last_audit_at: day, next_audit_at: next, ...(location === undefined ? {} : { location }) };
      const change = await this.follow(before, values, { action: 'audited', note });
      return { ...change, events: ['asset.updated', 'asset.audited'], always: true };
    });
  }

  /** Announces the end of a warranty, unless it was announced or changed meanwhile. The record stays as it is. */
  async announceWarranty(id: number): Promise<void> {
    await this.database.transaction(async () => {
      const [due] = await this.database.query<{ expires_at: string; days_left: number }>(
        `UPDATE assets a SET warranty_announced_for = a.warranty_expires_at FROM workspaces w
         WHERE a.workspace_id = $1 AND a.id = $2 AND w.id = $1 AND a.in_service
           AND a.warranty_announced_for IS DISTINCT FROM a.warranty_expires_at
           AND a.warranty_expires_at <= (now() AT TIME ZONE w.timezone)::date + ${WARRANTY_NOTICE_DAYS}
         RETURNING a.warranty_expires_at::text AS expires_at, a.warranty_expires_at - (now() AT TIME ZONE w.timezone)::date AS days_left`,
        [currentWorkspaceId(), id],
      );
      if (due) await this.assets.announce(id, ['asset.warranty_expiring'], { warranty: due });
    });
  }

  private async complete(values: Values<Asset>): Promise<Creation> {
    values.currency ??= await workspaceCurrency(this.database);
    canonicalise(values);
    checkCost(null, values);
    loanValues(null, values);
    await this.holders.require(values);
    const { status, action, events } = settle(null, values);
    if (values.parent_id) await requirePlaceInTree(this.database, assetResource, null, values.parent_id, MAX_LEVELS);
    values.status = status;
    values.asset_tag ??= await nextAssetTag(this.database);
    announceNoPast(values);
    return { events, rows: remembering(null, values, action) };
  }

  private async clear(asset: Row<Asset>): Promise<void> {
    const [parts] = await this.database.query<{ n: number }>(
      `SELECT count(*) AS n FROM assets WHERE workspace_id = $1 AND parent_id = $2`,
      [currentWorkspaceId(), asset.id],
    );
    if (parts?.n) invalid('id', 'in_use', `${parts.n} assets are part of it; move or delete them first.`);
    await this.tickets.detach(asset.id);
    await this.history.rememberLast(asset);
  }

  /** Completes what was asked for with everything that follows from it. */
  private async follow(before: Row<Asset>, asked: Values<Asset>, remark: Remark = {}): Promise<Change<Asset>> {
    const values = { ...asked };
    canonicalise(values);
    checkCost(before, values);
    await this.holders.require(changedHolders(before, values));
    const { status, action, events } = settle(before, values);
    if (status !== before.status) values.status = status;
    else delete values.status;
    Object.assign(values, loanValues(before, values));
    if (values.parent_id && values.parent_id !== before.parent_id) {
      await requirePlaceInTree(this.database, assetResource, before.id, values.parent_id, MAX_LEVELS);
    }
    if (values.warranty_expires_at !== before.warranty_expires_at) announceNoPast(values);
    const rows = remembering(before, values, remark.action ?? action, remark.note ?? null);
    return { values, events: ['asset.updated', ...events], rows };
  }
}

/** The holders that a change names anew. */
function changedHolders(before: Row<Asset>, values: Values<Asset>): Holders {
  const anew = (name: keyof Holders): number | null => (values[name] === before[name] ? null : (values[name] ?? null));
  return { assigned_to: anew('assigned_to'), assigned_contact_id: anew('assigned_contact_id') };
}

function aYearAfter(day: string): string {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCFullYear(next.getUTCFullYear() + 1);
  return next.toISOString().slice(0, 10);
}
