const PREFIX = 'whsec_';
const MIN_BYTES = 24;
const MAX_BYTES = 64;
const MAX_TEXT = 200;

/**
 * What is wrong with a secret that a subscriber brings along; null when it can sign. After `whsec_` comes base64 of 24 to
 * 64 bytes, as Standard Webhooks demands; without the prefix any printable text of 24 to 200 characters will do.
 */
export function secretProblem(secret: string): string | null {
  if (!secret.startsWith(PREFIX)) {
    return new RegExp(`^[\\x21-\\x7e]{${MIN_BYTES},${MAX_TEXT}}$`).test(secret)
      ? null
      : `must be ${MIN_BYTES} to ${MAX_TEXT} printable characters without spaces, or ${PREFIX} and base64`;
  }
  const encoded = secret.slice(PREFIX.length);
  const bytes = Buffer.from(encoded, 'base64');
  const fits = bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES && bytes.toString('base64') === encoded;
  return fits ? null : `must be ${PREFIX} and the base64 of ${MIN_BYTES} to ${MAX_BYTES} bytes`;
}

/** What of a secret may be shown later: enough to tell it from another. */
export function secretHint(secret: string): string {
  return `...${secret.slice(-4)}`;
}
