import { hostileBodies, hostileParameters, hostileTexts } from '../../support/dos-corpus';
import { rationed, shapeOf } from '../../support/hostile';
import { slotKinds } from '../../support/isolation';
import { fillPath, type Operation, requiredSample, type Schema } from '../../support/operations';
import type { Belongings } from '../../support/belongings';

/** A request of the attack, and what is attacked with it. */
export interface DosCase {
  name: string;
  method: string;
  path: string;
  body: string | null;
}

interface Field extends Schema {
  maxLength?: number;
}

const NO_RECORD = 8_999_999_999_999;
const UNBOUNDED = 20_000;
/** Below the limit of a body. */
const MOST_BYTES = 900_000;

/**
 * The whole attack: each kind of text field and parameter of the OpenAPI document meets the whole corpus once, fields of a kind met
 * before meet `few` of it, the next ones each time. New fields and operations are covered by themselves.
 */
export function dosCases(operations: readonly Operation[], own: Belongings, few: number): DosCase[] {
  const texts = rationed(Object.entries(hostileTexts), few);
  const values = rationed(Object.entries(hostileParameters), few);
  const cases: DosCase[] = hostileBodies.map(({ name, method, path, body }) => ({
    name,
    method,
    path: path.replace(/\{(\w+)\}/g, (_, kind: string) => String(own[kind] ?? NO_RECORD)),
    body: JSON.stringify(body()),
  }));
  for (const operation of operations.filter(({ method, open }) => method !== 'DELETE' && !open)) {
    const { method } = operation;
    const path = fillPath(
      operation.path,
      slotKinds(operation.path).map((kind) => own[kind] ?? NO_RECORD),
    );
    for (const [name, schema] of Object.entries(operation.parameters)) {
      for (const [what, value] of values(name === 'q' ? 'q' : shapeOf(schema))) {
        const query = `?${name}=${encodeURIComponent(value).slice(0, 15_000).replace(/%.?$/, '')}`;
        cases.push({
          name: `${what} in ${name} of ${method} ${operation.path}`,
          method,
          path: `${path}${query}`,
          body: null,
        });
      }
    }
    for (const [name, schema] of Object.entries(operation.body?.properties ?? {})) {
      const fill = filler(schema);
      if (!fill) continue;
      for (const [what, make] of texts(shapeOf(schema))) {
        const body = { ...requiredSample(operation.body ?? {}), [name]: fill(make) };
        cases.push({
          name: `${what} in ${name} of ${method} ${operation.path}`,
          method,
          path,
          body: JSON.stringify(body),
        });
      }
    }
  }
  return cases;
}

/** How a field is filled with a text; null where it takes none. */
function filler(schema: Field): ((make: (length: number) => string) => unknown) | null {
  const types = [schema.type].flat();
  const text = (make: (length: number) => string): string => fitted(make, schema.maxLength ?? UNBOUNDED);
  if (schema.enum || schema.format === 'date-time') return null;
  if (types.includes('string') || schema.oneOf?.some(({ type }) => type === 'string')) return text;
  if (types.includes('array')) return (make) => Array.from({ length: 50 }, () => make(50));
  if (types.includes('object'))
    return (make) => Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, make(3_900)]));
  return null;
}

function fitted(make: (length: number) => string, length: number): string {
  const text = make(length);
  const bytes = Buffer.byteLength(JSON.stringify(text));
  return bytes <= MOST_BYTES ? text : make(Math.floor((length * MOST_BYTES) / bytes));
}
