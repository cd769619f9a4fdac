import { Injectable } from '@nestjs/common';
import { current, currentWorkspaceId } from '../../platform/context/current';
import { invalid } from '../../platform/http/errors';
import type { SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import { type Change, type Creation, ResourceService, type Row } from '../../platform/resource/resource.service';
import { requirePlaceInTree } from '../../platform/resource/tree';
import { holdTopic } from '../../platform/resource/workspace-lock';
import type { Values } from '../../platform/resource/resource.service';
import { canonicalise, checkCost, loanValues } from './asset-checks';
import { AssetHistory, remembering } from './history/asset-history.service';
import { AssetHolders } from './asset-holders';
import { type AssetState, type HistoryAction, isHeld, requireReady, settle } from './asset-status';
import { nextAssetTag } from './identity/asset-tag';
import { AssetTickets } from './asset-tickets.service';
import { assetResource } from './asset.resource';
import type { AuditAsset, CheckinAsset, CheckoutAsset } from './asset.dto';
import { MAX_LEVELS, WARRANTY_NOTICE_DAYS } from './asset-values';
import { today } from './audit-due';

/** What is remembered of a change besides its values. */
interface Remark {
  action?: HistoryAction;
  note?: string | undefined;
}

/** Assets: who has them, where they are, what they are part of (product reference 1.11). */
@Injectable()
export class AssetsService extends ResourceService {
  constructor(
    kernel: ResourceKernel,
    private readonly holders: AssetHolders,
    private readonly history: AssetHistory,
    private readonly tickets: AssetTickets,
  ) {
    super(assetResource, kernel);
  }

  /** Gives a free asset to a user or a contact. Of two at once, one gets it. */
  checkout(id: number, body: CheckoutAsset, expected: ExpectedVersions): Promise<SingleResult> {
    return this.mutate(id, expected, async (before) => {
      const { user_id = null, contact_id = null, expected_return_at, note } = body;
      if (user_id === null && contact_id === null) invalid('user_id', 'required', 'Name a user or a contact.');
      if (user_id !== null && contact_id !== null) {
        invalid('contact_id', 'conflict', 'An asset belongs to a user or to a contact, not to both.');
      }
      requireReady(stateOf(before));
      if (expected_return_at !== undefined && new Date(expected_return_at) <= new Date()) {
        invalid('expected_return_at', 'min', '"expected_return_at" must be in the future.');
      }
      await this.holders.require(
        { assigned_to: user_id, assigned_contact_id: contact_id },
        { user: 'user_id', contact: 'contact_id' },
      );
      const loan =
        expected_return_at === undefined
          ? {}
          : { usage_type: 'loaner', expected_return_at: new Date(expected_return_at).toISOString() };
      return this.follow(before, { assigned_to: user_id, assigned_contact_id: contact_id, ...loan }, { note });
    });
  }

  /** Takes an asset back. */
  checkin(id: number, { status, note }: CheckinAsset, expected: ExpectedVersions): Promise<SingleResult> {
    return this.mutate(id, expected, (before) => {
      if (!isHeld(stateOf(before))) invalid('id', 'not_checked_out', 'Nobody has the asset.');
      const asked = { assigned_to: null, assigned_contact_id: null, ...(status === undefined ? {} : { status }) };
      return this.follow(before, asked, { note });
    });
  }

  /** Records that the asset was seen today, and when it is to be seen again. */
  audit(id: number, { note, location, next_audit_at }: AuditAsset, expected: ExpectedVersions): Promise<SingleResult> {
    return this.mutate(id, expected, async (before) => {
      const day = today();
      if (typeof next_audit_at === 'string' && next_audit_at <= day) {
        invalid('next_audit_at', 'min', '"next_audit_at" must be after today.');
      }
      const next = next_audit_at === undefined ? aYearAfter(day) : next_audit_at;
      const values = { last_audit_at: day, next_audit_at: next, ...(location === undefined ? {} : { location }) };
      const change = await this.follow(before, values, { action: 'audited', note });
      return { ...change, events: ['asset.audited'], always: true };
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
      if (due) await this.announce(id, ['asset.warranty_expiring'], { warranty: due });
    });
  }

  override async create(body: object): Promise<SingleResult> {
    if (!(body as Values).parent_id) return super.create(body);
    return this.holdingTree(() => super.create(body));
  }

  override async update(id: number, body: object, expected: ExpectedVersions = null): Promise<SingleResult> {
    if (!(body as Values).parent_id) return super.update(id, body, expected);
    return this.holdingTree(() => super.update(id, body, expected));
  }

  override async remove(id: number, expected: ExpectedVersions = null): Promise<SingleResult> {
    return this.holdingTree(() => super.remove(id, expected));
  }

  protected override async prepareCreate(values: Values): Promise<Creation> {
    values.currency ??= await this.workspaceCurrency();
    canonicalise(values);
    checkCost(null, values);
    loanValues(null, values);
    await this.holders.require(values);
    const { status, action, events } = settle(null, values);
    if (typeof values.parent_id === 'number')
      await requirePlaceInTree(this.database, this.resource, null, values.parent_id, MAX_LEVELS);
    values.status = status;
    values.asset_tag ??= await nextAssetTag(this.database);
    if (isPast(values.warranty_expires_at)) values.warranty_announced_for = values.warranty_expires_at;
    return { events, alongside: remembering(null, values, action) };
  }

  protected override prepareUpdate(before: Row, values: Values): Promise<Change> {
    return this.follow(before, values);
  }

  /** Refused while other assets are part of it. Its tickets stay without it; its history stays as it is. */
  protected override async prepareRemove(asset: Row): Promise<void> {
    const [parts] = await this.database.query<{ n: number }>(
      `SELECT count(*) AS n FROM assets WHERE workspace_id = $1 AND parent_id = $2`,
      [currentWorkspaceId(), asset.id],
    );
    if (parts?.n) invalid('id', 'in_use', `${parts.n} assets are part of it; move or delete them first.`);
    await this.tickets.detach(asset.id);
    await this.history.rememberLast(asset);
  }

  /** Completes what was asked for with everything that follows from it. */
  private async follow(before: Row, asked: Values, remark: Remark = {}): Promise<Change> {
    const values = { ...asked };
    canonicalise(values);
    checkCost(before, values);
    await this.holders.require(changedHolders(before, values));
    const { status, action, events } = settle(stateOf(before), values);
    if (status !== before.status) values.status = status;
    else delete values.status;
    Object.assign(values, loanValues(before, values));
    if (typeof values.parent_id === 'number' && values.parent_id !== before.parent_id) {
      await requirePlaceInTree(this.database, this.resource, before.id, values.parent_id, MAX_LEVELS);
    }
    if (values.warranty_expires_at !== before.warranty_expires_at && isPast(values.warranty_expires_at)) {
      values.warranty_announced_for = values.warranty_expires_at;
    }
    const alongside = remembering(before, values, remark.action ?? action, remark.note ?? null);
    return { values, events, alongside };
  }

  /** Moves in the tree wait for each other, before any row is locked. */
  private holdingTree<T>(work: () => Promise<T>): Promise<T> {
    return this.database.transaction(async () => {
      await holdTopic(this.database, 'assets');
      return work();
    });
  }

  private async workspaceCurrency(): Promise<string> {
    const known = current().access?.workspace.currency;
    if (known) return known;
    const [row] = await this.database.query<{ currency: string }>(`SELECT currency FROM workspaces WHERE id = $1`, [
      currentWorkspaceId(),
    ]);
    return row?.currency ?? 'EUR';
  }
}

function stateOf(row: Row): AssetState {
  return row as unknown as AssetState;
}

/** The holders that a change names anew. */
function changedHolders(before: Row, values: Values): Values {
  return Object.fromEntries(
    ['assigned_to', 'assigned_contact_id']
      .filter((name) => values[name] !== undefined && values[name] !== before[name])
      .map((name) => [name, values[name]]),
  );
}

/** A warranty that had ended before it was entered is nothing to warn of. */
function isPast(day: unknown): boolean {
  return typeof day === 'string' && day < today();
}

function aYearAfter(day: string): string {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCFullYear(next.getUTCFullYear() + 1);
  return next.toISOString().slice(0, 10);
}
