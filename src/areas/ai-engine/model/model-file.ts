import { isRecord } from '../../../platform/text/json';
import type { Classifier } from './classifier';
import type { LatentNetwork } from './latent-network';

/** Of another version nothing is read: the model is made anew. */
const VERSION = 3;
/** Had no network; the rest is where it was. */
const WITHOUT_NETWORK = 2;

/** What comes before the numbers, as JSON. */
interface Head {
  version: number;
  classes: string[];
  characters: boolean;
  features: number;
  least: number[] | null;
  latent: LatentSizes | null;
}

/** How large a network and its space are. */
interface LatentSizes {
  words: number;
  dimensions: number;
  hidden: number;
}

/** Numbers one after the other, as they stand in a file. */
class Numbers {
  constructor(
    private readonly buffer: ArrayBuffer,
    private at = 0,
  ) {}

  integers(count: number): Int32Array {
    return new Int32Array(this.buffer, this.next(count), count);
  }

  floats(count: number): Float32Array {
    return new Float32Array(this.buffer, this.next(count), count);
  }

  private next(count: number): number {
    const from = this.at;
    this.at += 4 * count;
    return from;
  }
}

/** A classifier as bytes: the length of the head, the head, then all numbers, little-endian: of the linear model, then of the network. */
export function toFile({ classes, kinds, vocabulary, model, latent, least }: Classifier): Uint8Array {
  const names = { classes: [...classes], least: least && [...least] };
  const sizes = latent && {
    words: latent.space.vocabulary.buckets.length,
    dimensions: latent.space.dimensions,
    hidden: latent.network.hidden,
  };
  const head: Head = { version: VERSION, ...names, ...kinds, features: vocabulary.buckets.length, latent: sizes };
  const text = Buffer.from(JSON.stringify(head));
  // A multiple of four, so that the numbers stand where machines want them.
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(padded.length);
  const bytes = [vocabulary.buckets, vocabulary.idf, model.weights, ...numbersOf(latent)].map(
    ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength),
  );
  return new Uint8Array(Buffer.concat([length, padded, ...bytes]));
}

/** The classifier that {@link toFile} wrote; null when it is of another version, or nothing of the kind. */
export function fromFile(file: Uint8Array): Classifier | null {
  if (file.byteLength < 8) return null;
  const length = Buffer.from(file.subarray(0, 4)).readUInt32LE();
  const head = headOf(file.subarray(4, 4 + length));
  if (!head || ![VERSION, WITHOUT_NETWORK].includes(head.version)) return null;
  const { classes, characters, features, least, latent } = head;
  const weights = (features + 1) * classes.length;
  if (4 + length + 4 * (2 * features + weights + countOf(latent, classes.length)) !== file.byteLength) return null;
  // A copy of its own, whatever kind of bytes these are: the slice of a Buffer would be a view of a larger one.
  const numbers = new Numbers(new Uint8Array(file.subarray(4 + length)).buffer);
  return {
    classes,
    kinds: { characters },
    vocabulary: { buckets: numbers.integers(features), idf: numbers.floats(features) },
    model: { classes: classes.length, weights: numbers.floats(weights) },
    latent: latent && networkOf(numbers, latent, classes.length),
    least,
  };
}

function numbersOf(latent: LatentNetwork | null): (Int32Array | Float32Array)[] {
  if (!latent) return [];
  const { space, network } = latent;
  const { buckets, idf } = space.vocabulary;
  return [buckets, idf, space.places, space.origin, network.first, network.second];
}

/** How many numbers {@link numbersOf} gives. */
function countOf(sizes: LatentSizes | null, classes: number): number {
  if (!sizes) return 0;
  const { words, dimensions, hidden } = sizes;
  return words * (2 + dimensions) + dimensions + (dimensions + 1) * hidden + (hidden + 1) * classes;
}

function networkOf(numbers: Numbers, { words, dimensions, hidden }: LatentSizes, classes: number): LatentNetwork {
  const vocabulary = { buckets: numbers.integers(words), idf: numbers.floats(words) };
  const space = {
    vocabulary,
    dimensions,
    places: numbers.floats(words * dimensions),
    origin: numbers.floats(dimensions),
  };
  const first = numbers.floats((dimensions + 1) * hidden);
  const second = numbers.floats((hidden + 1) * classes);
  return { space, network: { inputs: dimensions, hidden, classes, first, second } };
}

function headOf(bytes: Uint8Array): Head | null {
  try {
    const read: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    const head: unknown = isRecord(read) ? { latent: null, ...read } : read;
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
    (value.least === null || Array.isArray(value.least)) &&
    (value.latent === null || isSizes(value.latent))
  );
}

function isSizes(value: unknown): value is LatentSizes {
  return isRecord(value) && [value.words, value.dimensions, value.hidden].every((size) => typeof size === 'number');
}
