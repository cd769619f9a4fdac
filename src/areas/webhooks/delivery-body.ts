import { ownJson } from '../../platform/text/json';

/** Most bytes of a body. */
export const MAX_BODY_BYTES = 256 * 1024;

/** Lengths to which texts are cut until the body fits, one after the other. */
const CUTS = [65_536, 32_768, 16_384, 8_192, 4_096, 2_048, 1_024, 512, 256, 128, 64, 0];

const MAX_PATHS = 100;

/**
 * The body itself when it is small enough; otherwise with its longest texts cut and `truncated` naming their paths.
 * Depends on nothing but the text, so that copies stay equal.
 */
export function fitted(body: string): string {
  if (Buffer.byteLength(body) <= MAX_BODY_BYTES) return body;
  const event = ownJson<Record<string, unknown>>(body);
  let shortest = '';
  for (const length of CUTS) {
    const truncated: string[] = [];
    const { data, changes, ...head } = event;
    const cutParts = {
      data: cut(data, length, 'data', truncated),
      changes: cut(changes, length, 'changes', truncated),
    };
    shortest = JSON.stringify({ ...head, ...cutParts, truncated });
    if (Buffer.byteLength(shortest) <= MAX_BODY_BYTES) break;
  }
  return shortest;
}

function cut(value: unknown, length: number, path: string, truncated: string[]): unknown {
  if (typeof value === 'string') {
    if (value.length <= length) return value;
    if (truncated.length < MAX_PATHS) truncated.push(path);
    // Half of a surrogate pair is no character.
    return value.slice(0, /[\uD800-\uDBFF]/.test(value[length - 1] ?? '') ? length - 1 : length);
  }
  if (Array.isArray(value)) return value.map((item, index) => cut(item, length, `${path}[${index}]`, truncated));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, cut(member, length, `${path}.${name}`, truncated)]),
  );
}
