import { requireCurrency, requireWholeMinorUnits } from '../../platform/money/currency';
import { invalid } from '../../platform/errors/api-error';
import type { Row, Values } from '../../platform/resource/rows';
import type { Asset } from './asset.entity';
import { canonicalIp, canonicalMac } from './identity/asset-identity';
import { isHeld } from './asset-status';
import { today } from './audit-due';

/** Brings addresses into their one form. @throws 422 for what is no address */
export function canonicalise(values: Values<Asset>): void {
  const forms = { ip_address: canonicalIp, mac_address: canonicalMac } as const;
  const demands = {
    ip_address: 'an IPv4 or IPv6 address',
    mac_address: 'a MAC address, e.g. 3c:22:fb:01:02:03',
  } as const;
  for (const name of ['ip_address', 'mac_address'] as const) {
    const text = values[name];
    if (typeof text !== 'string') continue;
    values[name] = forms[name](text) ?? invalid(name, 'format', `"${name}" must be ${demands[name]}.`);
  }
}

/** Refuses a currency that does not exist, and a cost that it has no coin for. `before` is null for a new asset. */
export function checkCost(before: Row<Asset> | null, values: Values<Asset>): void {
  if (typeof values.currency === 'string') requireCurrency('currency', values.currency);
  if (values.currency === undefined && values.purchase_cost === undefined) return;
  const { purchase_cost, currency = '' } = { ...before, ...values };
  requireWholeMinorUnits('purchase_cost', purchase_cost, currency);
}

/**
 * What a change means for the loan: only a `loaner` is due back, and what is returned is not any more.
 *
 * @throws 422 for a date of return of an asset that is not lent
 */
export function loanValues(before: Row<Asset> | null, values: Values<Asset>): Values<Asset> {
  const after: Values<Asset> = { ...before, ...values };
  if ((after.expected_return_at ?? null) === null) return {};
  const asked = (values.expected_return_at ?? null) !== null;
  if (asked && after.usage_type !== 'loaner') {
    invalid('expected_return_at', 'invalid', '"expected_return_at" is for assets whose "usage_type" is loaner.');
  }
  const held = ({ assigned_to = null, assigned_contact_id = null }: Values<Asset>): boolean =>
    isHeld({ assigned_to, assigned_contact_id });
  const returned = before !== null && held(before) && !held(after);
  return returned || after.usage_type !== 'loaner' ? { expected_return_at: null } : {};
}

/** A warranty that had ended before it was entered is nothing to warn of. */
export function announceNoPast(values: Values<Asset>): void {
  const { warranty_expires_at: day } = values;
  if (day && day < today()) values.warranty_announced_for = day;
}
