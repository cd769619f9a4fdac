import { invalid } from '../../platform/errors/api-error';

export const ASSET_STATUSES = ['in_stock', 'in_use', 'in_repair', 'reserved', 'retired', 'lost', 'disposed'] as const;

export type AssetStatus = (typeof ASSET_STATUSES)[number];

/** What a status says about who has the asset. */
interface StatusRule {
  /** Status once somebody gets the asset; null = nobody can get it. */
  whenAssigned: AssetStatus | null;
  /** Status once nobody has it any more. */
  whenReturned: AssetStatus;
  /** Whether `checkout` hands it out: ready and, for `in_use`, not anybody's. */
  ready: boolean;
  /** Whether the asset has left service. */
  ended: boolean;
}

/** Every status, and what assigning and returning make of it (product reference 1.11). */
export const STATUS_RULES: Readonly<Record<AssetStatus, StatusRule>> = {
  in_stock: { whenAssigned: 'in_use', whenReturned: 'in_stock', ready: true, ended: false },
  reserved: { whenAssigned: 'in_use', whenReturned: 'in_stock', ready: true, ended: false },
  in_use: { whenAssigned: 'in_use', whenReturned: 'in_stock', ready: true, ended: false },
  in_repair: { whenAssigned: 'in_repair', whenReturned: 'in_repair', ready: false, ended: false },
  retired: { whenAssigned: null, whenReturned: 'retired', ready: false, ended: true },
  lost: { whenAssigned: null, whenReturned: 'lost', ready: false, ended: true },
  disposed: { whenAssigned: null, whenReturned: 'disposed', ready: false, ended: true },
};

/** Statuses that an asset which somebody has can be in. */
export const HELD_STATUSES = ASSET_STATUSES.filter((status) => STATUS_RULES[status].whenAssigned === status);

/** Who has an asset: a user or a contact. */
export interface Holders {
  assigned_to: number | null;
  assigned_contact_id: number | null;
}

/** Where an asset is: its status and who has it. */
export interface AssetState extends Holders {
  status: AssetStatus;
}

/** What happened to an asset, in a word: the `action` of its history. */
export const HISTORY_ACTIONS = [
  'created',
  'updated',
  'assigned',
  'unassigned',
  'retired',
  'audited',
  'deleted',
] as const;

export type HistoryAction = (typeof HISTORY_ACTIONS)[number];

/** What follows from a change of status or holder. */
export interface Settled {
  status: AssetStatus;
  action: HistoryAction;
  /** Event types besides `asset.created` and `asset.updated`. */
  events: string[];
}

/** Whether somebody has the asset. */
export function isHeld(state: Holders): boolean {
  return state.assigned_to !== null || state.assigned_contact_id !== null;
}

/**
 * The status that an asset ends up in, and what that is called. A status that is asked for as it is does not count as
 * asked for, so that a record can be sent back with another assignee.
 *
 * @param before null for a new asset
 * @throws 422 for two holders at once, and for a status that a held asset cannot be in
 */
export function settle(before: AssetState | null, asked: Partial<AssetState>): Settled {
  const start: AssetState = before ?? { status: 'in_stock', assigned_to: null, assigned_contact_id: null };
  const after: AssetState = { ...start, ...asked };
  if (after.assigned_to !== null && after.assigned_contact_id !== null) {
    invalid('assigned_contact_id', 'conflict', 'An asset belongs to a user or to a contact, not to both.');
  }
  const assigned =
    isHeld(after) &&
    (after.assigned_to !== start.assigned_to || after.assigned_contact_id !== start.assigned_contact_id);
  const returned = isHeld(start) && !isHeld(after);
  const asksStatus = after.status !== start.status;
  let status = after.status;
  if (assigned) status = STATUS_RULES[status].whenAssigned ?? refuse(start.status, status);
  else if (returned && !asksStatus) status = STATUS_RULES[status].whenReturned;
  else if (isHeld(after) && !HELD_STATUSES.includes(status)) refuse(start.status, status);
  const retired = STATUS_RULES[status].ended && !STATUS_RULES[start.status].ended && before !== null;
  const events = [
    ...(assigned ? ['asset.assigned'] : []),
    ...(returned ? ['asset.unassigned'] : []),
    ...(retired ? ['asset.retired'] : []),
  ];
  const action = retired ? 'retired' : assigned ? 'assigned' : returned ? 'unassigned' : 'updated';
  return { status, action: before === null ? 'created' : action, events };
}

/** Refuses to hand out what somebody has, or what is not ready. */
export function requireReady(state: AssetState): void {
  if (isHeld(state)) {
    invalid('id', 'checked_out', 'The asset is with somebody already; check it in first.', {
      assigned_to: state.assigned_to,
      assigned_contact_id: state.assigned_contact_id,
    });
  }
  if (STATUS_RULES[state.status].ready) return;
  invalid('status', 'invalid_transition', `An asset that is ${state.status} cannot be checked out.`, {
    from: state.status,
    to: 'in_use',
    allowed: [],
  });
}

function refuse(from: AssetStatus, to: AssetStatus): never {
  invalid('status', 'invalid_transition', `An asset that is ${to} cannot be with anybody.`, {
    from,
    to,
    allowed: HELD_STATUSES,
  });
}
