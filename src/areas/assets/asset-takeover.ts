import { Injectable, type OnModuleInit } from '@nestjs/common';
import { workspaceCurrency } from '../../platform/auth/workspace-settings';
import { Database } from '../../platform/database/database';
import type { Followed } from '../../platform/resource/plain-takeover';
import type { Row, Values } from '../../platform/resource/rows';
import { type Completed, RuledTakeover, type TakeoverRules } from '../../platform/resource/ruled-takeover';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { Takeovers, type TakenValues } from '../../platform/resource/takeover';
import { requirePlaceInTree } from '../../platform/tree/tree';
import { announceNoPast, canonicalise, checkCost, loanValues } from './asset-checks';
import { type AssetState, isHeld, settle, STATUS_RULES } from './asset-status';
import { MAX_LEVELS } from './asset-values';
import { Asset } from './asset.entity';
import { assetResource } from './asset.resource';
import { forget, remembering } from './history/asset-history.service';
import { nextAssetTag } from './identity/asset-tag';

const NOBODY = { assigned_to: null, assigned_contact_id: null } as const;

/**
 * What assets of another system are here: by the rules of those that people make, but who has one is what is, and no handing out, so
 * users who have left keep what they had. What has left service is with nobody.
 */
class AssetRules implements TakeoverRules<Asset> {
  constructor(
    private readonly database: Database,
    private readonly assets: Store<Asset>,
  ) {}

  /** Moves in the tree wait for each other. */
  within<T>(work: () => Promise<T>): Promise<T> {
    return this.assets.holding(work);
  }

  /** Currencies are written as people write them. */
  prepare(values: TakenValues): void {
    if (typeof values.currency === 'string') values.currency = values.currency.trim().toUpperCase();
  }

  async complete(values: Values<Asset>, said: TakenValues): Promise<Completed> {
    const warnings: string[] = [];
    values.currency ??= await workspaceCurrency(this.database);
    if (values.expected_return_at && said.usage_type === undefined) values.usage_type = 'loaner';
    canonicalise(values);
    checkCost(null, values);
    loanValues(null, values);
    if (hasEnded(values) && isHeld(holdersIn(null, values))) {
      Object.assign(values, NOBODY);
      warnings.push(`assigned_to: an asset that is ${values.status ?? ''} is with nobody; left out`);
    }
    const { status, action } = settle(null, values);
    values.status = status;
    if (values.parent_id) await requirePlaceInTree(this.database, assetResource, null, values.parent_id, MAX_LEVELS);
    values.asset_tag ??= await nextAssetTag(this.database);
    announceNoPast(values);
    return { rows: remembering(null, values, action), warnings };
  }

  settle(before: Row<Asset>, asked: Values<Asset>): Values<Asset> {
    const values = { ...asked };
    canonicalise(values);
    checkCost(before, values);
    if (hasEnded(values) && isHeld(before)) Object.assign(values, NOBODY);
    const { status } = settle(before, stateIn(values));
    if (status !== before.status) values.status = status;
    else delete values.status;
    Object.assign(values, loanValues(before, values));
    return values;
  }

  /** Somebody may have put what it was a part of below it meanwhile, so the way back is looked at, too. */
  async follow(before: Row<Asset>, asked: Values<Asset>): Promise<Followed<Asset>> {
    const values = { ...asked };
    if (values.parent_id && values.parent_id !== before.parent_id)
      await requirePlaceInTree(this.database, assetResource, before.id, values.parent_id, MAX_LEVELS);
    const { action } = settle(before, stateIn(values));
    if (values.warranty_expires_at !== undefined) announceNoPast(values);
    return { values, rows: remembering(before, values, action) };
  }

  gone(ids: readonly number[]): Promise<void> {
    return forget(this.database, ids);
  }
}

function hasEnded({ status }: Values<Asset>): boolean {
  return status !== undefined && STATUS_RULES[status].ended;
}

function holdersIn(
  before: Row<Asset> | null,
  values: Values<Asset>,
): Pick<AssetState, 'assigned_to' | 'assigned_contact_id'> {
  const { assigned_to = null, assigned_contact_id = null } = { ...before, ...values };
  return { assigned_to, assigned_contact_id };
}

/** What of a change says where the asset is. */
function stateIn({ status, assigned_to, assigned_contact_id }: Values<Asset>): Partial<AssetState> {
  return {
    ...(status === undefined ? {} : { status }),
    ...(assigned_to === undefined ? {} : { assigned_to }),
    ...(assigned_contact_id === undefined ? {} : { assigned_contact_id }),
  };
}

/** How assets come in from another system. */
@Injectable()
export class AssetTakeover implements OnModuleInit {
  constructor(
    @InjectStore(Asset) private readonly assets: Store<Asset>,
    private readonly database: Database,
    private readonly takeovers: Takeovers,
  ) {}

  onModuleInit(): void {
    const spec = { place: 90, keys: ['serial_number'], names: ['asset_tag'] };
    const rules = new AssetRules(this.database, this.assets);
    this.takeovers.register(new RuledTakeover(this.assets, this.database, spec, rules));
  }
}
