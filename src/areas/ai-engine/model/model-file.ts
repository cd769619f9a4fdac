import { isRecord } from '../../../platform/text/json';
import type { Classifier } from './classifier';

/** Of another version nothing is read: the model is made anew. */
const VERSION = 2;

/** What comes before the numbers, as JSON. */
interface Head {
  version: number;
  classes: string[];
  characters: boolean;
  features: number;
  least: number[] | null;
}

/** A classifier as bytes: the length of the head, the head, then buckets, idf and weights, little-endian. */
export function toFile({ classes, kinds, vocabulary, model, least }: Classifier): Uint8Array {
  const { buckets, idf } = vocabulary;
  const names = { classes: [...classes], least: least && [...least] };
  const head: Head = { version: VERSION, ...names, ...kinds, features: buckets.length };
  const text = Buffer.from(JSON.stringify(head));
  // A multiple of four, so that the numbers stand where machines want them.
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(padded.length);
  const bytes = [buckets, idf, model.weights].map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );
  return new Uint8Array(Buffer.concat([length, padded, ...bytes]));
}

/** The classifier that {@link toFile} wrote; null when it is of another version, or nothing of the kind. */
export function fromFile(file: Uint8Array): Classifier | null {
  if (file.byteLength < 8) return null;
  const length = Buffer.from(file.subarray(0, 4)).readUInt32LE();
  const head = headOf(file.subarray(4, 4 + length));
  if (head?.version !== VERSION) return null;
  const { classes, characters, features, least } = head;
  const weights = (features + 1) * classes.length;
  if (4 + length + 4 * (2 * features + weights) !== file.byteLength) return null;
  // A copy of its own, whatever kind of bytes these are: the slice of a Buffer would be a view of a larger one.
  const { buffer } = new Uint8Array(file.subarray(4 + length));
  return {
    classes,
    kinds: { characters },
    vocabulary: {
      buckets: new Int32Array(buffer, 0, features),
      idf: new Float32Array(buffer, 4 * features, features),
    },
    model: { classes: classes.length, weights: new Float32Array(buffer, 8 * features, weights) },
    least,
  };
}

function headOf(bytes: Uint8Array): Head | null {
  try {
    const head: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return isHead(head) ? head : null;
  } catch {
    return null;
  }
}

function isHead(value: unknown): value is Head {
  return (
    isRecord(value) &&
    typeof value.version === 'number' &&
    typeof value.characters === 'boolean' &&
    typeof value.features === 'number' &&
    Array.isArray(value.classes) &&
    (value.least === null || Array.isArray(value.least))
  );
}
