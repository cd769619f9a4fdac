import { BUILT_IN_ROLES, declaredPermissions } from '../../../platform/context/permission-table';
import { AnyMember, FlagMember, TextMember } from '../../../platform/http/answer-members';

/** A permission that roles may have, and which of the built-in ones do. */
export class PermissionEntry {
  @TextMember({ example: 'tickets.reply' })
  name: string;

  @TextMember({ example: 'Write to the requester.' })
  description: string;

  @AnyMember({ type: 'array', items: { type: 'string', enum: [...BUILT_IN_ROLES] } })
  roles: readonly string[];

  @FlagMember({ description: 'Custom roles have it, whatever they say.' })
  is_everyones: boolean;
}

/** All there are, in the order of the areas. */
export function permissionEntries(): PermissionEntry[] {
  return declaredPermissions().map(({ name, description, from }) => ({
    name,
    description,
    roles: from === 'everyone' ? BUILT_IN_ROLES : BUILT_IN_ROLES.slice(0, BUILT_IN_ROLES.indexOf(from) + 1),
    is_everyones: from === 'everyone',
  }));
}
