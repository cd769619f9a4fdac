import type { EntityMapping } from '../mapping/mapping.dto';
import type { Takeover } from '../../../platform/resource/takeover';
import { targetsOf } from '../mapping/targets';

/** What is known by name where no area says how its records are taken over: people make it here. */
const NAMES: readonly string[] = ['teams', 'sla_policies', 'ticket_statuses', 'pipelines', 'stages'];

/** Names of a kind that are remembered: as many values as a mapping may have. */
export const MAX_NAMES = 5_000;

export function isName(resource: string): boolean {
  return NAMES.includes(resource);
}

/** By resource: what records are called, by their ids in the source. */
export type Names = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** What ids in an archive are here: the records that are called like those there. What is given counts. */
export function valuesOfNames(
  takeover: Takeover,
  names: Names,
  given: EntityMapping['values'] = {},
): NonNullable<EntityMapping['values']> {
  const values = { ...given };
  for (const { name, kind, references = '' } of targetsOf(takeover).values()) {
    const known = kind === 'reference' ? names.get(references) : undefined;
    if (known) values[name] = { ...known, ...values[name] };
  }
  return values;
}
