/** Most addresses that a ticket is copied to. */
export const MAX_COPIES = 20;

/**
 * Who is copied in from now on: those there are, then the others, each once, without the requester; what is beyond the limit is left
 * out. Addresses are bare and lower-case.
 */
export function copiesWith(
  present: readonly string[],
  more: readonly (string | null)[],
  requester: string | null,
): string[] {
  const others = more.filter((address) => address !== null).filter((address) => address !== requester);
  return [...new Set([...present, ...others])].slice(0, Math.max(MAX_COPIES, present.length));
}
