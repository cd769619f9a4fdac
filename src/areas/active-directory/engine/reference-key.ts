import { createHash } from 'node:crypto';
import { comparableName } from './distinguished-name';

/** Characters of a reference: longer ones name nothing. */
export const MAX_REFERENCE = 600;

/** What a guid, a distinguished name or the name of a group is found by, however it was written: 43 characters, so that an index holds it. */
export function referenceKey(reference: string): string {
  return createHash('sha256').update(comparableName(reference)).digest('base64url');
}

/** By what a person or a group is found beside the guid; groups without a distinguished name by their name. Null: by nothing. */
export function nameKeyOf({
  distinguished_name,
  name,
}: {
  distinguished_name: string | null;
  name?: string;
}): string | null {
  const found = distinguished_name ?? name;
  return found === undefined ? null : referenceKey(found);
}
