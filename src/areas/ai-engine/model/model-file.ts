import { isRecord } from '../../../platform/text/json';
import type { Classifier } from './classifier';
import type { LatentNetwork } from './latent-network';

/** Of another version nothing is read: the model is made anew. */
const VERSION = 4;
/** Had one network at most; the numbers are where they were. */
const WITH_ONE_NETWORK = 3;
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

/** How many words networks know, and how large each of them and its space is. */
interface LatentSizes {
  words: number;
  networks: NetworkSizes[];
}

interface NetworkSizes {
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

/** A classifier as bytes: the length of the head, the head, then all numbers, little-endian: of the linear model, then of the networks. */
export function toFile({ classes, kinds, vocabulary, model, latent, least }: Classifier): Uint8Array {
  const names = { classes: [...classes], least: least && [...least] };
  const [first] = latent;
  const sizes = first
    ? {
        words: first.space.vocabulary.buckets.length,
        networks: latent.map(({ space, network }) => ({ dimensions: space.dimensions, hidden: network.hidden })),
      }
    : null;
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
  if (!head || ![VERSION, WITH_ONE_NETWORK, WITHOUT_NETWORK].includes(head.version)) return null;
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
    latent: latent ? networksOf(numbers, latent, classes.length) : [],
    least,
  };
}

function numbersOf(latent: readonly LatentNetwork[]): (Int32Array | Float32Array)[] {
  const [first] = latent;
  if (!first) return [];
  const { buckets, idf } = first.space.vocabulary;
  const own = latent.flatMap(({ space, network }) => [space.places, space.origin, network.first, network.second]);
  return [buckets, idf, ...own];
}

/** How many numbers {@link numbersOf} gives. */
function countOf(sizes: LatentSizes | null, classes: number): number {
  if (!sizes) return 0;
  const { words, networks } = sizes;
  return networks.reduce(
    (sum, { dimensions, hidden }) =>
      sum + words * dimensions + dimensions + (dimensions + 1) * hidden + (hidden + 1) * classes,
    2 * words,
  );
}

function networksOf(numbers: Numbers, { words, networks }: LatentSizes, classes: number): LatentNetwork[] {
  const vocabulary = { buckets: numbers.integers(words), idf: numbers.floats(words) };
  return networks.map(({ dimensions, hidden }) => {
    const places = numbers.floats(words * dimensions);
    const origin = numbers.floats(dimensions);
    const first = numbers.floats((dimensions + 1) * hidden);
    const second = numbers.floats((hidden + 1) * classes);
    return {
      space: { vocabulary, dimensions, places, origin },
      network: { inputs: dimensions, hidden, classes, first, second },
    };
  });
}

function headOf(bytes: Uint8Array): Head | null {
  try {
    const read: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    const head: unknown = isRecord(read) ? { ...read, latent: sizesOf(read.latent ?? null) } : read;
    return isHead(head) ? head : null;
  } catch {
    return null;
  }
}

/** Sizes as they are told now: of one network, they were told without a list. */
function sizesOf(told: unknown): unknown {
  if (!isRecord(told) || told.networks !== undefined) return told;
  const { words, ...network } = told;
  return { words, networks: [network] };
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
  return (
    isRecord(value) &&
    typeof value.words === 'number' &&
    Array.isArray(value.networks) &&
    value.networks.every(
      (each) => isRecord(each) && typeof each.dimensions === 'number' && typeof each.hidden === 'number',
    )
  );
}
