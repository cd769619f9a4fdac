import type { TransitionTable } from '../../platform/state/transitions';

export const userSources = ['local', 'ad', 'scim', 'import'] as const;
export const availabilities = ['online', 'away', 'offline'] as const;

export const userStatuses = ['invited', 'active', 'suspended', 'deactivated'] as const;
export type UserStatus = (typeof userStatuses)[number];

/** An invitation is accepted once; everything else can be undone. */
export const userTransitions: TransitionTable<UserStatus> = {
  invited: ['active', 'suspended', 'deactivated'],
  active: ['suspended', 'deactivated'],
  suspended: ['active', 'deactivated'],
  deactivated: ['active'],
};
