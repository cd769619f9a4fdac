import { current } from '../../platform/context/current';
import { invalid } from '../../platform/errors/api-error';
import type { Row, Values } from '../../platform/resource/rows';
import type { SightSpec } from '../../platform/resource/sight-spec';
import type { SharedRecord } from './shared-record';

const others = (record: string): string => `(${record}.sharing <> 'private' OR ${record}.owner_id = {me})`;

/**
 * Shared records are seen by everyone, by their owner, or by the teams that they are shared with; owners and admins see what any team
 * shares, and so do tokens of nobody and jobs.
 */
export const sharedSight = {
  unlimited: others,
  rows: ({ readsAll }, record) =>
    readsAll
      ? others(record)
      : `(${record}.sharing = 'everyone' OR ${record}.owner_id = {me} OR (${record}.sharing = 'teams' AND ${record}.team_ids && {teams}))`,
} satisfies SightSpec;

/**
 * Completes what a body says of sharing: who makes a record owns it. 422 for what nobody would see, and for taking a record that
 * others share away from them.
 *
 * @param before the record; null for a new one
 */
export function settleSharing(values: Values<SharedRecord>, before: Row<SharedRecord> | null): void {
  const caller = current().principal?.userId ?? null;
  if (!before) values.owner_id = caller;
  const { sharing, team_ids: teams, owner_id: owner = null } = { ...before, ...values };
  // Its teams may be gone since: that keeps nobody from changing the rest.
  const isSaid = !before || values.sharing !== undefined || values.team_ids !== undefined;
  if (isSaid && sharing === 'teams' && (teams ?? []).length === 0)
    invalid('team_ids', 'required', '"team_ids" must name at least one team when "sharing" is "teams".');
  if (sharing !== 'private' || before?.sharing === 'private') return;
  if (caller === null)
    invalid(
      'sharing',
      'no_user',
      '"sharing" can be "private" only with a token that belongs to a user: nobody would own it.',
    );
  if (owner !== null && owner !== caller)
    invalid('sharing', 'not_owner', '"sharing" can be made "private" by the owner of the record alone.');
  values.owner_id = caller;
}
