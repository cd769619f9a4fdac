import { EnumColumn, ReferenceColumn, ReferencesColumn } from '../../platform/columns/columns';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import type { OneOf } from '../../platform/resource/rows';

export const sharings = ['private', 'teams', 'everyone'] as const;
export type Sharing = OneOf<typeof sharings>;

/** What its maker keeps to themselves, shares with teams, or with everyone: views, macros, canned responses. */
export abstract class SharedRecord extends ResourceEntity {
  @EnumColumn(sharings, {
    default: 'everyone',
    description:
      '`private`: its owner alone sees it, which takes a token that belongs to a user; `teams`: who is in one of `team_ids`.',
  })
  sharing: Sharing;

  @ReferencesColumn('teams', { max: 50, description: 'Whom `teams` means.' })
  team_ids: number[];

  @ReferenceColumn('users', {
    nullable: true,
    readOnly: true,
    description: 'Who made it; null when a token of nobody did.',
  })
  owner_id: number | null;
}

/** What bodies may say of it. */
export const sharingFields = ['sharing', 'team_ids'] as const;
