import { isRecord } from '../../../platform/text/json';
import type { Content } from './protocol/content';
import { ENTERPRISE, type ResourceType, TYPES } from './protocol/schema';
import type { Tie } from './scim-members';
import type { Stored } from './scim-store';

/** The tag of a version (RFC 7644, section 3.14): weak, as what is computed does not count in it. */
export const tagOf = (version: number): string => `W/"${version}"`;

export const locationOf = (base: string, { endpoint }: ResourceType, id: string): string => `${base}${endpoint}/${id}`;

/** A resource as clients see it. @param ties members of a group, or groups of somebody; null = nobody asked */
export function shown(base: string, type: ResourceType, stored: Stored, ties: readonly Tie[] | null): Content {
  const { id, version, content, created_at: created, updated_at: lastModified } = stored;
  const { externalId, [ENTERPRISE]: enterprise, ...own } = content;
  return {
    schemas: [type.schema.id, ...(enterprise === undefined ? [] : [ENTERPRISE])],
    id,
    ...(externalId === undefined ? {} : { externalId }),
    ...own,
    ...(ties === null
      ? {}
      : { [type.kind === 'group' ? 'members' : 'groups']: ties.map((tie) => tied(base, type, tie)) }),
    ...(enterprise === undefined ? {} : { [ENTERPRISE]: withAddress(base, enterprise) }),
    meta: {
      ...{ resourceType: type.name, created, lastModified },
      ...{ location: locationOf(base, type, id), version: tagOf(version) },
    },
  };
}

function tied(base: string, type: ResourceType, { value, display, kind }: Tie): Content {
  const other = TYPES.find((each) => each.kind === kind);
  return {
    value,
    ...(other ? { $ref: locationOf(base, other, value) } : {}),
    ...(display === null ? {} : { display }),
    ...(type.kind === 'user' ? { type: 'direct' } : other ? { type: other.name } : {}),
  };
}

function withAddress(base: string, enterprise: unknown): unknown {
  if (!isRecord(enterprise) || !isRecord(enterprise.manager)) return enterprise;
  const { manager } = enterprise;
  if (typeof manager.value !== 'string') return enterprise;
  return { ...enterprise, manager: { ...manager, $ref: `${base}/Users/${manager.value}` } };
}
